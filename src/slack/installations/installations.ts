import type { Routes } from '../../http/public-server.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import { createTokenVault, type EncryptionKey } from '../../identity/token-vault.ts';
import type { Log } from '../../log.ts';
import {
  type FindInstallation,
  type Installation,
  type InstallationStore,
  UnknownWorkspaceError,
} from '../installation.ts';
import type { CallSlack } from '../web/methods.ts';
import { type AllowedTeams, createInstallationFinder } from './find-installation.ts';
import { createInstallRoutes } from './install-routes.ts';
import { createInstallState, createOAuthInstallationStore, withdraw } from './oauth-installation-store.ts';
import {
  checkToken,
  createUninstall,
  reconcileInstallations,
  toOnlyStanding,
  toStoredStandings,
  type Uninstall,
} from './uninstall.ts';

/** Where the app is installed, and how that changes. */
export type Installations = {
  find: FindInstallation;
  /** What was read of an installation is not true any more: this or another replica has changed it. */
  forget(workspace: string): void;
  /** What follows when Slack says that the app was uninstalled. */
  uninstall: Uninstall;
  /** Ends what has ended without our hearing of it. To be called now and then; `stopping` ends it early. */
  reconcile(stopping: AbortSignal): Promise<void>;
  /** The pages on which workspaces install the app; none where it is in the one of SLACK_BOT_TOKEN. */
  routes: Routes;
};

type Common = {
  call: CallSlack;
  /** Removes all that is kept of a workspace but its installation. */
  purge(workspace: string): Promise<number>;
  log: Log;
};

/** The app in the one installation that SLACK_BOT_TOKEN is of. */
export function createOnlyInstallation(options: Common & { installation: Installation }): Installations {
  const { installation, call, log } = options;
  return {
    find: findOnly(installation),
    forget: () => undefined,
    uninstall: createUninstall({
      ...options,
      standings: toOnlyStanding(installation, log),
      checkToken: (token) => checkToken(token, call),
      onChanged: () => undefined,
    }),
    // Without a token that works the app does not even start.
    reconcile: async () => undefined,
    routes: {},
  };
}

/** The app in every workspace that installs it. */
export function createInstallations(
  options: Common & {
    installations: InstallationStore;
    once: ExpiringStore;
    encryptionKeys: readonly EncryptionKey[];
    allowed: AllowedTeams;
    publicUrl: string;
    clientId: string;
    clientSecret: string;
    /** SLACK_API_URL with its slash at the end. */
    apiUrl: string;
    /** Tells all replicas, this one included, to `forget` an installation. */
    announce(workspace: string): void;
    now(): number;
  },
): Installations {
  const { installations, once, call, announce, now, log } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const finder = createInstallationFinder({ ...options, vault });
  const onChanged = (workspace: string) => {
    finder.forget(workspace);
    announce(workspace);
  };
  const uninstall = createUninstall({
    ...options,
    standings: toStoredStandings(installations, vault),
    checkToken: (token) => checkToken(token, call),
    onChanged,
  });
  return {
    ...finder,
    uninstall,
    reconcile: async (stopping) => reconcileInstallations(await installations.list(), { uninstall, stopping, log }),
    routes: createInstallRoutes({
      ...options,
      stateStore: createInstallState(once, now),
      installationStore: createOAuthInstallationStore({
        ...options,
        vault,
        withdraw: (token) => withdraw(token, options),
        onChanged,
      }),
    }),
  };
}

/** The one installation that SLACK_BOT_TOKEN is of. Anything that names another is none of ours. */
export function findOnly(installation: Installation): FindInstallation {
  return async (workspace, enterprise) => {
    if (workspace === installation.workspace || enterprise === installation.workspace) return installation;
    throw new UnknownWorkspaceError(workspace);
  };
}
