import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { STORE } from '../../src/doctor/checks/store.ts';
import { inspectRedisWriting } from '../../src/doctor/store-reader.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from '../storage/redis-world.ts';
import { nameOf, say, startLooking } from './look.ts';

const { note, findUnseen } = startLooking();

const set = (name: string, value: string) => (redis: RedisServer) =>
  asOperator(redis, (client) => client.configSet(name, value));

async function keepOn(redis: RedisServer): Promise<void> {
  await failToSave(redis);
  await set('stop-writes-on-bgsave-error', 'no')(redis);
}

/** `refusal`: what a write of the app would get now. */
type Fault = { settings?: Record<string, string>; break?: (redis: RedisServer) => Promise<unknown>; refusal?: string };

const SAVING = { save: '3600 1' };

it.each<[string, Fault, words: string[]]>([
  ['has room', { settings: { maxmemory: '64mb' } }, ['roomy']],
  ['has no limit', {}, ['roomy']],
  ['is full', { break: set('maxmemory', '500kb'), refusal: 'OOM' }, ['full']],
  ['could not make a snapshot', { settings: SAVING, break: failToSave, refusal: 'MISCONF' }, ['roomy', 'stopped']],
  ['goes on without a snapshot', { settings: SAVING, break: keepOn }, ['roomy', 'notSaved']],
  [
    'insists on replicas',
    { break: set('min-replicas-to-write', '2'), refusal: 'NOREPLICAS' },
    ['roomy', 'notFollowed'],
  ],
])('the doctor looks at a Redis that %s', async (_, fault, words) => {
  const redis = await startRedis(fault.settings);
  onTestFinished(redis.close);
  await fault.break?.(redis);
  const written = asOperator(redis, (client) => client.set('bridge:tried', '1'));
  if (fault.refusal) await expect(written).rejects.toThrow(fault.refusal);
  else await written;

  const found = note(await asOperator(redis, inspectRedisWriting));

  expect(nameOf(STORE, found)).toEqual(words);
});

const LIMITED = 'maxmemory_policy:noeviction\r\n';

it.each([
  ['used_memory:5242880\r\nmaxmemory:10485760', /^ok: Redis uses 5\.0 of 10\.0 MiB \(maxmemory\)\.$/],
  ['used_memory:10485760\r\nmaxmemory:10485760', /^error: Redis is full: .* 10\.0 of 10\.0 MiB .* Raise maxmemory\.$/],
  ['used_memory:95\r\nmaxmemory:100', /^warning: Redis is nearly full/],
  ['used_memory:85\r\nmaxmemory:0\r\ntotal_system_memory:100', /^warning: Redis is nearly full: .* of its machine/],
  ['aof_last_write_status:err', /^error: Redis could not write its append-only file/],
])('the doctor judges what INFO says: %j', async (info, sentence) => {
  const found = note(await inspectRedisWriting({ info: async () => LIMITED + info, configGet: async () => ({}) }));

  expect(say(found)).toEqual([expect.stringMatching(sentence)]);
});

it('there is a test for every sentence of the store, here or in doctor.test.ts', () => {
  const elsewhere = ['empty', 'ofThisRelease', 'sound', 'damaged', 'used', 'unused', 'none', 'elsewhere', 'unreadable'];
  // `unreadable` has no words of its own.
  expect(findUnseen(STORE)).toEqual(elsewhere.slice(0, -1));
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
