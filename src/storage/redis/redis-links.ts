import type { AccountLink, LinkKey, LinkStore } from '../../identity/account-link.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-client.ts';
import { LINK, linksOf, PREFIX, WORKSPACES } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

/** A hash per link. `version` and `workspace` stand beside the record, for comparing and for purging. */
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
