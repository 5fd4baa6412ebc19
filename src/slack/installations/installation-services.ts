import type { TokenVault } from '../../identity/token-vault.ts';
import type { WithLock } from '../../with-lock.ts';
import type { InstallationStore } from '../installation.ts';
import type { Uses } from '../services.ts';
import type { CallWithToken } from '../web/methods.ts';

/** What is needed to find, add and remove installations. Users name the ones they need, as with SlackServices. */
export type InstallationServices = Uses<'apiUrl' | 'http' | 'once' | 'now' | 'log'> & {
  callWithToken: CallWithToken;
  installations: InstallationStore;
  vault: TokenVault;
  /** SLACK_ALLOWED_TEAMS: the ids of the teams and enterprises that the app may be installed in. */
  allowed: readonly string[];
  publicUrl: string;
  hasSlackbotDoor: boolean;
  clientId: string;
  clientSecret: string;
  /** One task at a time per workspace, across replicas. */
  withLock: WithLock;
  /** Called after an installation was stored, changed or removed, and before `purge`. */
  onChanged(workspace: string): void;
  /** Removes everything that we keep of a workspace except its installation. Returns how many records. */
  purge(workspace: string): Promise<number>;
};

export type InstallationUses<Name extends keyof InstallationServices> = Pick<InstallationServices, Name>;
