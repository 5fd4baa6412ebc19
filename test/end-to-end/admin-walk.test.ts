// The first hour of somebody who has a tenant with 200 environments and no policy, and a day on which 40 places have drifted.
import { describe, expect, it } from 'vitest';
import { ENVIRONMENTS, type GovernanceWalk, ON_POOL, shareGovernanceWalk } from './governance-walk.ts';
import { driftAllocations, driftLimits, withCredits, withRules } from './plant-drift.ts';

/** The whole size takes minutes of computing: AGENTS=3000 for the note. */
const AGENTS = Number(process.env.AGENTS ?? 600);

/** “Environment 15” and its like are for production. */
const WORDS = 'Environment 15';

/** Changes 40 places in the service itself. Returns them, in order. */
function plant({ state }: GovernanceWalk['admin'], areLimitsShown: boolean): string[] {
  const less = { from: 40, count: areLimitsShown ? 5 : 20 };
  const allocations = [
    ...driftAllocations(state, { from: 30, count: 10 }, (one) => withCredits(one, 500)),
    ...driftAllocations(state, less, (one) => withCredits(one, 50)),
    ...driftAllocations(state, { from: 100, count: 10 }, (one) => withRules(one, { PayGo: true })),
  ];
  if (!areLimitsShown) return allocations.toSorted();
  const limits = [
    ...driftLimits(state, { from: 200, count: 5 }, { limit: 9_000 }),
    ...driftLimits(state, { from: 300, count: 5 }, { limit: 1 }),
    ...driftLimits(state, { from: 400, count: 3 }, { stopResource: true }),
    ...driftLimits(state, { from: 500, count: 2 }, { notifyIfOverCapacity: false }),
  ];
  return [...allocations, ...limits].toSorted();
}

type Case = { areLimitsShown: boolean; areOpen: boolean };

function playFirstHour(walk: GovernanceWalk, { areLimitsShown, areOpen }: Case): void {
  it('are governed after at most 12 interactions', { timeout: 300_000 }, async () => {
    const limits = areOpen ? {} : { maker: '500', production: '2000' };
    const isRunning = areLimitsShown || areOpen ? {} : { runs: ['yes'] };
    const { plan, said, last, interactions } = await walk.passFirstHour({ words: WORDS, ...limits, ...isRunning });
    const written = [...walk.admin.state.thresholds.values()].map(({ limit }) => limit);
    const count = AGENTS.toLocaleString('en');
    console.log(
      `first hour, ${count} agents, shown: ${areLimitsShown}, open: ${areOpen}: ${interactions} interactions`,
    );

    expect(plan).toContain(`11 environments as production`);
    expect(plan).toContain(`${ENVIRONMENTS - 11} others as maker`);
    expect(said).toMatch(/^✓/);
    expect(interactions).toBeLessThanOrEqual(12);
    if (areOpen) expect(written).toEqual([]);
    else expect([written.length, new Set(written)]).toEqual([AGENTS, new Set([500, 2_000])]);
    if (areLimitsShown) expect(last).toMatch(/^:white_check_mark:/);
    else expect(last).toContain(`${count} limits as we sent them; changes made elsewhere are invisible.`);
    if (areOpen) expect(last).toContain(`No limit is approved for ${count} agents`);
    // On a busy machine it is said first that it is still looked up.
    await walk.awaitSaid(() => walk.tell('environments pool'), new RegExp(`${ON_POOL} environments`));
  });
}

function playDrift(walk: GovernanceWalk, areLimitsShown: boolean): void {
  it('are put right again after 40 places have drifted, in at most 6', { timeout: 300_000 }, async () => {
    const planted = plant(walk.admin, areLimitsShown);
    const { found, plan, said, last, interactions } = await walk.setAllBack();
    console.log(`40 places set back, limits shown: ${areLimitsShown}: ${interactions} interactions`);

    expect(planted).toHaveLength(40);
    expect(found).toEqual(planted);
    expect(plan).toContain('[Set back 40]');
    expect(said).toMatch(/^✓ \*40 changes\*: 40 read back/);
    expect(interactions).toBeLessThanOrEqual(6);
    expect(last).toMatch(/\*All [\d,]+ settings? (?:is|are) as policy \d+ says\*|^:white_check_mark:/);
  });
}

describe.each([true, false])('200 environments, where the service shows limits: %s', (areLimitsShown) => {
  const walk = shareGovernanceWalk(AGENTS, areLimitsShown);
  playFirstHour(walk, { areLimitsShown, areOpen: false });
  playDrift(walk, areLimitsShown);
});

describe('200 environments, whose default limits are left open', () => {
  playFirstHour(shareGovernanceWalk(AGENTS, true), { areLimitsShown: true, areOpen: true });
});
