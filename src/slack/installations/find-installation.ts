import { LRUCache } from 'lru-cache';
import { StoreUnavailableError } from '../../errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import {
  type FindInstallation,
  type Installation,
  type InstallationStore,
  type StoredInstallation,
  UnknownWorkspaceError,
} from '../installation.ts';

export type InstallationFinder = {
  find: FindInstallation;
  /** Drops the cached installation, which has changed. */
  forget(workspace: string): void;
};

/** An installation before its token is sealed. */
export type InstallationDraft = Omit<StoredInstallation, 'schema' | 'sealedBotToken'>;

/** SLACK_ALLOWED_TEAMS: the ids of the teams and enterprises that the app may be installed in. */
export type AllowedTeams = readonly string[];

/** Changes are announced to all replicas; one that missed it uses the old installation for this long. */
const TTL_MS = 60_000;

const MAX_KNOWN = 1_000;

/** `undefined` is cached too: there is no installation. */
type Known = { installation: Installation | undefined };

/** Finds stored installations. Reads each from the store once a minute at most. */
export function createInstallationFinder(options: {
  installations: Pick<InstallationStore, 'get'>;
  vault: TokenVault;
  allowed: AllowedTeams;
  now(): number;
}): InstallationFinder {
  const { installations, vault, allowed, now } = options;
  const known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    // lru-cache calls an entry stale when it is older than the ttl; here it is stale at exactly one minute.
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
        // The listener can then say that nothing was done. The next request reads again.
        kept.ttl = 1;
        return last;
      }
    },
  });

  async function read(workspace: string): Promise<Installation | undefined> {
    const stored = await installations.get(workspace);
    return stored && isAllowed(allowed, stored) ? openInstallation(vault, stored) : undefined;
  }

  async function findOwn(workspace: string): Promise<Installation | undefined> {
    const { installation } = known.get(workspace) ?? (await known.forceFetch(workspace));
    return installation;
  }

  return {
    async find(workspace, enterprise) {
      const own = await findOwn(workspace);
      const found = own ?? (enterprise && enterprise !== workspace ? await findOwn(enterprise) : undefined);
      if (!found) throw new UnknownWorkspaceError(workspace);
      return found;
    },
    forget: (workspace) => void known.delete(workspace),
  };
}

export function sealInstallation(vault: TokenVault, draft: InstallationDraft, botToken: string): StoredInstallation {
  return { schema: 1, ...draft, sealedBotToken: vault.seal(botToken, toRecord(draft.workspace)) };
}

/** Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openInstallation(vault: TokenVault, stored: StoredInstallation): Installation {
  const { workspace, team, botId, botUserId, sealedBotToken } = stored;
  return { workspace, team, botId, botUserId, botToken: vault.open(sealedBotToken, toRecord(workspace)) };
}

/** Allowing an enterprise allows all its teams; allowing a team does not allow its enterprise. */
export function isAllowed(allowed: AllowedTeams, { workspace, team }: { workspace: string; team: string }): boolean {
  return allowed.includes(workspace) || allowed.includes(team);
}

function toRecord(workspace: string): string {
  return `installation:${workspace}`;
}
