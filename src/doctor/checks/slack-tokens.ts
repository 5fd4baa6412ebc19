import type { Config } from '../../config.ts';
import { mapConcurrently } from '../../governance/shell/concurrency.ts';
import { createTokenVault } from '../../identity/token-vault.ts';
import type { StoredInstallation } from '../../slack/installation.ts';
import { OPTIONAL_SCOPES, toBotScopes } from '../../slack/installations/bot-scopes.ts';
import { isAllowed, openInstallation } from '../../slack/installations/find-installation.ts';
import { askSlack, describeSilence, isSilent, SILENCE_WORDS, type SlackAnswer } from '../ask-slack.ts';
import { type Check, type Found, type Sight, speak } from '../check.ts';
import { count, type Finding } from '../finding.ts';
import { lookAtAddress } from './services.ts';

/** Slack lets auth.test be called hundreds of times a minute, and whoever looks has not all day. */
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
    '! {subject} was not granted the optional scope {scope}: {lost}. If nobody misses that, leave it; else add the scope under OAuth & Permissions → Scopes, and {reinstall}.',
  superfluous:
    '✓ {subject} also has {scopes}, which is not used. To grant less, remove it under OAuth & Permissions → Scopes, and {reinstall}.',
  none: '! No workspace has installed the app yet. Open {install}, and add it to one.',
  refused:
    '✗ Slack does not accept SLACK_BOT_TOKEN ({code}). Copy it again from OAuth & Permissions → Bot User OAuth Token.',
  refusedIn:
    '✗ Slack does not accept the token of {workspace} ({code}): nobody there is answered. They have to install the app again at {install}.',
  ended:
    '✗ Slack takes the refresh token of {workspace} no more, so its token cannot be exchanged. They have to install the app again at {install}; until the old token expires they are still answered.',
  idle: '✓ The token of {workspace} has expired, as tokens that rotate do. The app exchanges it when it is needed.',
  locked: '✗ The token of {workspace} cannot be opened: see the encryption keys. Nobody there is answered.',
  notAllowed:
    '! {workspace} has installed the app, but SLACK_ALLOWED_TEAMS does not name it: nobody there is answered. Add it and restart, or let them remove the app.',
  leftOut: '✓ The first {asked} were looked at, and {workspaces} more left out.',
  connected: '✓ The app is connected to Slack (Socket Mode).',
  appAccepted: '✓ Slack accepts SLACK_APP_TOKEN.',
  appRefused:
    '✗ Slack does not accept SLACK_APP_TOKEN ({code}). Copy it again from Basic Information → App-Level Tokens, where it needs the scope connections:write.',
});

/** Whether Slack accepts SLACK_BOT_TOKEN, with which scopes. Without one only whether Slack is there. */
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

/** Slack lets an address be asked for once a minute, and the app may need it: so not where the app is connected. */
export const APP_TOKEN: Check = {
  name: 'SLACK_APP_TOKEN',
  section: 'Slack',
  words: BOT_TOKEN.words,
  async look(sight) {
    const { SLACK_APP_TOKEN: token } = sight.config;
    if (!token) return undefined;
    if ((await sight.app()).isReady) return say('connected');
    // For the address of a connection, which is not opened: auth.test refuses app-level tokens.
    const answer = await askSlack(sight, { token, method: 'apps.connections.open' });
    if (answer.kind === 'accepted') return say('appAccepted');
    return answer.kind === 'refused' ? say('appRefused', answer) : describeSilence(answer, sight);
  },
};

/** The token and the scopes of each workspace that has installed the app. Not where SLACK_BOT_TOKEN is set. */
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
  // The app exchanges it before it uses it again.
  if (stored.rotation && stored.rotation.expiresAt < Date.now()) return { kind: 'idle' };
  const token = openToken(sight.config, stored);
  return token === undefined ? { kind: 'locked' } : askSlack(sight, { token, signal });
}

/** Undefined where no key opens it. */
export function openToken({ ENCRYPTION_KEYS }: Config, stored: StoredInstallation): string | undefined {
  try {
    return openInstallation(createTokenVault(ENCRYPTION_KEYS), stored).botToken;
  } catch {
    return undefined;
  }
}

/** Those that are well in one finding, and what is Slack's trouble or the network's once, not for each. */
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
      return { ...describeSilence(first.answer, sight), details: [`not looked at: ${those}`] };
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
 * What a token may do, against what the manifest asks for; nothing where Slack does not tell. `subject`: whose scopes they
 * are, as a sentence begins. `reinstall`: how the new ones are granted.
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
