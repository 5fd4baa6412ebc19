import type { Config } from '../../config.ts';
import { mapConcurrently } from '../../governance/shell/concurrency.ts';
import { createTokenVault } from '../../identity/token-vault.ts';
import type { StoredInstallation } from '../../slack/installation.ts';
import { OPTIONAL_SCOPES, toBotScopes } from '../../slack/installations/bot-scopes.ts';
import { isAllowed, openInstallation } from '../../slack/installations/find-installation.ts';
import { askSlack, describeSilence, isSilent, SILENCE_WORDS, type SlackAnswer } from '../ask-slack.ts';
import { type Check, count, type Finding, type Found, type Sight, speak } from '../check.ts';
import { lookAtAddress } from './services.ts';

/** Slack allows hundreds of auth.test calls a minute, but the doctor has to be quick. */
const MAX_ASKED = 50;
const AT_ONCE = 5;
const LIMIT_MS = 20_000;

const { words, say } = speak({
  accepted: '✓ Slack accepts SLACK_BOT_TOKEN: the app is in {team} ({teamId}).',
  acceptedIn: "✓ Slack accepts the app's token in {workspaces}:",
  complete: '✓ It has every scope of the manifest.',
  lacks:
    '✗ {subject} lacks {scopes}. Paste what `npm run --silent manifest -- {publicUrl}` prints under App Manifest, save it, and {reinstall}.',
  without:
    '! {subject} was not granted the optional scope {scope}: {lost}. If nobody misses that, leave it; otherwise add the scope under OAuth & Permissions → Scopes, and {reinstall}.',
  superfluous:
    '✓ {subject} also has {scopes}, which is not used. To grant less, remove it under OAuth & Permissions → Scopes, and {reinstall}.',
  none: '! No workspace has installed the app yet. Open {install}, and add it to one.',
  refused:
    '✗ Slack does not accept SLACK_BOT_TOKEN ({code}). Copy it again from OAuth & Permissions → Bot User OAuth Token.',
  refusedIn:
    '✗ Slack does not accept the token of {workspace} ({code}): nobody there is answered. They have to install the app again at {install}.',
  ended:
    '✗ Slack no longer accepts the refresh token of {workspace}. They have to install the app again at {install}. People there are answered until the old token expires.',
  idle: '✓ The token of {workspace} has expired, as tokens that rotate do. The app exchanges it when it needs it.',
  locked: '✗ The token of {workspace} cannot be decrypted: see the section Encryption keys. Nobody there is answered.',
  notAllowed:
    '! {workspace} has installed the app, but SLACK_ALLOWED_TEAMS does not name it: nobody there is answered. Add it and restart, or let them remove the app.',
  leftOut: '✓ The first {asked} were checked, and {workspaces} more left out.',
  connected: '✓ The app is connected to Slack (Socket Mode).',
  appAccepted: '✓ Slack accepts SLACK_APP_TOKEN.',
  appRefused:
    '✗ Slack does not accept SLACK_APP_TOKEN ({code}). Copy it again from Basic Information → App-Level Tokens, where it needs the scope connections:write.',
});

/** Whether Slack accepts SLACK_BOT_TOKEN, and its scopes. Without the variable, only whether Slack can be reached. */
export const BOT_TOKEN: Check = {
  name: 'SLACK_BOT_TOKEN',
  section: 'Slack',
  words: { ...words, ...SILENCE_WORDS },
  async look(sight) {
    const { SLACK_API_URL: address, SLACK_BOT_TOKEN: token } = sight.config;
    if (!token) return lookAtAddress({ who: 'Slack', variable: 'SLACK_API_URL', address }, sight.config);
    const answer = await askSlack(sight, { token });
    if (isSilent(answer)) return describeSilence(answer, sight);
    if (answer.kind === 'refused') return say('refused', answer);
    const { team = 'a workspace', team_id: teamId = 'no id' } = answer.body;
    const reinstall = 'press Install App → Reinstall to Workspace';
    const scopes = describeScopes(answer.scopes, { subject: 'It', reinstall, config: sight.config });
    const isComplete = answer.scopes !== undefined && scopes.every(({ level }) => level === 'ok');
    return [say('accepted', { team, teamId }), isComplete ? say('complete') : undefined, scopes];
  },
};

/** Not if the app is connected: Slack gives a connection address only once a minute, and the app may need it. */
export const APP_TOKEN: Check = {
  name: 'SLACK_APP_TOKEN',
  section: 'Slack',
  words: BOT_TOKEN.words,
  async look(sight) {
    const { SLACK_APP_TOKEN: token } = sight.config;
    if (!token) return undefined;
    if ((await sight.app()).isReady) return say('connected');
    // This asks for a connection address and does not connect: auth.test refuses app-level tokens.
    const answer = await askSlack(sight, { token, method: 'apps.connections.open' });
    if (answer.kind === 'accepted') return say('appAccepted');
    return answer.kind === 'refused' ? say('appRefused', answer) : describeSilence(answer, sight);
  },
};

