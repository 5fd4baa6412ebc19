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

type Known = { installation: Installation | undefined; readAt: number };

/** Finds what the installation flow has stored, asking the store once a minute at most. */
export function createInstallationFinder(options: {
  installations: Pick<InstallationStore, 'get'>;
  vault: TokenVault;
  allowed: AllowedTeams;
  now(): number;
}): InstallationFinder {
  const { installations, vault, allowed, now } = options;
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  const inFlight = new Map<string, Promise<Installation | undefined>>();

  async function read(workspace: string): Promise<Installation | undefined> {
    const stored = await installations.get(workspace);
    return stored && isAllowed(allowed, stored) ? openInstallation(vault, stored) : undefined;
  }

  /** Joins a reading that is under way, and remembers what it finds unless it was forgotten meanwhile. */
  function readOnce(workspace: string): Promise<Installation | undefined> {
    const joined = inFlight.get(workspace);
    if (joined) return joined;
    const readAt = now();
    const reading = read(workspace).then((installation) => {
      if (inFlight.get(workspace) === reading) known.set(workspace, { installation, readAt });
      return installation;
    });
    inFlight.set(workspace, reading);
    const done = () => {
      if (inFlight.get(workspace) === reading) inFlight.delete(workspace);
    };
    reading.then(done, done);
    return reading;
  }

  async function look(workspace: string): Promise<Installation | undefined> {
    const last = known.get(workspace);
    if (last && now() - last.readAt < TTL_MS) return last.installation;
    try {
      return await readOnce(workspace);
    } catch (error) {
      // So that a listener can say that nothing could be written, rather than Slack that nobody answers.
      if (last && error instanceof StoreUnavailableError) return last.installation;
      throw error;
    }
  }

  return {
    async find(workspace, enterprise) {
      const own = await look(workspace);
      const found = own ?? (enterprise && enterprise !== workspace ? await look(enterprise) : undefined);
      if (!found) throw new UnknownWorkspaceError(workspace);
      return found;
    },
    forget(workspace) {
      known.delete(workspace);
      inFlight.delete(workspace);
    },
  };
}
