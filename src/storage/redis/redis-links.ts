import type { SetOptions } from 'redis';
import type { AccountLink, ClaimStore, LinkKey, LinkStore } from '../../identity/account-link.ts';
import type { InstallationStore, StoredInstallation } from '../../slack/installation.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { INSTALLATIONS, LINK, linksOf, ONCE, PREFIX, WORKSPACES } from './redis-keys.ts';

/** A hash per link. `version` and `workspace` are separate fields, for comparing and purging. */
export function createRedisLinks({ send }: RedisConnection<typeof linkScripts>): LinkStore {
  return {
    async get(key) {
      const [version, body] = await send((client) => client.hmGet(LINK + toName(key), ['version', 'body']));
      if (!body) return undefined;
      return { ...readRecord<AccountLink>(body, NEWEST_SCHEMA.link), version: Number(version) };
    },
    async save(link, expected) {
      const name = toName(link);
      const args = [name, link.workspace, expected, JSON.stringify(link)];
      return (await send((client) => client.saveLink([LINK + name, linksOf(link.workspace)], args))) === 1;
    },
    async delete(key) {
      const name = toName(key);
      await send((client) => client.deleteLink([LINK + name], [name]));
    },
  };
}

function toName({ team, user, purpose }: LinkKey): string {
  return `${team}:${user}:${purpose}`;
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
-- KEYS: 1 the link. ARGV: 1 name. Returns 1, or 0 where there is none.
local former = redis.call('HGET', KEYS[1], 'workspace')
if not former then return 0 end
redis.call('SREM', ${LINKS_OF_FORMER}, ARGV[1])
return redis.call('DEL', KEYS[1])
`),
};

export function createRedisInstallations({ send }: RedisConnection<typeof installationScripts>): InstallationStore {
  return {
    async get(workspace) {
      const body = await send((client) => client.hGet(INSTALLATIONS, workspace));
      return body ? readRecord<StoredInstallation>(body, NEWEST_SCHEMA.installation) : undefined;
    },
    async put(installation) {
      const body = JSON.stringify(installation);
      await send((client) => client.hSet(INSTALLATIONS, installation.workspace, body));
    },
    remove: async (workspace, installedAt) =>
      (await send((client) => client.removeInstallation([INSTALLATIONS], [workspace, installedAt]))) === 1,
    list: () => send((client) => client.hKeys(INSTALLATIONS)),
  };
}

export const installationScripts = {
  removeInstallation: redisScript<number>(`
-- KEYS: 1 the installations. ARGV: 1 workspace, 2 installedAt. Returns 1, or 0 where it is another one by now, or none.
local record = redis.call('HGET', KEYS[1], ARGV[1])
if not record or cjson.decode(record).installedAt ~= tonumber(ARGV[2]) then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
`),
};

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

type Stored = { value: string; expiresAt: number };
