import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryName } from '../../src/governance/consumption/consumption-history.ts';
import type { ItemResult, Run, RunContent } from '../../src/governance/run/run-store.ts';
import { EMPTY_POLICY } from '../../src/policy/policy.ts';
import { toDay } from '../../src/usage/usage.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const MINUTE_MS = 60_000;

function aRun(values: Partial<Run> = {}): Run {
  const now = Date.now();
  return {
    ...{ id: 'abcdefabcdef', by: { team: 'T1', workspace: 'T1', user: 'U1' }, policy: 1, edits: 1, items: 2 },
    ...{ why: { by: 'U1', reason: 'because', at: now }, isStop: false, replyTo: '', begunAt: now },
    ...{ lease: { holder: 'one', until: now + MINUTE_MS }, ...values },
  };
}

const CONTENT: RunContent = {
  plan: { id: 'abcdefabcdef', hash: 'h', basis: 'b', policy: 0, edits: [], items: [], leftOut: [] },
  reverse: [],
};

const LAB = 'environment:lab';
const TODAY = toDay(Date.now());

const figures = (entries: Partial<Record<HistoryName, number>>) =>
  new Map(Object.entries(entries) as [HistoryName, number][]);

let store: MemoryStore;

beforeEach(() => {
  store = createMemoryStore();
});

describe('runs', () => {
  const begin = async (run: Run) => {
    const { policy, runs } = store;
    const stored = await policy.read();
    const next = { ...stored.policy, revision: stored.policy.revision + 1 };
    return policy.replace(stored, next, runs.toWrites(run, CONTENT, [{ index: 0, sending: 1 }]));
  };

  it('begin with the policy, or neither does', async () => {
    const { policy, runs } = store;
    expect((await policy.read()).policy).toEqual(EMPTY_POLICY);

    expect(await begin(aRun())).toBe(true);
    expect(await begin(aRun())).toBe(false);

    expect((await policy.read()).policy.revision).toBe(1);
    expect(await runs.content('abcdefabcdef')).toEqual(CONTENT);
    expect([...(await runs.records('abcdefabcdef')).values()]).toEqual([{ index: 0, sending: 1 }]);
    expect(await runs.get('another')).toBeUndefined();
  });

  it('are with one process at a time, and open until they end', async () => {
    const { runs } = store;
    const run = aRun();
    await begin(run);
    const other = { holder: 'other', until: Date.now() + 2 * MINUTE_MS };

    expect(await runs.lease(run.id, other, Date.now())).toBeUndefined();
    expect((await runs.lease(run.id, other, Date.now() + MINUTE_MS + 1_000))?.lease).toEqual(other);
    expect(await runs.end(run.id, 'one', { at: 1, why: 'done' })).toBe(false);
    expect((await runs.listOpen()).map(({ id }) => id)).toEqual([run.id]);
    expect(await runs.end(run.id, 'other', { at: 1, why: 'done' })).toBe(true);
    expect(await runs.listOpen()).toEqual([]);
    expect(await runs.change(run.id, (one) => one)).toBeUndefined();
  });

  it('are nobody’s whose lease was taken before the clock was set back', async () => {
    const { runs } = store;
    const run = aRun();
    await begin(run);

    const lease = { holder: 'other', until: 0 };
    expect((await runs.lease(run.id, lease, Date.now() - 60 * MINUTE_MS))?.lease).toEqual(lease);
  });

  it('let each item be claimed once', async () => {
    const { runs } = store;
    const run = aRun();
    await begin(run);

    const claims = [1, 2].map((sending) => runs.claim(run, { index: 1, sending }));
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
    const result: ItemResult = { kind: 'verified', written: 'yes', requestIds: [], at: 3 };
    await runs.save(run, { index: 1, sending: 1, result });
    expect((await runs.records(run.id)).get(1)?.result).toEqual(result);
  });
});

it('what was sent is read for many at once', async () => {
  const { policy, sent } = store;
  const keys = Array.from({ length: 450 }, (_, index) => `key-${index}`);
  const value = { limit: 'none', stopped: false, at: Date.now(), run: 'r' } as const;
  await policy.replace(await policy.read(), { revision: 1, entries: {} }, [sent.toWrite('key-449', value)]);

  const readSent = await sent.readFor(keys);

  expect(readSent('key-449')).toEqual(value);
  expect(readSent('key-1')).toBeUndefined();
});

it('what was sent is kept for three years', async () => {
  let now = 0;
  const { policy, sent } = createMemoryStore(() => now);
  const value = { limit: 'none', stopped: false, at: 0, run: 'r' } as const;
  await policy.replace(await policy.read(), { revision: 1, entries: {} }, [sent.toWrite('key', value)]);

  now = 3 * 365 * 24 * 3_600_000;
  expect(await sent.get('key')).toBeUndefined();
  now -= 1;
  expect(await sent.get('key')).toEqual(value);
});

it('a request for approval is added once, and again only where nobody has the message', async () => {
  const { approvals } = store;
  const approval = {
    ...{
      id: 'p1',
      plan: CONTENT.plan,
      warnings: [],
      by: aRun().by,
      account: 'a',
      approver: 'U2',
      reason: 'because',
    },
    ...{ replyTo: '', askedAt: Date.now(), expiresAt: Date.now() + MINUTE_MS, state: 'asking' as const },
  };
  expect(await approvals.add(approval)).toBe(true);
  expect(await approvals.add(approval)).toBe(true);
  await approvals.change('p1', (one) => ({ ...one, state: 'asked' }));
  expect(await approvals.add(approval)).toBe(false);
  expect(await approvals.change('p2', (one) => one)).toBeUndefined();
  expect((await approvals.get('p1'))?.state).toBe('asked');
});

describe('the consumption of days', () => {
  it('is read by name, in the order of the days', async () => {
    await store.consumption.save(TODAY - 1, figures({ [LAB]: 20, agents: 120.5 }));
    await store.consumption.save(TODAY - 2, figures({ [LAB]: 10, agents: 100 }));
    await store.consumption.save(TODAY - 40, figures({ [LAB]: 5 }));

    const read = await store.consumption.read([LAB, 'agents', 'environment:other'], TODAY - 30, TODAY);

    expect(Object.fromEntries(read)).toEqual({
      [LAB]: [
        { day: TODAY - 2, credits: 10 },
        { day: TODAY - 1, credits: 20 },
      ],
      agents: [
        { day: TODAY - 2, credits: 100 },
        { day: TODAY - 1, credits: 120.5 },
      ],
    });
    expect(await store.consumption.read([], TODAY - 30, TODAY)).toEqual(new Map());
  });

  it('is replaced by a later count of the same day', async () => {
    // The last characters are the same: both are kept in one document.
    await store.consumption.save(TODAY, figures({ [LAB]: 10, 'environment:web': 50 }));
    await store.consumption.save(TODAY, figures({ [LAB]: 12 }));

    const read = await store.consumption.read([LAB, 'environment:web'], TODAY, TODAY);

    expect([...read.values()].flat()).toEqual([
      { day: TODAY, credits: 12 },
      { day: TODAY, credits: 50 },
    ]);
  });

  it('is forgotten after its time', async () => {
    await store.consumption.save(10, figures({ [LAB]: 10 }));
    await store.consumption.save(TODAY, figures({ [LAB]: 20 }));

    await store.consumption.forget(TODAY - 124);

    expect(await store.consumption.read([LAB], 0, 20)).toEqual(new Map());
    expect((await store.consumption.read([LAB], TODAY, TODAY)).get(LAB)).toHaveLength(1);
  });
});
