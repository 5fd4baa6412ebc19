import { afterEach, expect, it } from 'vitest';
import { setEdit } from '../../../src/policy/edit.ts';
import { toTargetKey } from '../../../src/policy/target.ts';
import type { Limit } from '../../../src/policy/values.ts';
import { CURRENCY, INVOICES, KIM, startWorld, type World, writesOf } from './run-world.ts';

const LIMIT: Limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };

let world: World;

afterEach(() => world.close());

/** The limit of an agent, whose plan saw nothing, was perhaps sent by a process that died. Another one goes on. */
it.each([
  ['is sent where nothing else was', {}, 'verified'],
  ['is sent over what the other process saw', { seen: 5_000 }, 'verified'],
  ['is not sent over what was sent since', { isSentSince: true }, 'conflict'],
  ['is not sent over what somebody has changed since', { seen: 4_000 }, 'conflict'],
])('what an earlier process may have sent %s', async (_, how: { seen?: number; isSentSince?: boolean }, kind) => {
  world = await startWorld();
  const { plan } = await world
    .start({ readsLimits: false })
    .propose([setEdit('limit', { ...INVOICES, currency: CURRENCY }, LIMIT)], { unknownStop: 'runs' });
  const app = world.start();
  const begunAt = app.services.now();
  const run = {
    ...{ id: plan.id, by: KIM, why: { by: KIM.user, reason: 'because', at: begunAt }, policy: 1, edits: 1, items: 1 },
    ...{ isStop: false, replyTo: '', begunAt, lease: { holder: '', until: 0 } },
  };
  const seen = how.seen && { limit: { ...LIMIT, credits: how.seen, stopAtLimit: true }, stopped: false };
  const record = { index: 0, sending: begunAt, ...(seen && { seen }) };
  await world.kernel.commit(app.services.runs.toWrites(run, { plan, reverse: [] }, [record]));
  if (how.isSentSince) {
    const sent = { limit: LIMIT, stopped: false, at: begunAt, run: 'another' };
    await world.kernel.commit([app.services.sent.toWrite(toTargetKey({ ...INVOICES, currency: CURRENCY }), sent)]);
  }

  await app.runLane();

  const results = await app.services.runs.results(plan.id);
  expect([results.get(0)?.kind, writesOf(world).length]).toEqual([kind, kind === 'verified' ? 1 : 0]);
});
