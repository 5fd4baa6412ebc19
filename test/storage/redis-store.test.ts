import { describe, expect, it } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/backend/redis-store.ts';
import { sealStore } from '../../src/backend/sealed-store.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { anAddition } from '../usage/an-addition.ts';
import { aLink } from './a-link.ts';
import { A_VAULT, failToOpen } from './a-vault.ts';
import { beginRun } from './begin-run.ts';
import { aConversation, engage, keep } from './change-thread.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';
import { describeStoreContract } from './store-contract.ts';

const redis = useRedis();

describeStoreContract('redis', async (now) =>
  sealStore(await openRedisStore({ url: redis.url, now }), A_VAULT, failToOpen),
);

it('redis: a store of another release is refused with its version, and left as it is', async () => {
  await asOperator(redis, (client) => client.set('bridge:schema', '4'));

  await expect(redis.open()).rejects.toThrow(
    'Redis is of another release: it has version 4, and this release knows 1.',
  );

  expect(await asOperator(redis, (client) => client.get('bridge:schema'))).toBe('4');
});

it('redis: a fail-over that loses the last moments leaves one of two runs that have the same fence', async () => {
  const store = await redis.open();
  const key = `bridge:turn:${aTurn().id}`;
  await store.turns.accept(aTurn());
  await asOperator(redis, (client) => client.copy(key, 'replica'));
  const lost = aTurn(await beginRun(store.turns, aTurn().id));
  await asOperator(redis, (client) => client.copy('replica', key, { REPLACE: true }));

  const kept = aTurn(await beginRun(store.turns, aTurn().id));

  expect(kept.fence).toBe(lost.fence);
  expect(await store.turns.save({ ...lost, stage: 'asking' })).toBe(false);
  expect(await store.turns.save({ ...kept, stage: 'asking' })).toBe(true);
});

describe('redis: secrets that anybody may have looked for', () => {
  it('take two commands, however many there are', async () => {
    const store = await redis.open();
    const countReads = async () => {
      const stats = await asOperator(redis, (client) => client.info('commandstats'));
      return [...stats.matchAll(/^cmdstat_(?:evalsha|eval):calls=(\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
    };
    const names = Array.from({ length: 150 }, (_, number) => `secret ${number}`);
    await store.once.put('secret 7', 'of ana', Date.now() + 60_000);
    await Promise.all(names.map((name) => store.once.peek(name)));
    const before = await countReads();

    const first = store.once.peek('never issued');
    await Promise.resolve();
    const others = names.map((name) => store.once.peek(name));

    const found = await Promise.all([first, ...others]);
    expect(found.flatMap((value, at) => (value === undefined ? [] : [[at, value]]))).toEqual([[8, 'of ana']]);
    expect((await countReads()) - before).toBe(1);
  });

  it('are looked for anew after Redis could not be asked', async () => {
    const store = await redis.open();
    await store.once.put('ticket', 'for ana', Date.now() + 60_000);
    await asOperator(redis, (client) => client.sendCommand(['ACL', 'SETUSER', 'default', '-hmget']));

    const refused = await Promise.allSettled(['ticket', 'another', 'a third'].map((name) => store.once.peek(name)));
    await asOperator(redis, (client) => client.sendCommand(['ACL', 'SETUSER', 'default', '+@all']));

    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await store.once.peek('ticket')).toBe('for ana');
  });
});

it('redis: a process whose clock is an hour ahead removes nothing that is there for the others', async () => {
  const store = await redis.open();
  const ahead = await redis.open({ now: () => Date.now() + 3_600_000 });
  await store.once.put('ticket', 'for ana', Date.now() + 600_000);

  await ahead.once.put('other', 'of ben', Date.now() + 7_200_000);
  await ahead.purge('T1');

  expect(await store.once.peek('ticket')).toBe('for ana');
});

describe('redis: what is kept', () => {
  it('is gone when everything in it is done, past its time, or taken back', async () => {
    let now = 1_000;
    const store = await redis.open({ now: () => now });
    await fillEveryPlace(store, 'T1');
    await fillEveryPlace(store, 'T2');
    const before = await asOperator(redis, (client) => client.keys('*'));

    now = 10_000;
    await endAll(store);
    await store.turns.forget(now);
    for (const team of ['T1', 'T2']) await store.links.delete(aLink({ team }));
    await store.threads.forget(now);
    await store.usage.forget(2);
    now = 60_000;
    await store.check();

    const after = await asOperator(redis, (client) => client.keys('*'));
    expect(before.length).toBeGreaterThan(30);
    expect(after.toSorted()).toEqual([
      'bridge:arrivals',
      'bridge:doc:once:check',
      'bridge:expiring',
      'bridge:id',
      'bridge:schema',
    ]);
  });

  it('is all under our own prefix, with the team in the key of what is of a team', async () => {
    const store = await redis.open();
    await fillEveryPlace(store, 'TEAM');

    const keys = await asOperator(redis, (client) => client.keys('*'));

    const shared = /^bridge:(arrivals|schema|id|lanes|expiring|threads|turns(:\w+)?|index:(links|usage))$/;
    expect(keys.filter((key) => !shared.test(key) && !/^bridge:.*\bTEAM\b/.test(key))).toEqual([]);
  });

  it('is not full of what a done turn does not need any more', async () => {
    const store = await redis.open();
    await store.turns.accept(aTurn());

    await store.turns.save(aTurn({ stage: 'done' }));

    const fields = await asOperator(redis, (client) => client.hKeys(`bridge:turn:${aTurn().id}`));
    expect(fields.toSorted()).toEqual(['body', 'fence', 'run', 'settled', 'stage']);
  });
});

const STAGES = ['accepted', 'waiting', 'parked', 'asking', 'answered', 'stopped', 'done'] as const;

async function fillEveryPlace(store: RedisStore, team: string): Promise<void> {
  const thread = `${team}:C1:1.1`;
  const question = aQuestion({ asker: { team, user: 'UANA' }, workspace: team });
  const changes = [
    engage(thread, 'UANA', team),
    keep(thread, aConversation({ id: 'ours', workspace: team })),
    keep(thread, aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person', workspace: team })),
  ];
  for (const stage of STAGES) {
    const turn = aTurn({ id: `message:${team}:${stage}`, lane: `${thread}:${stage}`, question, acceptedAt: 1_000 });
    await store.turns.accept(turn, changes);
    await store.turns.save({ ...turn, stage, ...(stage === 'done' && { result: 'failed' }) });
  }
  await store.links.save(aLink({ team, workspace: team }), 0);
  await store.once.put(team, 'ticket', 60_000);
  await store.usage.add({ ...anAddition(1, { questions: 1 }, { questions: ['ana'] }), workspace: team });
}

async function endAll({ turns }: RedisStore): Promise<void> {
  await turns.unpark({ team: 'T1', user: 'UANA' });
  await turns.unpark({ team: 'T2', user: 'UANA' });
  for (const lane of await turns.dueLanes(Number.MAX_SAFE_INTEGER)) {
    const head = await turns.head(lane);
    const run = head && (await beginRun(turns, head.id));
    if (run) await turns.save({ ...run, stage: 'done' });
  }
}
