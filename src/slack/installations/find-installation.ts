import { LRUCache } from 'lru-cache';
import { StoreUnavailableError } from '../../errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import { type FindInstallation, type Installation, UnknownWorkspaceError } from '../installation.ts';
import type { InstallationStore } from '../installation-store.ts';
import { type AllowedTeams, isAllowed } from './allowed-teams.ts';
import { openInstallation } from './sealed-installation.ts';

export type InstallationFinder = {
  find: FindInstallation;
  /** What was read of this installation is not true any more. */
  forget(workspace: string): void;
};

/** A change is announced to all replicas; one that did not hear of it goes on for this long. */
const TTL_MS = 60_000;

const MAX_KNOWN = 1_000;

/** Kept, too, that there is none. */
type Known = { installation: Installation | undefined };

/** Finds what the installation flow has stored, asking the store once a minute at most. */
export function createInstallationFinder(options: {
  installations: Pick<InstallationStore, 'get'>;
  vault: TokenVault;
  allowed: AllowedTeams;
  now(): number;
}): InstallationFinder {
  const { installations, vault, allowed, now } = options;
  const known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    // A minute later it counts as too old, which lru-cache says of what is older than its ttl.
    ttl: TTL_MS - 1,
    ttlResolution: 0,
    perf: { now },
    noDeleteOnStaleGet: true,
    ignoreFetchAbort: true,
    async fetchMethod(workspace, last, { options: kept }) {
      try {
        return { installation: await read(workspace) };
      } catch (error) {
        if (!last || !(error instanceof StoreUnavailableError)) throw error;
        // So that a listener can say that nothing could be written, rather than Slack that nobody answers. The next one
        // asks again.
        kept.ttl = 1;
        return last;
      }
    },
  });

  async function read(workspace: string): Promise<Installation | undefined> {
    const stored = await installations.get(workspace);
    return stored && isAllowed(allowed, stored) ? openInstallation(vault, stored) : undefined;
  }

  async function look(workspace: string): Promise<Installation | undefined> {
    const { installation } = known.get(workspace) ?? (await known.forceFetch(workspace));
    return installation;
  }

  return {
    async find(workspace, enterprise) {
      const own = await look(workspace);
      const found = own ?? (enterprise && enterprise !== workspace ? await look(enterprise) : undefined);
      if (!found) throw new UnknownWorkspaceError(workspace);
      return found;
    },
    forget: (workspace) => void known.delete(workspace),
  };
}
