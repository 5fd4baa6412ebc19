import type { Config } from '../config.ts';
import { mapConcurrently } from '../governance/shell/concurrency.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createTokenVault } from '../identity/token-vault.ts';
import type { StoredInstallation } from '../slack/installation.ts';
import { isAllowed, openInstallation } from '../slack/installations/find-installation.ts';
import { askSlack, type TokenAnswer } from './ask-slack.ts';
import { describeScopes } from './describe-scopes.ts';
import { count, error, type Finding, ok, warning } from './finding.ts';
import { lookAtFeedbackChannel } from './look-at-feedback-channel.ts';
import { describeFault, describeUnreachable } from './slack-fault.ts';
import type { StoreReader } from './store-reader.ts';

/** Slack lets auth.test be called hundreds of times a minute, and whoever looks has not all day. */
const MAX_ASKED = 50;
const AT_ONCE = 5;
const LIMIT_MS = 20_000;

type Looked = { workspace: string; answer: TokenAnswer | { kind: 'locked' | 'not_allowed' | 'ended' | 'idle' } };

/** The token and the scopes of each workspace that has installed the app. Not for where SLACK_BOT_TOKEN is set. */
export async function lookAtInstallations(
  config: Config,
  { list, get }: StoreReader['installations'],
  http: HttpClient,
): Promise<Finding[]> {
  const workspaces = (await list()).sort();
  if (workspaces.length === 0) return [describeNone(config.PUBLIC_URL)];
  const limit = AbortSignal.timeout(LIMIT_MS);
  const looked = await mapConcurrently(
    workspaces.slice(0, MAX_ASKED),
    AT_ONCE,
    async (workspace): Promise<Looked[]> => {
      const stored = await get(workspace);
      return stored ? [{ workspace, answer: await ask({ config, http, limit }, stored) }] : [];
    },
  );
  const feedback = await lookAtFeedback({ config, http, limit }, get);
  return [...summarise(config, looked.flat()), ...describeRest(workspaces.length - MAX_ASKED), ...feedback];
}

export function describeNone(publicUrl: string): Finding {
  return warning(`No workspace has installed the app yet. Open ${publicUrl}/slack/install, and add it to one.`);
}

type Asking = { config: Config; http: HttpClient; limit: AbortSignal };

async function ask({ config, http, limit }: Asking, stored: StoredInstallation): Promise<Looked['answer']> {
  if (!isAllowed(config.SLACK_ALLOWED_TEAMS, stored)) return { kind: 'not_allowed' };
  if (stored.rotation?.refusedAt !== undefined) return { kind: 'ended' };
  // The app exchanges it before it uses it again.
  if (stored.rotation && stored.rotation.expiresAt < Date.now()) return { kind: 'idle' };
  try {
    const { botToken } = openInstallation(createTokenVault(config.ENCRYPTION_KEYS), stored);
    return await askSlack(http, { apiUrl: config.SLACK_API_URL, botToken }, limit);
  } catch {
    return { kind: 'locked' };
  }
}

async function lookAtFeedback(
  { config, http, limit }: Asking,
  get: StoreReader['installations']['get'],
): Promise<Finding[]> {
  const team = config.FEEDBACK_CHANNEL?.team;
  if (team === undefined) return [];
  const stored = await get(team);
  if (!stored) {
    return [
      warning(
        `FEEDBACK_CHANNEL is in ${team}, where the app is not installed: install it there, or correct the value.`,
      ),
    ];
  }
  try {
    const { botToken } = openInstallation(createTokenVault(config.ENCRYPTION_KEYS), stored);
    return await lookAtFeedbackChannel(config, http, botToken, limit);
  } catch {
    // The token is reported by itself.
    return [];
  }
}

/** Those that are well in one finding, and what is Slack's trouble or the network's once, not for each. */
function summarise(config: Config, looked: Looked[]): Finding[] {
  const { accepted = [], fault = [], unreachable = [] } = Object.groupBy(looked, ({ answer }) => answer.kind);
  const [firstFault] = fault.map(({ answer }) => answer);
  const [firstSilence] = unreachable.map(({ answer }) => answer);
  return [
    ...(accepted.length > 0 ? [describeAccepted(accepted)] : []),
    ...looked.flatMap((one) => describeOne(config, one)),
    ...(firstFault?.kind === 'fault' ? [toFinding(firstFault, fault)] : []),
    ...(unreachable.length > 0
      ? [
          withNames(
            describeUnreachable(
              config.SLACK_API_URL,
              firstSilence?.kind === 'unreachable' ? firstSilence.fault : undefined,
            ),
            unreachable,
          ),
        ]
      : []),
  ];
}

function describeAccepted(accepted: Looked[]): Finding {
  const names = accepted.map(({ workspace, answer }) =>
    answer.kind === 'accepted' ? `${workspace}  ${answer.team}` : workspace,
  );
  return ok(`Slack accepts the app's token in ${count(accepted.length, 'workspace')}:`, names);
}

function describeOne({ PUBLIC_URL }: Config, { workspace, answer }: Looked): Finding[] {
  const install = `${PUBLIC_URL}/slack/install`;
  switch (answer.kind) {
    case 'accepted': {
      const subject = `In ${answer.team} (${workspace}) the app`;
      const reinstall = `let them install the app again at ${install}`;
      return answer.scopes ? describeScopes(answer.scopes, { subject, reinstall, publicUrl: PUBLIC_URL }) : [];
    }
    case 'refused':
      return [
        error(
          `Slack does not accept the token of ${workspace} (${answer.code}): nobody there is answered. They have to install the app again at ${install}.`,
        ),
      ];
    case 'ended':
      return [
        error(
          `Slack takes the refresh token of ${workspace} no more, so its token cannot be exchanged. They have to install the app again at ${install}; until the old token expires they are still answered.`,
        ),
      ];
    case 'idle':
      return [
        ok(`The token of ${workspace} has expired, as tokens that rotate do. The app exchanges it when it is needed.`),
      ];
    case 'locked':
      return [error(`The token of ${workspace} cannot be opened: see the encryption keys. Nobody there is answered.`)];
    case 'not_allowed':
      return [
        warning(
          `${workspace} has installed the app, but SLACK_ALLOWED_TEAMS does not name it: nobody there is answered. Add it and restart, or let them remove the app.`,
        ),
      ];
    default:
      return [];
  }
}

function toFinding({ code, retryAfterSeconds }: Extract<TokenAnswer, { kind: 'fault' }>, looked: Looked[]): Finding {
  return withNames(describeFault(code, retryAfterSeconds), looked);
}

function withNames(finding: Finding, looked: Looked[]): Finding {
  return { ...finding, details: [`not looked at: ${looked.map(({ workspace }) => workspace).join(', ')}`] };
}

function describeRest(rest: number): Finding[] {
  return rest > 0 ? [ok(`The first ${MAX_ASKED} were looked at, and ${count(rest, 'workspace')} more left out.`)] : [];
}
