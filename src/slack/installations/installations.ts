import type { Routes } from '../../http/public-server.ts';
import type { EncryptionKey } from '../../identity/encryption-keys.ts';
import { createTokenVault } from '../../identity/token-vault.ts';
import { createLocalLock, type WithLock } from '../../with-lock.ts';
import { type FindInstallation, type Installation, UnknownWorkspaceError } from '../installation.ts';
import type { CallSlack } from '../web/methods.ts';
import { createInstallationFinder } from './find-installation.ts';
import { createInstallRoutes } from './install-routes.ts';
import type { InstallationServices, InstallationUses } from './installation-services.ts';
import { createOAuthInstallationStore } from './oauth-installation-store.ts';
import { createTokenOwners, createTokenRefresh, withSuccessors } from './token-rotation.ts';
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
  /** As `call`, but repeats a call with the new token if the token was exchanged meanwhile. */
  call: CallSlack;
  /** The pages to install the app; none with SLACK_BOT_TOKEN. */
  routes: Routes;
};

/** Tells all replicas, this one included, to `forget` an installation and what they know of its workspace. */
type Announce = { announce(workspace: string): void };

/** For the one installation of SLACK_BOT_TOKEN. */
export function createOnlyInstallation(
  options: InstallationUses<'call' | 'purge' | 'log'> & Announce & { installation: Installation },
): Installations {
  const { installation, call, announce, log } = options;
  return {
    find: findOnly(installation),
    // SLACK_BOT_TOKEN does not rotate.
    call,
    forget: () => undefined,
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
  const { installations, call, announce, log, withLock = createLocalLock() } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const onChanged = (workspace: string) => {
    finder.forget(workspace);
    announce(workspace);
  };
  const owners = createTokenOwners();
  const finder = createInstallationFinder({
    ...options,
    vault,
    refreshToken: createTokenRefresh({ ...options, vault, withLock, onChanged }),
    noteToken: (token, workspace) => void owners.set(token, workspace),
  });
  const uninstall = createUninstall({
    ...options,
    standings: toStoredStandings(installations, vault),
    withLock,
    onChanged,
  });
  return {
    ...finder,
    call: withSuccessors(call, { ...finder, owners }),
    uninstall,
    reconcile: async (stopping) => reconcileInstallations(await installations.list(), { uninstall, stopping, log }),
    routes: createInstallRoutes({
      ...options,
      vault,
      installationStore: createOAuthInstallationStore({ ...options, vault, onChanged }),
    }),
  };
}

/** Finds the installation of SLACK_BOT_TOKEN and no other. */
function findOnly(installation: Installation): FindInstallation {
  return async (workspace, enterprise) => {
    if (workspace === installation.workspace || enterprise === installation.workspace) return installation;
    throw new UnknownWorkspaceError(workspace);
  };
}
