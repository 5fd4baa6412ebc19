import type { SetOptions } from 'redis';
import type { AccountLink, ClaimStore, LinkKey, LinkStore } from '../../identity/account-link.ts';
import type { InstallationStore, StoredInstallation } from '../../slack/installation.ts';
import { readRecord } from '../record.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { INSTALLATIONS, LINK, linksOf, ONCE, PREFIX, WORKSPACES } from './redis-keys.ts';

/** A hash per link. `version` and `workspace` are separate fields, for comparing and purging. */
export function createRedisLinks({ send }: RedisConnection<typeof linkScripts>): LinkStore {
  async function read(name: string): Promise<AccountLink | undefined> {
    const [version, body] = await send((client) => client.hmGet(LINK + name, ['version', 'body']));
    return body ? { ...readRecord<AccountLink>(body), version: Number(version) } : undefined;
  }

  return {
    get: (key) => read(toName(key)),
    async save(link, expected) {
      const name = toName(link);
      const args = [name, link.workspace, expected, JSON.stringify(link)];
      return (await send((client) => client.saveLink([LINK + name, linksOf(link.workspace)], args))) === 1;
    },
    async delete(key) {
      const name = toName(key);
      await send((client) => client.deleteLink([LINK + name], [name]));
    },
    async deleteUnchanged(link) {
      const name = toName(link);
      return (await send((client) => client.deleteLink([LINK + name], [name, link.version]))) === 1;
    },
    async list(cursor) {
      const workspaces = (await send((client) => client.sMembers(WORKSPACES))).sort();
      const [from = workspaces[0], scanned = '0'] = cursor?.split(' ') ?? [];
      // One that was purged meanwhile is passed over.
      const workspace = workspaces.find((each) => from !== undefined && each >= from);
      if (workspace === undefined) return { links: [], next: undefined };
      const position = workspace === from ? scanned : '0';
      const page = await send((client) => client.sScan(linksOf(workspace), position, { COUNT: PAGE }));
      const links = await Promise.all(page.members.map(read));
      const following = workspaces.find((each) => each > workspace);
      const next = String(page.cursor) === '0' ? following : `${workspace} ${page.cursor}`;
      return { links: links.filter((link) => link !== undefined), next };
    },
  };
}

/** About how many links a page has. Redis gives all of a small set at once. */
const PAGE = 100;

export function createRedisInstallations({ send }: RedisConnection<typeof installationScripts>): InstallationStore {
  return {
    async get(workspace) {
      const body = await send((client) => client.hGet(INSTALLATIONS, workspace));
      return body ? readRecord<StoredInstallation>(body) : undefined;
    },
    async put(installation) {
      const body = JSON.stringify(installation);
      await send((client) => client.hSet(INSTALLATIONS, installation.workspace, body));
    },
    async replace(installation, formerToken) {
      const { workspace, installedAt } = installation;
      const body = JSON.stringify(installation);
      const args = [workspace, installedAt, body, formerToken];
      const done = await send((client) => client.replaceInstallation([INSTALLATIONS], args));
      return done === 1;
    },
    remove: async (workspace, installedAt) =>
      (await send((client) => client.removeInstallation([INSTALLATIONS], [workspace, installedAt]))) === 1,
    list: () => send((client) => client.hKeys(INSTALLATIONS)),
  };
}

/**
 * Redis expires keys by its own clock; whether a value is still valid is decided by ours. If the reply to a `take` is
 * lost, so is the value, and its holder has to start again.
 */
export function createRedisOnce({ send }: RedisConnection, now: () => number): ClaimStore {
  const read = (stored: string | null) => {
    if (stored === null) return undefined;
    const { value, expiresAt }: Stored = JSON.parse(stored);
    return expiresAt > now() ? value : undefined;
  };
  const write = (key: string, value: string, expiresAt: number, options: SetOptions = {}) => {
    const lifeMs = Math.max(1, Math.ceil(expiresAt - now()));
    const stored = JSON.stringify({ value, expiresAt } satisfies Stored);
    return send((client) => client.set(ONCE + key, stored, { ...options, expiration: { type: 'PX', value: lifeMs } }));
  };
  return {
    async put(key, value, expiresAt) {
      await write(key, value, expiresAt);
    },
    async claim(key, value, expiresAt) {
      const before = await write(key, value, expiresAt, { condition: 'NX', GET: true });
      const held = read(before);
      // Expired by our clock but not yet by Redis's: while the clocks differ, two callers may get it.
      if (before !== null && held === undefined) await write(key, value, expiresAt);
      return held ?? value;
    },
    take: async (key) => read(await send((client) => client.getDel(ONCE + key))),
    peek: async (key) => read(await send((client) => client.get(ONCE + key))),
  };
}

const LINKS_OF_FORMER = `'${PREFIX}workspace:' .. former .. ':links'`;

export const linkScripts = {
  saveLink: redisScript<number>(`
-- KEYS: 1 the link, 2 its workspace's links. ARGV: 1 name, 2 workspace, 3 expected version, 4 record.
-- Returns 1, or 0 where another version is stored.
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[3] then return 0 end
local former = redis.call('HGET', KEYS[1], 'workspace')
if former and former ~= ARGV[2] then redis.call('SREM', ${LINKS_OF_FORMER}, ARGV[1]) end
redis.call('HSET', KEYS[1], 'version', version + 1, 'workspace', ARGV[2], 'body', ARGV[4])
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('SADD', '${WORKSPACES}', ARGV[2])
return 1
`),
  deleteLink: redisScript<number>(`
-- KEYS: 1 the link. ARGV: 1 name, 2 the only version to delete, if any. Returns 1, or 0 where there is no such link.
local former = redis.call('HGET', KEYS[1], 'workspace')
if not former then return 0 end
if ARGV[2] and redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] then return 0 end
redis.call('SREM', ${LINKS_OF_FORMER}, ARGV[1])
return redis.call('DEL', KEYS[1])
`),
};

export const installationScripts = {
  replaceInstallation: redisScript<number>(`
-- KEYS: 1 the installations. ARGV: 1 workspace, 2 installedAt, 3 record, 4 the former sealed token. Returns 1, or 0 where
-- it is another one by now, or none.
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record then return 0 end
local former = cjson.decode(record)
if former.installedAt ~= tonumber(ARGV[2]) or former.sealedBotToken ~= ARGV[4] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`),
  removeInstallation: redisScript<number>(`
-- KEYS: 1 the installations. ARGV: 1 workspace, 2 installedAt. Returns 1, or 0 where it is another one by now, or none.
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record or cjson.decode(record).installedAt ~= tonumber(ARGV[2]) then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
`),
};

type Stored = { value: string; expiresAt: number };

function toName({ team, user, purpose }: LinkKey): string {
  return `${team}:${user}:${purpose}`;
}
