// One limit for all agents of a list: what would change for each, and how it is carried out.
import { describe, expect, it } from 'vitest';
import { AdminFailedError } from '../../../src/admin-api/admin-errors.ts';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { readingOnce } from '../../../src/governance/bulk/slack-plan-items.ts';
import type { StopDecision } from '../../../src/governance/inventory/agent-limit.ts';
import { listCurrencies } from '../../../src/governance/lists/limit-all-views.ts';
import { findSettable } from '../../../src/governance/lists/list-limits.ts';
import { planLimitForAll } from '../../../src/governance/lists/slack-limit-all-plan.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aBulkWorld, KIM } from '../bulk/bulk-world.ts';
import { anAgent } from '../review/review-world.ts';
import { AGENT, aThreshold, NOW } from '../shell/samples.ts';
import { aListFilter } from './list-samples.ts';

const WANTED = { limit: 1_000, notify: true, notificationThreshold: 80, stopWhenReached: false };

const toAgent = (id: string) => ({ ...AGENT, agentResourceId: id, name: id, displayName: `Agent ${id}` });

type Wish = { stopDecision?: StopDecision; currencyType?: string; ids?: string[] };

async function plan(
  readThresholds: AdminSession['readThresholds'],
  { stopDecision, currencyType, ids = ['a', 'b', 'c', 'd', 'e'] }: Wish = {},
) {
  const { changes } = createMemoryStore();
  const wish = { wanted: WANTED, stopDecision, currencyType };
  const { items, leftOut } = await planLimitForAll(ids.map(toAgent), wish, {
    session: readingOnce({ readThresholds }),
    ...{ changes, now: () => NOW },
  });
  const changed = items.map(({ kind, change }) => [change.kind, kind, change.plan.after]);
  return { changed, leftOut };
}

const limited = (resourceId: string, values: Partial<Threshold> = {}) =>
  aThreshold({ resourceId, stopIfOverCapacity: false, notificationThreshold: 80, ...values });

