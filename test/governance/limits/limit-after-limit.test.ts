// Two changes of one agent: at the same time, or the second after the first broke off.
import { describe, expect, it } from 'vitest';
import { AdminThrottledError } from '../../../src/admin-api/admin-errors.ts';
import { applyChange } from '../../../src/governance/changes/apply-change.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import type { LimitPlan } from '../../../src/governance/limits/limit-plan.ts';
import { aDeployedLimit, aLimitChange, anAgentLimit, aPlan, aThreshold, NOW } from '../shell/samples.ts';
import { aLimitWorld, REQUEST, type Read } from './limit-world.ts';

const WRITTEN = aThreshold({ limit: 2000 });

describe('two changes of one agent at once', () => {
  it('come one after the other, and the second finds what the first has set, under either id of the agent', async () => {
    let held = aThreshold({ resourceId: 'agent-1' });
    const { ports } = aLimitWorld([]);
    ports.session.readThresholds = async () => [held];
    ports.session.putThreshold = async ({ limit }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      held = { ...held, limit };
      return {};
    };
    const [one, other] = [2000, 3000].map((limit) => aPlan(aDeployedLimit(), { limit })) as [LimitPlan, LimitPlan];
    const byOtherId = { ...other, agent: { ...other.agent, environmentId: 'ENV-1', agentResourceId: 'agent-1' } };

    const outcomes = await Promise.all(
      [one, byOtherId].map((plan, index) =>
        applyChange(LIMIT_KIND, plan, { ...REQUEST, changeId: `change-${index}` }, ports),
      ),
    );

    expect(outcomes[0]).toEqual({ kind: 'verified' });
    const found = aDeployedLimit({ limit: 2000 });
    expect(outcomes[1]).toEqual({ kind: 'conflict', stage: 'before_write', expected: aDeployedLimit(), found });
    expect(held.limit).toBe(2000);
  });
});

/** A change to 2,000 whose process died, `ago` ms before now. */
async function aBrokenOff(reads: Read[], ago: number) {
  const world = aLimitWorld(reads);
  await world.changes.begin(
    aLimitChange({
      ...{ id: 'broken-off', environmentId: 'ENV-1', at: NOW - ago },
      ...{ before: aDeployedLimit(), after: anAgentLimit({ limit: 2000 }) },
    }),
  );
  return { ...world, outcomeOf: async () => (await world.changes.get('broken-off'))?.outcome };
}

describe('a change that broke off', () => {
  const reason = 'interrupted';

  it.each<[string, number, Read, object]>([
    ['was carried out', 10, [WRITTEN], { kind: 'verified', written: 'yes', reason }],
    ['was not', 120_000, [aThreshold()], { kind: 'failed', written: 'no', reason }],
    ['may still be on its way', 10, [aThreshold()], { kind: 'failed', written: 'perhaps', reason }],
    ['is lost in another', 10, [aThreshold({ limit: 7 })], { kind: 'conflict', written: 'perhaps', reason }],
    ['is not told', 10, 'not_offered', { kind: 'applied_not_verified', written: 'perhaps', reason }],
  ])('is ended by the next change, by what was there before that: it %s', async (_, ago, found, ended) => {
    const { apply, outcomeOf } = await aBrokenOff([found, [aThreshold({ limit: 3000 })]], ago);

    await apply(aPlan(aDeployedLimit(), { limit: 3000 }));

    expect(await outcomeOf()).toMatchObject(ended);
  });

  it('stays open where the look fails, and where its end cannot be recorded', async () => {
    const failing = await aBrokenOff([new AdminThrottledError('read thresholds', undefined)], 10);
    await failing.apply(aPlan(aDeployedLimit()));
    const full = await aBrokenOff([[aThreshold()], [WRITTEN]], 10);
    const { finish } = full.changes;
    full.ports.changes.finish = (id, outcome) =>
      id === 'broken-off' ? Promise.reject(new Error('the store is full')) : finish(id, outcome);

    await expect(full.apply(aPlan(aDeployedLimit()))).resolves.toEqual({ kind: 'verified' });

    expect([await failing.outcomeOf(), await full.outcomeOf()]).toEqual([undefined, undefined]);
  });

  it('writes nothing where its process only stood still, and another has ended it meanwhile', async () => {
    const { apply, ports, changes, putThreshold } = aLimitWorld([[aThreshold()]]);
    const { readThresholds } = ports.session;
    ports.session.readThresholds = async () => {
      const read = await readThresholds();
      await changes.finish('change-1', { kind: 'failed', written: 'perhaps', reason });
      return read;
    };

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'overtaken' } });
    expect(putThreshold.called).toBe(false);
    const ended = { kind: 'failed', written: 'no', reason: 'overtaken' };
    expect((await changes.get('change-1'))?.outcome).toEqual(ended);
  });
});
