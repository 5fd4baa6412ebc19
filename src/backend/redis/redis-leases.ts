import type { LeaseStore } from '../../delivery/leases.ts';
import { type RedisConnection, redisScript, redisScriptWhenFull } from '../../storage/redis/redis-client.ts';
import { LEASE, REPLICA } from './turn-keys.ts';

/** Far longer than a lane is ever held. Removes the leases that a dead replica leaves behind. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Lua for scripts that take lanes. A lease begins with the token of its replica and lasts as long as the token, so one
 * key renews all leases of a replica.
 */
export const LEASING = `local function tokenOf(holder)
  return string.sub(holder, 1, 36)
end

local function isThere(token)
  return redis.call('EXISTS', '${REPLICA}' .. token) == 1
end

-- Returns 1 if taken; 2 if taken from a replica that is gone; 0 if another replica has it. 'isPatient': also one that is
-- gone.
local function takeLane(lane, holder, isPatient)
  local key = '${LEASE}' .. lane
  local held = redis.call('SET', key, holder, 'NX', 'GET', 'PX', ${KEPT_MS})
  if not held then return 1 end
  local isOurs = tokenOf(held) == tokenOf(holder)
  if not isOurs and (isPatient or isThere(tokenOf(held))) then return 0 end
  redis.call('SET', key, holder, 'PX', ${KEPT_MS})
  return isOurs and 1 or 2
end`;

const TAKEN = ['held', 'taken', 'taken over'] as const;

/** The leases of lanes, for all replicas. */
export function createRedisLeases({ send }: RedisConnection<typeof leaseScripts>): LeaseStore {
  return {
    renew: async (token, leaseMs) => (await send((client) => client.renewReplica([REPLICA + token], [leaseMs]))) === 1,
    async take(lane, holder, isPatient = false) {
      const args = [lane, holder, isPatient ? 1 : 0];
      return TAKEN[await send((client) => client.takeLane([LEASE + lane], args))] ?? 'held';
    },
    async release(leases) {
      const keys = leases.map(({ lane }) => LEASE + lane);
      const holders = leases.map(({ holder }) => holder);
      const wanted = await send((client) => client.releaseLanes(keys, holders));
      return wanted.map((key) => key.slice(LEASE.length));
    },
  };
}

export const leaseScripts = {
  renewReplica: redisScriptWhenFull<number>(`
-- KEYS: 1 a replica. ARGV: 1 how long it stays (ms). Returns 1 if it was there, else 0.
local wasThere = redis.call('PEXPIRE', KEYS[1], ARGV[1])
if wasThere == 0 then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return wasThere
`),
  takeLane: redisScriptWhenFull<number>(`
-- KEYS: 1 the lease. ARGV: 1 lane, 2 holder, 3 '1' to be patient. Returns the result of takeLane. Marks another
-- replica's lease as wanted.
${LEASING}
local taken = takeLane(ARGV[1], ARGV[2], ARGV[3] == '1')
if taken == 0 and string.sub(redis.call('GET', KEYS[1]), -1) ~= '!' then redis.call('APPEND', KEYS[1], '!') end
return taken
`),
  releaseLanes: redisScript<string[]>(`
-- KEYS: leases. ARGV: the holder of each. Returns those that were wanted.
local wanted = {}
for i, key in ipairs(KEYS) do
  local held = redis.call('GETDEL', key)
  if held == ARGV[i] .. '!' then
    wanted[#wanted + 1] = key
  elseif held and held ~= ARGV[i] then
    redis.call('SET', key, held, 'PX', ${KEPT_MS})
  end
end
return wanted
`),
};
