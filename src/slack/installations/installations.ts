import type { Routes } from '../../http/public-server.ts';
import type { EncryptionKey } from '../../identity/encryption-keys.ts';
import { createTokenVault } from '../../identity/token-vault.ts';
import { createLocalLock, type WithLock } from '../../with-lock.ts';
import { type FindInstallation, type Installation, UnknownWorkspaceError } from '../installation.ts';
import type { CallSlack, CallWithToken } from '../web/methods.ts';
import { isSlackError } from '../web/slack-errors.ts';
import { createInstallationFinder } from './find-installation.ts';
import { createInstallRoutes } from './install-routes.ts';
import type { InstallationServices, InstallationUses } from './installation-services.ts';
import { createOAuthInstallationStore } from './oauth-installation-store.ts';
import { createTokenRefresh } from './token-rotation.ts';
import {
  createUninstall,
  reconcileInstallations,
  toOnlyStanding,
  toStoredStandings,
  type Uninstall,
} from './uninstall.ts';

/** Where the app is installed: finding, adding and removing installations. */
export type Installations = {
  find: FindInstallation;
  /** Drops a cached installation, which this or another replica has changed. */
  forget(workspace: string): void;
  /** To be called when Slack says that the app was uninstalled. */
  uninstall: Uninstall;
  /** Removes installations that ended without an event. To be called now and then; `stopping` aborts it. */
  reconcile(stopping: AbortSignal): Promise<void>;
  call: CallSlack;
  /** The pages to install the app; none with SLACK_BOT_TOKEN. */
  routes: Routes;
};

/** Tells all replicas, this one included, to `forget` an installation and what they know of its workspace. */
type Announce = { announce(workspace: string): void };

/** For the one installation of SLACK_BOT_TOKEN. */
export function createOnlyInstallation(
  options: InstallationUses<'callWithToken' | 'purge' | 'log'> & Announce & { installation: Installation },
): Installations {
  const { installation, callWithToken, announce, log } = options;
  const finder = { find: findOnly(installation), forget: () => undefined };
  return {
    ...finder,
    call: toCallSlack(callWithToken, finder),
    uninstall: createUninstall({
      ...options,
      standings: toOnlyStanding(installation, log),
      onChanged: announce,
    }),
    // The app does not start without a working token.
    reconcile: async () => undefined,
    routes: {},
  };
}

/** For all workspaces that install the app. */
export function createInstallations(
  options: Omit<InstallationServices, 'vault' | 'withLock' | 'onChanged'> &
    Announce & { encryptionKeys: readonly EncryptionKey[]; withLock: WithLock | undefined },
): Installations {
  const { installations, callWithToken, announce, log, withLock = createLocalLock() } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const onChanged = (workspace: string) => {
    finder.forget(workspace);
    announce(workspace);
  };
  const finder = createInstallationFinder({
    ...options,
    vault,
    refreshToken: createTokenRefresh({ ...options, vault, withLock, onChanged }),
  });
  const uninstall = createUninstall({
    ...options,
    standings: toStoredStandings(installations, vault),
    withLock,
    onChanged,
  });
  return {
    ...finder,
    call: toCallSlack(callWithToken, finder),
    uninstall,
    reconcile: async (stopping) => reconcileInstallations(await installations.list(), { uninstall, stopping, log }),
    routes: createInstallRoutes({
      ...options,
      vault,
      installationStore: createOAuthInstallationStore({ ...options, vault, onChanged }),
    }),
  };
}

/** Slack's codes for a token that was exchanged, or replaced by a new installation. Such a call was not processed. */
const SUPERSEDED = ['token_expired', 'token_revoked', 'invalid_auth'];

/** Calls with the token of the workspace: if another one has replaced it meanwhile, once more with that. */
export function toCallSlack(
  callWithToken: CallWithToken,
  { find, forget }: Pick<Installations, 'find' | 'forget'>,
): CallSlack {
  return async (method, workspace, ...rest) => {
    const installation = await find(workspace);
    try {
      return await callWithToken(method, installation, ...rest);
    } catch (error) {
      if (!isSlackError(error, ...SUPERSEDED)) throw error;
      forget(installation.workspace);
      const current = await find(workspace).catch(() => installation);
      if (current.botToken === installation.botToken) throw error;
      return callWithToken(method, current, ...rest);
    }
  };
}

/** Finds the installation of SLACK_BOT_TOKEN and no other. */
function findOnly(installation: Installation): FindInstallation {
  return async (workspace, enterprise) => {
    if (workspace === installation.workspace || enterprise === installation.workspace) return installation;
    throw new UnknownWorkspaceError(workspace);
  };
}