/** The token and the scopes of each workspace that has installed the app. Not with SLACK_BOT_TOKEN. */
export const INSTALLATIONS: Check = {
  name: 'What workspaces have installed',
  section: 'Installations',
  words: BOT_TOKEN.words,
  async look(sight) {
    const { reader, isNew } = await sight.store();
    if (sight.config.SLACK_BOT_TOKEN || (!reader && !isNew)) return undefined;
    const workspaces = ((await reader?.installations.list()) ?? []).sort();
    const { config } = sight;
    const install = `${config.PUBLIC_URL}/slack/install`;
    if (!reader || workspaces.length === 0) return say('none', { install });
    const signal = AbortSignal.timeout(LIMIT_MS);
    const looked = await mapConcurrently(workspaces.slice(0, MAX_ASKED), AT_ONCE, async (workspace) => {
      const stored = await reader.installations.get(workspace);
      return stored ? [{ workspace, answer: await ask(sight, stored, signal) }] : [];
    });
    const rest = workspaces.length - MAX_ASKED;
    return [
      summarise(looked.flat(), sight),
      looked.flat().map((one) => describeOne(one, { install, config })),
      rest > 0 ? say('leftOut', { asked: MAX_ASKED, workspaces: count(rest, 'workspace') }) : undefined,
    ];
  },
};

type Looked = { workspace: string; answer: SlackAnswer | { kind: 'locked' | 'notAllowed' | 'ended' | 'idle' } };

async function ask(sight: Sight, stored: StoredInstallation, signal: AbortSignal): Promise<Looked['answer']> {
  if (!isAllowed(sight.config.SLACK_ALLOWED_TEAMS, stored)) return { kind: 'notAllowed' };
  if (stored.rotation?.refusedAt !== undefined) return { kind: 'ended' };
  // The app exchanges an expired token before it uses it again.
  if (stored.rotation && stored.rotation.expiresAt < Date.now()) return { kind: 'idle' };
  const token = openToken(sight.config, stored);
  return token === undefined ? { kind: 'locked' } : askSlack(sight, { token, signal });
}

/** Undefined if no key opens the token. */
export function openToken({ ENCRYPTION_KEYS }: Config, stored: StoredInstallation): string | undefined {
  try {
    return openInstallation(createTokenVault(ENCRYPTION_KEYS), stored).botToken;
  } catch {
    return undefined;
  }
}

/** One finding for all accepted tokens, and one for each problem of Slack or the network. */
function summarise(looked: Looked[], sight: Sight): Found {
  const { accepted = [], fault = [], unreachable = [] } = Object.groupBy(looked, ({ answer }) => answer.kind);
  const names = accepted.map(({ workspace, answer }) => `${workspace}  ${toTeam(answer)}`);
  return [
    names.length > 0
      ? { ...say('acceptedIn', { workspaces: count(names.length, 'workspace') }), details: names }
      : undefined,
    [fault, unreachable].map(([first, ...more]) => {
      if (!first || !isSilent(first.answer)) return undefined;
      const those = [first, ...more].map(({ workspace }) => workspace).join(', ');
      return { ...describeSilence(first.answer, sight), details: [`not checked: ${those}`] };
    }),
  ];
}

function describeOne(
  { workspace, answer }: Looked,
  { install, config }: { install: string; config: ScopeConfig },
): Found {
  if (isSilent(answer)) return undefined;
  if (answer.kind === 'refused') return say('refusedIn', { workspace, code: answer.code, install });
  if (answer.kind !== 'accepted') return say(answer.kind, { workspace, install });
  const subject = `In ${toTeam(answer)} (${workspace}) the app`;
  return describeScopes(answer.scopes, {
    subject,
    reinstall: `let them install the app again at ${install}`,
    config,
  });
}

function toTeam(answer: Looked['answer']): string {
  return (answer.kind === 'accepted' && answer.body.team) || 'a workspace';
}

type ScopeConfig = Pick<Config, 'PUBLIC_URL' | 'SLACKBOT_DOOR'>;

/**
 * Compares the scopes of a token with those of the manifest. Nothing if Slack does not send them. `subject`: begins a
 * sentence about the token. `reinstall`: how to grant new scopes.
 */
function describeScopes(
  header: string | undefined,
  whose: { subject: string; reinstall: string; config: ScopeConfig },
): Finding[] {
  if (header === undefined) return [];
  const granted = header.split(',').map((scope) => scope.trim());
  const hasDoor = whose.config.SLACKBOT_DOOR === 'on';
  const publicUrl = `${hasDoor ? '--slackbot ' : ''}${whose.config.PUBLIC_URL}`;
  const { subject, reinstall } = whose;
  const wanted = toBotScopes(hasDoor);
  const missing = wanted.filter((scope) => !granted.includes(scope));
  const superfluous = granted.filter((scope) => scope !== '' && !wanted.includes(scope));
  const required = missing.filter((scope) => !(scope in OPTIONAL_SCOPES));
  return [
    ...(required.length > 0 ? [say('lacks', { subject, reinstall, publicUrl, scopes: required.join(', ') })] : []),
    ...missing.flatMap((scope) => {
      const lost = OPTIONAL_SCOPES[scope];
      return lost === undefined ? [] : [say('without', { subject, reinstall, scope, lost })];
    }),
    ...(superfluous.length > 0 ? [say('superfluous', { subject, reinstall, scopes: superfluous.join(', ') })] : []),
  ];
}