describe('one limit for all agents of a list', () => {
  it('is a first limit, a higher or a lower one, and nothing where it is so already', async () => {
    const { changed, leftOut } = await plan(async () => [
      limited('b', { limit: 500 }),
      limited('c', { limit: 9_000 }),
      limited('d', { limit: 1_000 }),
      limited('e', { limit: 1_000, notificationThreshold: 50 }),
    ]);

    const after = { ...WANTED, stopped: false };
    expect(changed).toEqual([
      ['limit', 'first', after],
      ['limit', 'raised', after],
      ['limit', 'lowered', after],
      ['limit', 'as_high', after],
    ]);
    expect(leftOut).toMatchObject([{ count: 1, why: 'this is their limit already.' }]);
  });

  it('keeps a stopped agent stopped, whatever is said about others', async () => {
    const thresholds = async () => [limited('a', { limit: 500, stopResource: true })];

    const { changed } = await plan(thresholds, { ids: ['a'], stopDecision: 'not_stopped' });

    expect(changed).toEqual([['limit', 'raised', { ...WANTED, stopped: true }]]);
  });

  it('leaves out agents that may be stopped, where nobody said whether they are', async () => {
    const silent = await plan(async () => 'not_offered');
    const said = await plan(async () => 'not_offered', { stopDecision: 'not_stopped', ids: ['a'] });

    expect(silent.changed).toEqual([]);
    expect(silent.leftOut).toMatchObject([{ count: 5, why: expect.stringContaining('and you did not say it') }]);
    expect(said.changed).toEqual([['limit', 'untold', { ...WANTED, stopped: false }]]);
  });

  it('is one in another currency where that was chosen, with one read for all of them', async () => {
    const asked: unknown[] = [];

    const { changed } = await plan(
      async (currencyType) => {
        asked.push(currencyType);
        return currencyType === 'Minutes' ? [limited('a', { limit: 500 })] : [];
      },
      { currencyType: 'Minutes' },
    );

    expect(changed.map(([kind, what]) => [kind, what])).toEqual([
      ['limit', 'raised'],
      ...Array(4).fill(['limit', 'first']),
    ]);
    expect(asked.sort()).toEqual(['Minutes', undefined]);
  });

  it('leaves out what cannot be read, with the reason', async () => {
    const { leftOut } = await plan(async () => {
      throw new AdminFailedError('read thresholds');
    });

    expect(leftOut).toMatchObject([
      { count: 5, why: expect.stringContaining('does not tell whether the agent is stopped') },
    ]);
  });

  it('counts all that the filters leave, but for agents without an environment', async () => {
    const agents = ['a', 'b', 'c'].map((name) => anAgent({ name, agentResourceId: name, environmentId: 'env-1' }));
    const session = {
      findAgents: async () => ({
        rows: [...agents, anAgent({ name: 'd', environmentId: undefined })],
        truncated: false,
      }),
      findEnvironments: async () => ({ rows: [], truncated: false }),
      readThresholds: async () => [limited('b', { environmentId: 'env-1' })],
    } as unknown as AdminSession;
    const { changes } = createMemoryStore();
    const find = (filter: Parameters<typeof findSettable>[0]) =>
      findSettable(filter, { session, changes, now: () => NOW });

    const [none, all] = await Promise.all([find(aListFilter({ none: true })), find(aListFilter())]);

    expect(none.agents.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(all.agents.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('changes nothing by a filter that could not be held against the limits', async () => {
    let reads = 0;
    const session = readingOnce({
      findAgents: async () => ({ rows: [anAgent({ name: 'a', agentResourceId: 'a' })], truncated: false }),
      findEnvironments: async () => ({ rows: [], truncated: false }),
      async readThresholds() {
        reads += 1;
        if (reads === 1) throw new AdminFailedError('read thresholds');
        return [limited('a', { limit: 9_000 })];
      },
    } as unknown as AdminSession);
    const sources = { session, changes: createMemoryStore().changes, now: () => NOW };

    const { agents } = await findSettable(aListFilter({ none: true }), sources);
    const wish = { wanted: WANTED, stopDecision: undefined, currencyType: undefined };
    const { items, leftOut } = await planLimitForAll(agents, wish, sources);

    expect(agents).toHaveLength(1);
    expect(items).toEqual([]);
    expect(leftOut).toMatchObject([
      { count: 1, why: expect.stringContaining('does not tell whether the agent is stopped') },
    ]);
  });

  it('offers the configured currency first, and each other one once', () => {
    expect(listCurrencies('Credits', ['Minutes', 'credits', '', 'Minutes', 'x'.repeat(200)])).toEqual([
      'Credits',
      'Minutes',
    ]);
  });

  it.each(['before', 'after'] as const)(
    'is set once for each agent, wherever the process dies that carries it out: %s each step',
    async (when) => {
      for (let at = 1; ; at += 1) {
        const world = aBulkWorld(3, createMemoryStore);
        world.setAll(500);
        world.thresholds.delete('bot-1');
        const id = `abcdef01${1_000 + at}`;
        const sources = { session: world.session as AdminSession, changes: world.store.changes, now: world.now };
        const wish = { wanted: WANTED, stopDecision: undefined, currencyType: undefined };
        const { items, leftOut } = await planLimitForAll(world.agents, wish, sources);
        const bulk = { schema: 1 as const, id, by: KIM, plannedAt: world.now(), total: items.length, leftOut };
        await world.records.plan(
          bulk,
          items.map(({ change }) => change),
        );
        await world.records.confirm(id, 'one limit for all');
        const dying = world.startProcess({ at, when });
        await dying.work();
        const isAlive = dying.steps() < at;
        world.pass(3 * 60_000);
        await world.startProcess().work();

        const step = `${when} step ${at}`;
        expect([...world.puts].sort(), step).toEqual(['bot-0', 'bot-1', 'bot-2']);
        expect(await world.records.readEnds(id), step).toEqual(Array(3).fill({ kind: 'verified' }));
        expect(
          [...world.thresholds.values()].map(({ limit }) => limit),
          step,
        ).toEqual(Array(3).fill(1_000));
        if (isAlive) break;
      }
    },
  );
});
