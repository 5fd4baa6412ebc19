import { LRUCache } from 'lru-cache';
import { StoreUnavailableError } from '../../errors.ts';
import type { TokenVault } from '../../identity/token-vault.ts';
import { type Installation, type StoredInstallation, UnknownWorkspaceError } from '../installation.ts';
import type { InstallationUses } from './installation-services.ts';

/** An installation before its token is sealed. */
export type InstallationDraft = Omit<StoredInstallation, 'schema' | 'sealedBotToken' | 'rotation'>;

/** A rotating token, and the refresh token to exchange it. `expiresAt`: epoch ms. */
export type RotatingToken = { botToken: string; refreshToken: string; expiresAt: number };

/** Changes are announced to all replicas; one that misses the announcement uses the old installation for this long. */
const TTL_MS = 60_000;

const MAX_KNOWN = 1_000;

/** `undefined` is cached too: there is no installation. */
type Known = { installation: Installation | undefined; expiresAt?: number | undefined };

/** Exchange a rotating token this long before it expires, as Slack's own packages do. */
export const EARLY_MS = 2 * 3_600_000;

/** Stop using a token this long before it expires: a call may take that long. */
const LATE_MS = 60_000;

/** Finds stored installations. Reads each from the store once a minute at most. */
export function createInstallationFinder(
  options: InstallationUses<'installations' | 'vault' | 'allowed' | 'now'> & {
    /** Exchanges a token that rotates: see token-rotation.ts. */
    refreshToken(workspace: string): Promise<void>;
  },
) {
  const { installations, vault, allowed, refreshToken, now } = options;
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
        return await read(workspace);
      } catch (error) {
        if (!last || !(error instanceof StoreUnavailableError)) throw error;
        // The listener needs a token to say that nothing was done. The next request reads again.
        kept.ttl = 1;
        return last;
      }
    },
  });

  async function read(workspace: string): Promise<Known> {
    const stored = await installations.get(workspace);
    if (!stored || !isAllowed(allowed, stored)) return { installation: undefined };
    return { installation: openInstallation(vault, stored), expiresAt: stored.rotation?.expiresAt };
  }

  async function findOwn(workspace: string): Promise<Installation | undefined> {
    const { installation, expiresAt } = known.get(workspace) ?? (await known.forceFetch(workspace));
    const leftMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - now();
    if (leftMs > EARLY_MS) return installation;
    const refreshed = refreshToken(workspace);
    if (leftMs > LATE_MS) {
      // Nobody has to wait for this. If it fails, the old token still works.
      refreshed.catch(() => undefined);
      return installation;
    }
    await refreshed;
    return (await known.forceFetch(workspace)).installation;
  }

  return {
    async find(workspace: string, enterprise?: string): Promise<Installation> {
      const own = await findOwn(workspace);
      const found = own ?? (enterprise && enterprise !== workspace ? await findOwn(enterprise) : undefined);
      if (!found) throw new UnknownWorkspaceError(workspace);
      return found;
    },
    /** Drops the cached installation, which has changed. */
    forget: (workspace: string) => void known.delete(workspace),
  };
}

export function sealInstallation(vault: TokenVault, draft: InstallationDraft, botToken: string): StoredInstallation {
  return { schema: 1, ...draft, sealedBotToken: vault.seal(botToken, toRecord(draft.workspace)) };
}

export function sealRotation(
  vault: TokenVault,
  workspace: string,
  { botToken, refreshToken, expiresAt }: RotatingToken,
): Pick<StoredInstallation, 'sealedBotToken' | 'rotation'> {
  const sealedRefreshToken = vault.seal(refreshToken, toRefreshRecord(workspace));
  return { sealedBotToken: vault.seal(botToken, toRecord(workspace)), rotation: { sealedRefreshToken, expiresAt } };
}

/** Undefined if the token does not rotate. Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openRefreshToken(vault: TokenVault, { workspace, rotation }: StoredInstallation): string | undefined {
  return rotation && vault.open(rotation.sealedRefreshToken, toRefreshRecord(workspace));
}

/** Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openInstallation(vault: TokenVault, stored: StoredInstallation): Installation {
  const { workspace, team, botId, botUserId, sealedBotToken } = stored;
  return { workspace, team, botId, botUserId, botToken: vault.open(sealedBotToken, toRecord(workspace)) };
}

/** Allowing an enterprise allows all its teams; allowing a team does not allow its enterprise. */
export function isAllowed(
  allowed: readonly string[],
  { workspace, team }: { workspace: string; team: string },
): boolean {
  return allowed.includes(workspace) || allowed.includes(team);
}

function toRecord(workspace: string): string {
  return `installation:${workspace}`;
}

function toRefreshRecord(workspace: string): string {
  return `installation:${workspace}:refresh`;
}
