import { TransientError } from '../../errors.ts';
import { TokenKeyUnknownError, TokenUnreadableError } from '../../identity/identity-errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import type { Installation, InstallationStore } from '../installation.ts';
import type { CallSlack } from '../web/methods.ts';
import { readRefusal, SlackUnavailableError } from '../web/slack-errors.ts';
import { openInstallation } from './find-installation.ts';

/** The app was uninstalled, or its token revoked. `endedAt`: epoch ms, in whole seconds. */
type EndedInstallation = { workspace: string; endedAt: number; isLastTry: boolean };

/**
 * Removes an installation that has ended, and everything we keep of its workspace. Keeps one that has not ended. Throws a
 * TransientError if that is not clear yet: try again.
 */
export type Uninstall = (ended: EndedInstallation) => Promise<'uninstalled' | 'kept'>;

/** Before any installation, so that only the state of the token counts. */
export const LONG_AGO = 0;

/** `installedAt`: epoch ms. `botToken`: undefined if it cannot be decrypted, so that Slack cannot be asked about it. */
type Standing = { installedAt: number; botToken: string | undefined };

/** Reads and removes the current installation of a workspace. */
export type Standings = {
  read(workspace: string): Promise<Standing | undefined>;
  /** False: there is a newer one. */
  remove(workspace: string, standing: Standing): Promise<boolean>;
};

/** `revoked`: permanently. `refused`: it does not work now, for another reason. */
export type TokenState = 'works' | 'revoked' | 'refused';

export type UninstallPorts = {
  standings: Standings;
  checkToken(botToken: string): Promise<TokenState>;
  /** Removes everything else we keep of a workspace; returns how many records. */
  purge(workspace: string): Promise<number>;
  onChanged(workspace: string): void;
  log: Log;
};

/** Below the three seconds that Slack waits for the acknowledgement of the event. */
const TIMEOUT_MS = 1_500;

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const REVOKED = new Set(['account_inactive', 'token_revoked']);

export function createUninstall(ports: UninstallPorts): Uninstall {
  const { standings, checkToken, purge, onChanged, log } = ports;
  return async ({ workspace, endedAt, isLastTry }) => {
    const standing = await standings.read(workspace);
    if (standing) {
      const token = standing.botToken === undefined ? 'refused' : await checkToken(standing.botToken);
      // Slack's time is in whole seconds.
      const verdict = judge({ token, isNewer: endedAt + 999 >= standing.installedAt, isLastTry });
      if (verdict === 'ask_again')
        throw new TransientError('still_installed', 'the token of an ended installation works');
      if (verdict === 'keep' || !(await isGone(standings, workspace, standing))) return 'kept';
    }
    // Even without an installation: an earlier run may have crashed before the purge. Stop new records before the purge.
    onChanged(workspace);
    const records = await purge(workspace);
    if (standing || records > 0) log.info({ workspace, records }, 'uninstalled');
    return 'uninstalled';
  };
}

/**
 * Checks all installations, because events can be lost, and removes those whose token Slack has revoked. When the app is
 * stopping, the rest is checked the next time.
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
      log.warn({ workspace, err: error }, 'installation not checked');
    }
  }
}

/**
 * Slack sends these events in any order, late, and even after the app was installed again: only the state of the token is
 * certain. If it works although the event is newer than the installation, it may be about to end, or was just issued
 * again. Slack resends the event, and then it is clear.
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

/** For stored installations. */
export function toStoredStandings(installations: InstallationStore, vault: TokenVault): Standings {
  return {
    async read(workspace) {
      const stored = await installations.get(workspace);
      return stored && { installedAt: stored.installedAt, botToken: openToken(() => openInstallation(vault, stored)) };
    },
    remove: (workspace, { installedAt }) => installations.remove(workspace, installedAt),
  };
}

/** For the installation of SLACK_BOT_TOKEN: it cannot be removed, only replaced by the operator. */
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

/** Asks Slack whether a bot token still works. Throws SlackUnavailableError if Slack does not answer. */
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

/** Whether it was removed, by us or by the other event of the same uninstallation. Not if there is a newer one. */
async function isGone(standings: Standings, workspace: string, standing: Standing): Promise<boolean> {
  return (await standings.remove(workspace, standing)) || (await standings.read(workspace)) === undefined;
}

function openToken(open: () => Installation): string | undefined {
  try {
    return open().botToken;
  } catch (error) {
    if (error instanceof TokenUnreadableError || error instanceof TokenKeyUnknownError) return undefined;
    throw error;
  }
}
