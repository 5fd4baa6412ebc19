// The five steps of governance on a service as the contract shows it: no limit of an agent can be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNNING } from './bulk-review-world.ts';
import { type GovernanceWalk, passFiveSteps, startGovernanceWalk } from './governance-walk.ts';
import { addAgents, driftAllocations, driftLimits, withCredits, withRules } from './plant-drift.ts';

const AS_TOLD = 'Review: everything is as approved, as far as the service tells.';

/** As many steps as with thousands, and sooner done. */
const AGENTS = 600;

let walk: GovernanceWalk;

beforeAll(async () => {
  walk = await startGovernanceWalk(AGENTS, false);
});
afterAll(() => walk.stop());

describe('200 environments and 600 agents whose limits cannot be read, from Slack alone', () => {
  it('go from an empty register to a review in which all is as approved, as far as the service tells', async () => {
    const { drift, corrected, last } = await passFiveSteps(walk, RUNNING);

    expect(drift).toContain('not all of it could be read, so it does not count as compliant.');
    expect(corrected.preview).toContain('600 agents with an unknown limit: set the approved one');
    expect(corrected.told).toContain(
      '630 of 630 changes made. 600 limits could not be read back, because the service does not show limits.',
    );
    expect(last).toContain(AS_TOLD);
    expect(walk.admin.state.thresholds.size).toBe(AGENTS);
    expect(walk.countSteps()).toBeLessThan(30);
  }, 300_000);

  it('drift at 40 places that the service tells: exactly these are found, and corrected in under 10 steps', async () => {
    const { state } = walk.admin;
    const before = structuredClone(state.allocations);
    const planted = [
      ...addAgents(state, { from: 60, count: 14 }),
      ...driftAllocations(state, { from: 5, count: 10 }, (one) => withCredits(one, 900)),
      ...driftAllocations(state, { from: 40, count: 6 }, (one) => withRules(one, { TenantPool: true })),
      ...driftAllocations(state, { from: 120, count: 5 }, (one) => withRules(one, { PayGo: true })),
      ...driftAllocations(state, { from: 195, count: 5 }, (one) => withRules(one, { Deny: false })),
    ];
    const [unseen = ''] = driftLimits(state, { from: 100, count: 1 }, { limit: 900 });
    const steps = walk.countSteps();

    const report = await walk.review();
    const found = await walk.listFound();
    const corrected = await walk.correctAll(report, RUNNING);
    const last = walk.slack.render(await walk.review());

    expect(planted).toHaveLength(40);
    expect(found).toEqual(planted.toSorted());
    expect(corrected.told).toContain(
      '40 of 40 changes made. 14 limits could not be read back, because the service does not show limits.',
    );
    expect(new Map(state.allocations)).toEqual(before);
    expect(state.thresholds.size).toBe(AGENTS + 14);
    // Nobody can see this one, and the report does not claim to.
    expect(state.thresholds.get(unseen)?.limit).toBe(900);
    expect(last).toContain(AS_TOLD);
    expect(last).toContain('If somebody changed one elsewhere since, this review does not see it.');
    expect(walk.countSteps() - steps).toBeLessThan(10);
  }, 300_000);
});
