// The five steps of governance, from an empty register to a review in which all is as approved, and back to it after drift.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENVIRONMENTS, type GovernanceWalk, ON_POOL, passFiveSteps, startGovernanceWalk } from './governance-walk.ts';
import { addAgents, driftAllocations, driftLimits, withCredits, withRules } from './plant-drift.ts';

const AGENTS = 3_000;

let walk: GovernanceWalk;

beforeAll(async () => {
  walk = await startGovernanceWalk(AGENTS, true);
});
afterAll(() => walk?.stop());

describe('200 environments and 3,000 agents, from Slack alone', () => {
  it('go from an empty register to a review in which all is as approved, in under 30 steps', async () => {
    const { agents, found, production, makers, drift, corrected, last } = await passFiveSteps(walk);

    expect(agents).toContain('1,000 harness agents');
    expect(agents).toContain('Owner: owner-0 · Harness agent: yes');
    expect(found).toContain(`${ENVIRONMENTS} not in the register`);
    expect(found).toContain(`*${ON_POOL} new environments draw on the tenant pool`);
    expect(production.told).toContain('1 of 1 environment classified.');
    expect(makers.told).toContain('199 of 199 environments classified.');
    expect(drift).toContain('*Review: 3,030 findings not in order.*');
    expect(corrected.preview).toContain(`${ON_POOL} environments with other credits or rules`);
    expect(corrected.told).toContain('3,030 of 3,030 changes made, and read back.');
    expect(last).toContain('Review: everything is as approved.');
    expect(walk.admin.state.thresholds.size).toBe(AGENTS);
    expect(walk.countSteps()).toBeLessThan(30);
  }, 300_000);

  it('drift at 40 places: exactly these are found, and corrected in under 10 steps', async () => {
    const { state } = walk.admin;
    const before = structuredClone(state.allocations);
    const planted = [
      ...driftLimits(state, { from: 100, count: 8 }, { limit: 900 }),
      ...driftLimits(state, { from: 700, count: 4 }, { stopIfOverCapacity: false }),
      ...driftLimits(state, { from: 1_300, count: 4 }, { notificationThreshold: 95 }),
      ...driftLimits(state, { from: 2_900, count: 4 }, undefined),
      ...addAgents(state, { from: 60, count: 6 }),
      ...driftAllocations(state, { from: 5, count: 5 }, (one) => withCredits(one, 900)),
      ...driftAllocations(state, { from: 40, count: 3 }, (one) => withRules(one, { TenantPool: true })),
      ...driftAllocations(state, { from: 120, count: 3 }, (one) => withRules(one, { PayGo: true })),
      ...driftAllocations(state, { from: 197, count: 3 }, (one) => withRules(one, { Deny: false })),
    ];
    const steps = walk.countSteps();

    const report = await walk.review();
    const found = await walk.listFound();
    const corrected = await walk.correctAll(report);
    const last = await walk.review();

    expect(planted).toHaveLength(40);
    expect(found).toEqual(planted.toSorted());
    expect(corrected.preview).toContain('The allocation is lowered: it is used up sooner. (5 changes: ');
    expect(corrected.preview).toContain('The limit is lowered: it is reached sooner. (8 changes: ');
    expect(corrected.told).toContain('40 of 40 changes made, and read back.');
    expect(walk.slack.render(last)).toContain('Review: everything is as approved.');
    expect(new Map(state.allocations)).toEqual(before);
    expect(new Set([...state.thresholds.values()].map(({ limit }) => limit))).toEqual(new Set([500, 2_000]));
    expect(state.thresholds.size).toBe(AGENTS + 6);
    expect(walk.countSteps() - steps).toBeLessThan(10);
  }, 300_000);
});
