import { TransientError } from '../../errors.ts';
import { TokenKeyUnknownError, TokenUnreadableError } from '../../identity/identity-errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import type { WithLock } from '../../with-lock.ts';
import type { Installation, InstallationStore } from '../installation.ts';
import type { CallWithToken, Credentials } from '../web/methods.ts';
import { readRefusal, SlackUnavailableError } from '../web/slack-errors.ts';
import { openInstallation } from './find-installation.ts';
import type { InstallationUses } from './installation-services.ts';
import { toLockKey } from './token-rotation.ts';

/**
 * The app was uninstalled, or its token revoked. `endedAt`: epoch ms, in whole seconds. `isUninstalled`: Slack says that the
 * app is gone, not only that tokens were revoked.
 */
type EndedInstallation = { workspace: string; endedAt: number; isLastTry: boolean; isUninstalled?: boolean };

/**
 * Removes an installation that has ended, and everything we keep of its workspace. Keeps one that has not ended. Throws a
 * TransientError if that is not clear yet: try again.
 */
export type Uninstall = (ended: EndedInstallation) => Promise<'uninstalled' | 'kept'>;

/** Before any installation, so that only the state of the token counts. */
export const LONG_AGO = 0;

/** `installedAt`: epoch ms. `botToken`: undefined if it cannot be decrypted, so that Slack cannot be asked about it. */
type Standing = { installedAt: number; botToken: string | undefined; isRotating?: boolean };

/** Reads and removes the current installation of a workspace. */
export type Standings = {
  read(workspace: string): Promise<Standing | undefined>;
  /** False: there is a newer one. */
  remove(workspace: string, standing: Standing): Promise<boolean>;
};

/**
 * `gone`: the installation has ended. `revoked`: the same, but a rotating token may only have been exchanged. `refused`:
 * the token does not work now, for another reason.
 */
type TokenState = 'works' | 'gone' | 'revoked' | 'refused';

/** `withLock`: needed if tokens rotate. */
type UninstallPorts = InstallationUses<'callWithToken' | 'purge' | 'onChanged' | 'log'> & {
  standings: Standings;
  withLock?: WithLock;
};

/** Below the three seconds that Slack waits for the acknowledgement of the event. */
const TIMEOUT_MS = 1_500;

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const ENDED: Record<string, TokenState> = { account_inactive: 'gone', token_revoked: 'revoked' };

export function createUninstall(ports: UninstallPorts): Uninstall {
  const { standings, callWithToken, purge, onChanged, log } = ports;
  const withLock: WithLock = ports.withLock ?? ((_, run) => run());

  /** Removes the installation if it has ended. */
  async function end({ workspace, endedAt, ...news }: EndedInstallation): Promise<'none' | 'removed' | 'kept'> {
    const standing = await standings.read(workspace);
    if (!standing) return 'none';
    const { botToken } = standing;
    const token = botToken === undefined ? 'refused' : await checkToken({ workspace, botToken }, callWithToken);
    // Slack's time is in whole seconds.
    const isNewer = endedAt + 999 >= standing.installedAt;
    const verdict = judge({ ...news, token, isNewer, isRotating: standing.isRotating });
    if (verdict === 'ask_again')
      throw new TransientError('still_installed', 'the token of an ended installation works');
    return verdict === 'remove' && (await isGone(standings, workspace, standing)) ? 'removed' : 'kept';
  }

  return async (ended) => {
    const { workspace } = ended;
    const outcome = await withLock(toLockKey(workspace), () => end(ended));
    if (outcome === 'kept') return 'kept';
    // Even without an installation: an earlier run may have crashed before the purge. Stop new records before the purge.
    onChanged(workspace);
    const records = await purge(workspace);
    if (outcome === 'removed' || records > 0) log.info({ workspace, records }, 'uninstalled');
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
 * again. Slack resends the event, and then it is clear. If tokens rotate, the revoked one may be an earlier one.
 */
function judge(facts: {
  token: TokenState;
  isNewer: boolean;
  isLastTry: boolean;
  isRotating?: boolean | undefined;
  isUninstalled?: boolean | undefined;
}): 'remove' | 'keep' | 'ask_again' {
  const { token, isNewer, isLastTry, isRotating = false, isUninstalled = false } = facts;
  if (token === 'gone' || (token === 'revoked' && !isRotating)) return 'remove';
  if (!isNewer) return 'keep';
  if (token === 'works') return isLastTry ? 'keep' : 'ask_again';
  return isRotating && !isUninstalled ? 'keep' : 'remove';
}

/** For stored installations. */
export function toStoredStandings(installations: InstallationStore, vault: TokenVault): Standings {
  return {
    async read(workspace) {
      const stored = await installations.get(workspace);
      return (
        stored && {
          installedAt: stored.installedAt,
          botToken: openToken(() => openInstallation(vault, stored)),
          isRotating: stored.rotation !== undefined,
        }
      );
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
async function checkToken(bot: Credentials, callWithToken: CallWithToken): Promise<TokenState> {
  try {
    await callWithToken('auth.test', bot, {}, 'answer', AbortSignal.timeout(TIMEOUT_MS));
    return 'works';
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal === undefined) throw new SlackUnavailableError('auth.test', { cause: error });
    return ENDED[refusal] ?? 'refused';
  }
}

/** Whether it was removed, by us or by the other event of the same uninstallation. False if there is a newer one. */
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
