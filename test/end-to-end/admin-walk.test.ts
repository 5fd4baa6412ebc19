// The first hour of somebody who has a tenant with 200 environments and no policy, and a day on which 40 places have drifted.
// It counts whatever their hand does.
import { withCredits, withRules } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { describe, expect, it } from 'vitest';
import { awaitModal } from '../app/open-window.ts';
import { readCsv } from '../governance/exports/sheet-rows.ts';
import { KIM, PLAN } from './admin-world.ts';
import { type AdminWorld, shareAdminWorld } from './live-admin.ts';
import { driftAllocations, driftLimits } from './plant-drift.ts';

const ENVIRONMENTS = 200;

/** Environments that draw on the tenant pool, as the service may create them. */
const ON_POOL = 30;

/** The whole size takes minutes of computing: AGENTS=3000 for the note. */
const AGENTS = Number(process.env.AGENTS ?? 240);

/** “Environment 15” and its like are for production. */
const DRAFT = { words: 'Environment 15', maker: '500', production: '2000' };

/** Changes 40 places in the service itself. Returns them, in order. */
function plant({ state }: AdminWorld['admin'], areLimitsShown: boolean): string[] {
  const less = { from: 40, count: areLimitsShown ? 5 : 20 };
  const allocations = [
    ...driftAllocations(state, { from: 30, count: 10 }, (one) => withCredits(one, 500)),
    ...driftAllocations(state, less, (one) => withCredits(one, 50)),
    ...driftAllocations(state, { from: 100, count: 10 }, (one) => withRules(one, { PayGo: true })),
  ];
  if (!areLimitsShown) return allocations.toSorted();
  const limits = [
    ...driftLimits(state, { from: 200, count: 5 }, { limit: 9_000 }),
    ...driftLimits(state, { from: 210, count: 5 }, { limit: 1 }),
    ...driftLimits(state, { from: 220, count: 3 }, { stopResource: true }),
    ...driftLimits(state, { from: 230, count: 2 }, { notifyIfOverCapacity: false }),
  ];
  return [...allocations, ...limits].toSorted();
}

function buildTenant() {
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents: AGENTS });
  const allocations = inventory.allocations.map((one, index) =>
    index < ON_POOL ? withRules(one, { TenantPool: true }) : one,
  );
  return { ...inventory, allocations };
}

describe.each([true, false])('200 environments, where the service shows limits: %s', (areShown) => {
  const world = shareAdminWorld({ admin: { thresholdList: areShown, ...buildTenant() } });

  /** The places that a report has rows of: `environment|agent`. */
  async function readFound(report: Message): Promise<string[]> {
    const before = world.files().length;
    await world.slack.as(KIM).click(report, 'CSV of all');
    const rows = readCsv((await world.slack.until(() => world.files()[before])).content);
    const differing = rows.filter(({ finding }) => finding !== 'unknown' && finding !== 'ending');
    return [...new Set(differing.map((row) => `${row.environment_id}|${row.agent_id ?? ''}`))].toSorted();
  }

  it('are governed after at most 12 interactions', { timeout: 300_000 }, async () => {
    const begun = world.countSteps();
    const empty = await world.awaitSaid(() => world.tell('review'), /The policy is empty/);
    const form = await world.press(empty, 'Draft a policy…');
    await world.submit(form, { ...DRAFT, ...(!areShown && { runs: ['yes'] }) });
    const plan = await awaitModal(world, KIM, PLAN);
    const shown = world.render(plan);
    const said = world.render(await world.decide(plan));
    const last = world.render(await world.review());
    const interactions = world.countSteps() - begun;
    const written = [...world.admin.state.thresholds.values()].map(({ limit }) => limit);
    console.log(`first hour, ${AGENTS} agents, limits shown: ${areShown}: ${interactions} interactions`);

    expect(shown).toContain(`11 environments as production`);
    expect(shown).toContain(`${ENVIRONMENTS - 11} others as maker`);
    if (!areShown) expect(shown).toContain(`*${AGENTS} agents*: What is set now cannot be seen here. It is replaced.`);
    expect(said).toMatch(/^✓/);
    expect(interactions).toBeLessThanOrEqual(12);
    expect([written.length, new Set(written)]).toEqual([AGENTS, new Set([500, 2_000])]);
    if (areShown) expect(last).toMatch(/^:white_check_mark:/);
    else expect(last).toContain(`${AGENTS} limits as we sent them; changes made elsewhere are invisible.`);
    // On a busy machine it is said first that it is still looked up.
    await world.awaitSaid(() => world.tell('environments pool'), new RegExp(`${ON_POOL} environments`));
  });

  it('are put right again after 40 places have drifted, in at most 6', { timeout: 300_000 }, async () => {
    const planted = plant(world.admin, areShown);
    const begun = world.countSteps();
    const report = await world.review();
    const uncounted = world.countSteps();
    const found = await readFound(report);
    const reading = world.countSteps() - uncounted;
    const plan = await world.press(report, 'review_set_back_all');
    const shown = world.render(plan);
    const said = world.render(await world.decide(plan));
    const last = world.render(await world.review());
    const interactions = world.countSteps() - begun - reading;
    console.log(`40 places set back, limits shown: ${areShown}: ${interactions} interactions`);

    expect(planted).toHaveLength(40);
    expect(found).toEqual(planted);
    expect(shown).toContain('[Set back 40]');
    expect(said).toMatch(/^✓ \*40 changes\*: 40 read back/);
    expect(interactions).toBeLessThanOrEqual(6);
    expect(last).toMatch(/\*All [\d,]+ settings? (?:is|are) as policy \d+ says\*|^:white_check_mark:/);
  });
});
