import { USAGE_DAYS, type Usage, type UsageAddition, type UsageName, type UsageStore } from '../../usage/usage.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { USAGE, usageOf, WORKSPACES } from './redis-keys.ts';
import { forgetUsage, type retentionScripts } from './redis-retention.ts';

/** `day:<day>`: a hash of counts. `people:<name>`: a sorted set of marks by the last day that something was counted of them. */
export function createRedisUsage(redis: RedisConnection<typeof usageScripts & typeof retentionScripts>): UsageStore {
  const { send } = redis;

  async function readDays(workspace: string, days: number[]): Promise<Pick<Usage, 'counts'>> {
    const counts: Usage['counts'] = {};
    for (const day of days) {
      const stored = await send((client) => client.hGetAll(`${USAGE}${workspace}:day:${day}`));
      for (const [name, count] of Object.entries(stored)) {
        counts[name as UsageName] = (counts[name as UsageName] ?? 0) + Number(count);
      }
    }
    return { counts };
  }

  async function readPeople(workspace: string, names: string[], since: number): Promise<Usage['people']> {
    const counted = names.map(async (name) => {
      const key = `${USAGE}${workspace}:people:${name}`;
      return [name, await send((client) => client.zCount(key, since, '+inf'))] as const;
    });
    return Object.fromEntries((await Promise.all(counted)).filter(([, people]) => people > 0));
  }

  return {
    async add(additions) {
      await Promise.all(additions.map((one) => send((client) => client.addUsage(toKeys(one), toArguments(one)))));
    },
    async read(workspace, since) {
      const members = await send((client) => client.sMembers(usageOf(workspace)));
      const namesOf = (kind: string) =>
        members.filter((member) => member.startsWith(kind)).map((member) => member.slice(kind.length));
      const days = namesOf('day:')
        .map(Number)
        .filter((day) => day >= since)
        .sort((one, other) => one - other);
      const [{ counts }, people] = await Promise.all([
        readDays(workspace, days),
        readPeople(workspace, namesOf('people:'), since),
      ]);
      return { counts, people, firstDay: days[0] };
    },
    forget: (before) => forgetUsage(redis, before),
  };
}

function toKeys({ workspace }: UsageAddition): string[] {
  return [usageOf(workspace), WORKSPACES];
}

function toArguments({ workspace, day, counts, people }: UsageAddition): (string | number)[] {
  const marks = [...people].flatMap(([name, some]) => [...some].flatMap((mark) => [name, mark]));
  return [workspace, day, USAGE_DAYS * 86_400, counts.size, ...[...counts].flat(), ...marks];
}

export const usageScripts = {
  addUsage: redisScript<number>(`
-- KEYS: 1 the names of what is counted of a workspace, 2 the workspaces. ARGV: 1 workspace, 2 day, 3 how long to keep it
-- (seconds), 4 how many counts, then these as names and numbers, then people as names and marks. Returns 1.
local function keep(name)
  redis.call('SADD', KEYS[1], name)
  redis.call('EXPIRE', '${USAGE}' .. ARGV[1] .. ':' .. name, ARGV[3])
end

local counts = 'day:' .. ARGV[2]
local last = 4 + 2 * ARGV[4]
for i = 5, last, 2 do
  redis.call('HINCRBY', '${USAGE}' .. ARGV[1] .. ':' .. counts, ARGV[i], ARGV[i + 1])
end
keep(counts)
for i = last + 1, #ARGV, 2 do
  redis.call('ZADD', '${USAGE}' .. ARGV[1] .. ':people:' .. ARGV[i], 'GT', ARGV[2], ARGV[i + 1])
  keep('people:' .. ARGV[i])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('SADD', KEYS[2], ARGV[1])
return 1
`),
};
