import { TransientError } from '../../errors.ts';
import { TokenKeyUnknownError, TokenUnreadableError } from '../../identity/identity-errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import type { Installation, InstallationStore } from '../installation.ts';
import type { CallSlack } from '../web/methods.ts';
import { readRefusal, SlackUnavailableError } from '../web/slack-errors.ts';
import { openInstallation } from './find-installation.ts';

/** Slack says that the app was uninstalled, or its token revoked. `endedAt`: epoch ms, to the second. */
type EndedInstallation = { workspace: string; endedAt: number; isLastTry: boolean };

/**
 * Removes an installation that has ended, and all that is kept of its workspace; of one that has not, nothing. Throws a
 * TransientError where that cannot be told now: ask again.
 */
export type Uninstall = (ended: EndedInstallation) => Promise<'uninstalled' | 'kept'>;

/** Older than any installation: only what Slack says of the token counts. */
export const LONG_AGO = 0;

/** `installedAt`: epoch ms. Without a token Slack cannot be asked whether it works. */
type Standing = { installedAt: number; botToken: string | undefined };

/** What there is to end, and how. */
export type Standings = {
  read(workspace: string): Promise<Standing | undefined>;
  /** False: there is a newer one by now. */
  remove(workspace: string, standing: Standing): Promise<boolean>;
};

export type UninstallPorts = {
  standings: Standings;
  checkToken(botToken: string): Promise<TokenState>;
  /** Removes everything else that is kept of a workspace; returns how many records. */
  purge(workspace: string): Promise<number>;
  onChanged(workspace: string): void;
  log: Log;
};

export function createUninstall(ports: UninstallPorts): Uninstall {
  const { standings, checkToken, purge, onChanged, log } = ports;
  return async ({ workspace, endedAt, isLastTry }) => {
    const standing = await standings.read(workspace);
    if (standing) {
      const token = standing.botToken === undefined ? 'refused' : await checkToken(standing.botToken);
      // Slack tells whole seconds.
      const verdict = judge({ token, isNewer: endedAt + 999 >= standing.installedAt, isLastTry });
      if (verdict === 'ask_again')
        throw new TransientError('still_installed', 'the token of an ended installation works');
      if (verdict === 'keep' || !(await isGone(standings, workspace, standing))) return 'kept';
    }
    // Also without one: whoever removed it may have died before the rest was gone. First nothing new, then nothing old.
    onChanged(workspace);
    const records = await purge(workspace);
    if (standing || records > 0) log.info({ workspace, records }, 'uninstalled');
    return 'uninstalled';
  };
}

/**
 * Looks after all installations, because events can be lost: one that Slack says is over is removed. `endedAt` is long
 * ago, so that nothing less will do. Where the app is stopping, the rest has time until the next look.
 */
export async function reconcileInstallations(
  workspaces: readonly string[],
  { uninstall, stopping, log }: { uninstall: Uninstall; stopping: AbortSignal; log: Log },
): Promise<void> {
  for (const workspace of workspaces) {
    if (stopping.aborted) return;
    try {
      await uninstall({ workspace, endedAt: LONG_AGO, isLastTry: true });
    } catch (error) {
      log.warn({ workspace, err: error }, 'installation not reviewed');
    }
  }
}

/** Removed by us or, a moment ago, by the twin of this event; not where there is a newer one. */
async function isGone(standings: Standings, workspace: string, standing: Standing): Promise<boolean> {
  return (await standings.remove(workspace, standing)) || (await standings.read(workspace)) === undefined;
}

/**
 * Slack sends these events in any order, late, and also after the app was installed again: only what Slack says of the
 * token now is certain. A token that works although the news is younger than the installation may be about to end, or
 * was just given out anew: Slack sends the event again, and then it is clear.
 */
export function judge(facts: {
  token: TokenState;
  isNewer: boolean;
  isLastTry: boolean;
}): 'remove' | 'keep' | 'ask_again' {
  if (facts.token === 'revoked') return 'remove';
  if (!facts.isNewer) return 'keep';
  if (facts.token === 'refused') return 'remove';
  return facts.isLastTry ? 'keep' : 'ask_again';
}

/** What the installation flow has stored. */
export function toStoredStandings(installations: InstallationStore, vault: TokenVault): Standings {
  return {
    async read(workspace) {
      const stored = await installations.get(workspace);
      return stored && { installedAt: stored.installedAt, botToken: openToken(() => openInstallation(vault, stored)) };
    },
    remove: (workspace, { installedAt }) => installations.remove(workspace, installedAt),
  };
}

/** The one that SLACK_BOT_TOKEN is of: it cannot be removed, only replaced by the operator. */
export function toOnlyStanding({ workspace: only, botToken }: Installation, log: Log): Standings {
  return {
    read: async (workspace) => (workspace === only ? { installedAt: LONG_AGO, botToken } : undefined),
    async remove(workspace) {
      log.error(
        { workspace },
        'the app was uninstalled: install it again, set SLACK_BOT_TOKEN to the new token, restart',
      );
      return true;
    },
  };
}

function openToken(open: () => Installation): string | undefined {
  try {
    return open().botToken;
  } catch (error) {
    if (error instanceof TokenUnreadableError || error instanceof TokenKeyUnknownError) return undefined;
    throw error;
  }
}

/** `revoked`: Slack says that it is over. `refused`: it does not work now, for whatever reason. */
export type TokenState = 'works' | 'revoked' | 'refused';

/** Slack waits three seconds for the acknowledgement of the event that this is asked for. */
const TIMEOUT_MS = 1_500;

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const REVOKED = new Set(['account_inactive', 'token_revoked']);

/** Asks Slack whether a bot token still works. Throws SlackUnavailableError: nobody knows. */
export async function checkToken(botToken: string, call: CallSlack): Promise<TokenState> {
  try {
    await call('auth.test', botToken, {}, 'answer', AbortSignal.timeout(TIMEOUT_MS));
    return 'works';
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === undefined) throw new SlackUnavailableError('auth.test', { cause: error });
    return REVOKED.has(refusal) ? 'revoked' : 'refused';
  }
}
