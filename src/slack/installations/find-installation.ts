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

/** Everything of an installation but the token, which is sealed into it. */
export type InstallationDraft = Omit<StoredInstallation, 'schema' | 'sealedBotToken'>;

export function sealInstallation(vault: TokenVault, draft: InstallationDraft, botToken: string): StoredInstallation {
  return { schema: 1, ...draft, sealedBotToken: vault.seal(botToken, toRecord(draft.workspace)) };
}

/** Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openInstallation(vault: TokenVault, stored: StoredInstallation): Installation {
  const { workspace, team, botId, botUserId, sealedBotToken } = stored;
  return { workspace, team, botId, botUserId, botToken: vault.open(sealedBotToken, toRecord(workspace)) };
}

function toRecord(workspace: string): string {
  return `installation:${workspace}`;
}

/** SLACK_ALLOWED_TEAMS: the team and enterprise ids that the app may be installed in, and serves. */
export type AllowedTeams = readonly string[];

/** An enterprise that is allowed is allowed with all of its teams; a team is not its enterprise. */
export function isAllowed(allowed: AllowedTeams, { workspace, team }: { workspace: string; team: string }): boolean {
  return allowed.includes(workspace) || allowed.includes(team);
}
