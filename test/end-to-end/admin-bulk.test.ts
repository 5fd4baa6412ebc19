// *Correct all at once…* under the report of a review: the real app against the stand-ins.
import { DatabaseSync } from 'node:sqlite';
import { type Allocation, CURRENCY, type Threshold } from '@assistant-bridge/sandbox/admin/model.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { giveAdminCommand, readDirect } from '../app/administer.ts';
import { startAppProcess } from '../app/app-process.ts';
import { KIM, signInWithAccount } from './admin-world.ts';
import { BEN, type BulkReviewWorld, RUNNING, startBulkReviewWorld } from './bulk-review-world.ts';

const AGENTS = 300;

let world: BulkReviewWorld;

beforeAll(async () => {
  world = await startBulkReviewWorld({ environments: 20, agents: AGENTS });
  await signInWithAccount(world, BEN, 'lee', await giveAdminCommand(world, BEN, 'sign-in'));
});
beforeEach(() => {
  world.admin.state.thresholds.clear();
  world.admin.ledger.clear();
});
afterAll(() => world.stop());

const render = (shown: Parameters<typeof world.slack.render>[0]) => world.slack.render(shown);
const listLimits = () => [...world.admin.state.thresholds.values()].map(({ limit }) => limit);

describe('Correct all at once…', () => {
  it('shows counts, warnings and a sample before anything is changed', async () => {
    const preview = render(await world.preview(await world.review()));

    expect(preview).toContain('*300 changes* back to what the register approves.');
    expect(preview).toContain('300 agents without a limit: set the approved one');
    expect(preview).toMatch(/When the limit is reached, the agent stops .* \(300 changes: .* and 297 more\)/);
    expect(preview).toContain('… and 297 more');
    expect(preview).toMatch(/Drift found by the review of/);
    expect(world.listPuts()).toEqual([]);
  });

  it('sets each limit once, though the app is killed in the middle, and reports', async () => {
    const preview = await world.preview(await world.review());
    const count = readDirect(world, KIM).length;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const stopWatching = world.admin.onWritten(() => {
      if (world.admin.state.thresholds.size >= 100) resolve();
    });

    await world.slack.as(KIM).submit(preview, {});
    await enough;
    await world.app.kill('SIGKILL');
    stopWatching();
    const made = world.admin.state.thresholds.size;
    age();
    world.app = await startAppProcess(world.environment);
    const report = render(await world.awaitDirect(KIM, count, 'changes made, and read back'));

    expect(made).toBeLessThan(AGENTS);
    expect(report).toContain('300 of 300 changes made, and read back.');
    expect(report).toContain('Page 1 of 20');
    expect(listLimits()).toEqual(Array(AGENTS).fill(500));
    expect(world.listPuts()).toHaveLength(AGENTS);
    expect(new Set(world.listPuts()).size).toBe(AGENTS);
    expect(render(await world.review())).toContain('everything is as approved');
  });

  it('gives each agent one outcome where two admins confirm the same at once, and names the conflicts', async () => {
    const kims = await world.preview(await world.review());
    const bens = await world.preview(await world.review(BEN), RUNNING, BEN);
    const [kimsCount, bensCount] = [readDirect(world, KIM).length, readDirect(world, BEN).length];

    await Promise.all([world.slack.as(KIM).submit(kims, {}), world.slack.as(BEN).submit(bens, {})]);
    const reports = await Promise.all([
      world.awaitDirect(KIM, kimsCount, 'changes made, and read back'),
      world.awaitDirect(BEN, bensCount, 'changes made, and read back'),
    ]);

    const texts = reports.map(render).sort();
    expect(texts[0]).toContain('0 of 300 changes made');
    expect(texts[0]).toMatch(
      /\*Agent \d+\*.*\*Conflict\*, it is not as the preview showed it any more.*Changed from here by @/,
    );
    expect(texts[1]).toContain('300 of 300 changes made');
    expect(world.listPuts()).toHaveLength(AGENTS);
  });

  it('brings back credits, rules and limits that drifted, each with what it had besides', async () => {
    const { allocations, thresholds, agents } = world.admin.state;
    for (const { environmentId, botId = '' } of agents)
      thresholds.set(`${environmentId}|${botId}`, aThreshold(environmentId, botId));
    const before = new Map([...allocations].map(([id, allocation]) => [id, structuredClone(allocation)]));
    const drifted = [...allocations.keys()].slice(0, 12);
    for (const id of drifted) allocations.set(id, drift(before.get(id)));
    for (const { environmentId, botId = '' } of agents.slice(0, 28)) {
      thresholds.set(`${environmentId}|${botId}`, { ...aThreshold(environmentId, botId), limit: 900 });
    }

    const preview = await world.preview(await world.review(), {});
    const count = readDirect(world, KIM).length;
    await world.slack.as(KIM).submit(preview, {});
    const report = await world.awaitDirect(KIM, count, 'changes made, and read back');

    expect(render(preview)).toContain('*40 changes* back to what the register approves.');
    expect(render(preview)).toContain('12 environments with other credits or rules');
    expect(render(preview)).toContain('28 agents with another limit than approved');
    expect(render(preview)).not.toContain('Left as it is');
    expect(render(report)).toContain('40 of 40 changes made, and read back.');
    expect(new Map(allocations)).toEqual(before);
    expect(new Set(listLimits())).toEqual(new Set([500]));
    expect(render(await world.review())).toContain('everything is as approved');
  });

  it('stops where its admin presses the button, and says what was not begun', async () => {
    const preview = await world.preview(await world.review());
    const count = readDirect(world, KIM).length;
    const release = world.admin.onCall(async ({ operation }) => {
      if (operation === 'write-threshold') await new Promise((wake) => setTimeout(wake, 200));
    });

    await world.slack.as(KIM).submit(preview, {});
    const progress = await world.awaitDirect(KIM, count, '*Bulk change*');
    await world.slack.as(KIM).click(progress, 'Stop');
    const report = await world.awaitDirect(KIM, count, 'It was stopped.');
    release();
    await world.slack.as(KIM).click(report, 'Next');

    const made = world.listPuts().length;
    expect(made).toBeLessThan(AGENTS);
    expect(render(report)).toContain(`${made} of 300 changes made, and read back. It was stopped.`);
    expect(render(report)).toContain(`${AGENTS - made} *Skipped*: it was stopped before its turn`);
    await world.awaitDirect(KIM, count, 'Page 2 of 20');
  });
});

function aThreshold(environmentId: string, resourceId: string): Threshold {
  return {
    ...{ entitlementId: CURRENCY, environmentId, resourceId, limit: 500, notificationThreshold: 80 },
    ...{ notifyIfOverCapacity: true, stopIfOverCapacity: true, stopResource: false, resourceConsumption: 12 },
    createdOn: '2026-01-15T08:00:00Z',
  };
}

/** More credits, and drawing on the tenant's pool. */
function drift(allocation: Allocation | undefined): Allocation {
  const [first] = allocation?.currencyAllocations ?? [];
  if (allocation === undefined || first === undefined) throw new Error('there is no allocation');
  const enforcementRules = first.enforcementRules.map((rule) => ({
    ...rule,
    enabled: rule.ruleType === 'TenantPool' || rule.enabled,
  }));
  return { ...allocation, currencyAllocations: [{ ...first, allocated: 900, enforcementRules }] };
}

/** As if ten minutes had gone by. */
function age(): void {
  const database = new DatabaseSync(world.environment.SQLITE_PATH ?? '');
  database.exec(
    "UPDATE documents SET body = json_set(body, '$.at', json_extract(body, '$.at') - 600000) WHERE key LIKE 'change:%'",
  );
  database.close();
}
