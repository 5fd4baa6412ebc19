import type { Config } from '../../src/config.ts';
import { mapConcurrently } from '../../src/governance/shell/concurrency.ts';
import { createTokenVault } from '../../src/identity/token-vault.ts';
import type { StoredInstallation } from '../../src/slack/installation.ts';
import { isAllowed, openInstallation } from '../../src/slack/installations/find-installation.ts';
import { askSlack, type TokenAnswer } from './ask-slack.ts';
import { describeScopes } from './describe-scopes.ts';
import { count, error, type Finding, ok, warning } from './finding.ts';
import { inspectClock } from './look-at-slack.ts';
import { describeFault, describeUnreachable } from './slack-fault.ts';
import type { StoreReader } from './store-reader.ts';

/** Slack lets auth.test be called hundreds of times a minute, and whoever looks has not all day. */
const MAX_ASKED = 50;
const AT_ONCE = 5;
const LIMIT_MS = 20_000;

type Looked = { workspace: string; answer: TokenAnswer | { kind: 'locked' } | { kind: 'not_allowed' } };

/** The token and the scopes of each workspace that has installed the app. Not for where SLACK_BOT_TOKEN is set. */
export async function lookAtInstallations(
  config: Config,
  { list, get }: StoreReader['installations'],
): Promise<Finding[]> {
  const workspaces = (await list()).sort();
  if (workspaces.length === 0) return [describeNone(config.PUBLIC_URL)];
  const limit = AbortSignal.timeout(LIMIT_MS);
  const looked = await mapConcurrently(
    workspaces.slice(0, MAX_ASKED),
    AT_ONCE,
    async (workspace): Promise<Looked[]> => {
      const stored = await get(workspace);
      return stored ? [{ workspace, answer: await ask(config, stored, limit) }] : [];
    },
  );
  return [...summarise(config, looked.flat()), ...describeRest(workspaces.length - MAX_ASKED)];
}

export function describeNone(publicUrl: string): Finding {
  return warning(`No workspace has installed the app yet. Open ${publicUrl}/slack/install, and add it to one.`);
}

async function ask(config: Config, stored: StoredInstallation, limit: AbortSignal): Promise<Looked['answer']> {
  if (!isAllowed(config.SLACK_ALLOWED_TEAMS, stored)) return { kind: 'not_allowed' };
  try {
    const { botToken } = openInstallation(createTokenVault(config.ENCRYPTION_KEYS), stored);
    return await askSlack(config.SLACK_API_URL, botToken, limit);
  } catch {
    return { kind: 'locked' };
  }
}

/** Those that are well in one finding, and what is Slack's trouble or the network's once, not for each. */
function summarise(config: Config, looked: Looked[]): Finding[] {
  const { accepted = [], fault = [], unreachable = [] } = Object.groupBy(looked, ({ answer }) => answer.kind);
  const dates = accepted.flatMap(({ answer }) => (answer.kind === 'accepted' ? [answer.date] : []));
  const [firstFault] = fault.map(({ answer }) => answer);
  return [
    ...(accepted.length > 0 ? [describeAccepted(accepted)] : []),
    ...looked.flatMap((one) => describeOne(config, one)),
    ...(firstFault?.kind === 'fault' ? [toFinding(firstFault, fault)] : []),
    ...(unreachable.length > 0 ? [withNames(describeUnreachable(config.SLACK_API_URL), unreachable)] : []),
    ...(dates[0] === undefined ? [] : inspectClock(dates[0])),
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
