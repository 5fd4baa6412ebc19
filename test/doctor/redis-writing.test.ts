import { rmSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { inspectRedisWriting, REDIS_WORDS } from '../../src/doctor/inspect-redis-writing.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from '../storage/redis-world.ts';
import { say, startLooking } from './look.ts';

const { note, findUnseen } = startLooking();
const servers: RedisServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const set = (name: string, value: string) => (redis: RedisServer) =>
  asOperator(redis, (client) => client.configSet(name, value));

async function keepOn(redis: RedisServer): Promise<void> {
  await failToSave(redis);
  await set('stop-writes-on-bgsave-error', 'no')(redis);
}

/** `refusal`: what a write of the app would get now. */
type Fault = { settings?: Record<string, string>; break?: (redis: RedisServer) => Promise<unknown>; refusal?: string };

it.each<[string, Fault, RegExp[]]>([
  ['has room', { settings: { maxmemory: '64mb' } }, [/^ok: Redis uses \d+\.\d of 64\.0 MiB \(maxmemory\)\.$/]],
  ['has no limit', {}, [/^ok: Redis uses .* of its machine, and has no maxmemory\.$/]],
  [
    'is full',
    { break: set('maxmemory', '500kb'), refusal: 'OOM' },
    [/^error: Redis is full: it uses \d+\.\d of 0\.5 MiB \(maxmemory\), and refuses .* Raise maxmemory\.$/],
  ],
  [
    'could not make a snapshot',
    { settings: { save: '3600 1' }, break: failToSave, refusal: 'MISCONF' },
    [/^ok/, /^error: Redis could not write its last snapshot, and refuses every write/],
  ],
  [
    'goes on without a snapshot',
    { settings: { save: '3600 1' }, break: keepOn },
    [/^ok/, /^warning: Redis could not write its last snapshot\. It goes on all the same\./],
  ],
  [
    'insists on replicas',
    { break: set('min-replicas-to-write', '2'), refusal: 'NOREPLICAS' },
    [/^ok/, /^error: Redis insists on 2 of its replicas to follow \(min-replicas-to-write\), and 0 do/],
  ],
])('the doctor looks at a Redis that %s', async (_, fault, sentences) => {
  const redis = await startRedis(fault.settings);
  servers.push(redis);
  await fault.break?.(redis);
  const written = asOperator(redis, (client) => client.set('bridge:tried', '1'));
  if (fault.refusal) await expect(written).rejects.toThrow(fault.refusal);
  else await written;

  const found = note(await asOperator(redis, inspectRedisWriting));

  expect(say(found)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
});

it.each([
  ['nearly full', 'used_memory:95\r\nmaxmemory:100\r\nmaxmemory_policy:noeviction', /^warning: Redis is nearly full/],
  [
    'nearly as large as its machine',
    'used_memory:85\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\ntotal_system_memory:100',
    /^warning: Redis is nearly full: .* of its machine/,
  ],
  ['without its file', 'aof_last_write_status:err', /^error: Redis could not write its append-only file/],
])('the doctor judges what INFO says of one that is %s', async (_, info, sentence) => {
  const found = note(await inspectRedisWriting({ info: async () => info, configGet: async () => ({}) }));

  expect(say(found)).toEqual([expect.stringMatching(sentence)]);
});

it('there is a test for every sentence of a Redis that takes no writes', () => {
  expect(findUnseen({ words: REDIS_WORDS })).toEqual([]);
});

/** Takes its folder away and has it make a snapshot. */
async function failToSave(redis: RedisServer): Promise<void> {
  await asOperator(redis, async (client) => {
    const { dir = '' } = await client.configGet('dir');
    rmSync(dir, { recursive: true });
    await client.bgSave();
    await expect.poll(() => client.info('persistence')).toContain('rdb_last_bgsave_status:err');
  });
}
