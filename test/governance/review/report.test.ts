import { beforeEach, describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminUnreadableError } from '../../../src/admin-api/admin-errors.ts';
import {
  createReports,
  FINDINGS_PER_PAGE,
  type ReportPage,
  type Reports,
} from '../../../src/governance/review/report.ts';
import { listFindings } from '../../../src/governance/review/review-summary.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import {
  aCurrency,
  anAgent,
  anAllocation,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  NOW,
  reviewWorld,
  type World,
} from './review-world.ts';

let now: number;
let reports: Reports;

beforeEach(() => {
  now = NOW;
  const { once } = createMemoryStore(() => now);
  reports = createReports(once, { createId: () => 'r1', now: () => now });
});

const onPool = (enabled: boolean) => anAllocation(aCurrency({ rules: { TenantPool: enabled } }));

/** So many environments of the register, named in order, with so many agents each. */
function aTenant(count: number, agents = 0): World {
  const ids = Array.from({ length: count }, (_, index) => `env-${String(index).padStart(4, '0')}`);
  return aWorld({
    register: aRegister({ environments: ids.map((id) => aRegisteredEnvironment({ id })) }),
    environments: ids.map((name) => anEnvironment({ name })),
    agents: ids.flatMap((environmentId) =>
      Array.from({ length: agents }, (_, index) => anAgent({ name: `${environmentId}-${index}`, environmentId })),
    ),
  });
}

async function readAll(world: World) {
  const head = await reports.keep(await reviewWorld(world));
  const pages: ReportPage[] = [];
  for (let page = 0; page < head.pageCount; page += 1) {
    const found = await reports.read(head.id, page);
    if (found) pages.push(found.page);
  }
  const names = pages.map((page) => [...listFindings(page)].map(({ name }) => name));
  return { head, pages, names };
}

describe('the pages of a report', () => {
  it('are none where everything is in order', async () => {
    const { head, pages } = await readAll(aTenant(3, 2));

    expect([head.pageCount, pages]).toEqual([0, []]);
    expect(await reports.read('r1', 0)).toBeUndefined();
  });

  it('begin with new environments that draw on the pool, and go on in the order of the review', async () => {
    const world = aTenant(3);
    world.allocations.set('env-0001', onPool(true));
    for (const [name, isDrawing] of Object.entries({ 'a-quiet': false, 'z-drawing': true })) {
      world.environments.push(anEnvironment({ name }));
      world.allocations.set(name, onPool(isDrawing));
    }

    const { head, names } = await readAll(world);

    expect(names).toEqual([['z-drawing', 'a-quiet', 'env-0001']]);
    expect(head.newOnTenantPool).toEqual(['z-drawing']);
  });

  it('name every finding once, a page of them at a time, agents under their environment', async () => {
    const world = aTenant(4, 10);
    for (const { name } of world.agents) world.limits.set(name, { source: 'none', readAt: NOW });

    const { pages } = await readAll(world);

    const agents = pages.flatMap((page) => page.environments.flatMap((one) => one.agents.map(({ name }) => name)));
    expect(agents).toEqual(world.agents.map(({ displayName }) => displayName));
    for (const page of pages) expect([...listFindings(page)].length).toBeLessThanOrEqual(FINDINGS_PER_PAGE);
    for (const { environment, agents: own } of pages.flatMap((page) => page.environments)) {
      expect(own.every(({ environmentId }) => environmentId === environment.environmentId)).toBe(true);
    }
  });

  it('leave agents of environments that are new or gone to their environment', async () => {
    const world = aTenant(1);
    world.environments.push(anEnvironment({ name: 'new' }));
    world.agents = ['one', 'two'].map((name) => anAgent({ name, environmentId: 'new' }));

    const { head, pages } = await readAll(world);

    expect(pages[0]?.environments).toMatchObject([{ environment: { name: 'new' }, agents: [], coveredAgents: 2 }]);
    expect(head.covered).toBe(2);
  });

  it('list every agent whose limit is only to be set, up to as many as leave room for drift', async () => {
    const world = aTenant(400, 10);
    for (const { name } of world.agents) world.limits.set(name, { source: 'unknown' });
    world.allocations.set('env-0399', onPool(true));

    const { head, pages, names } = await readAll(world);

    expect(pages[0]?.environments[0]?.agents[0]).toMatchObject({ name: 'The env-0000-0', reason: 'limit_not_told' });
    expect(names.at(-1)).toEqual(['env-0399']);
    expect([head.told, head.cut]).toEqual([[], 800]);
  });

  it('do not repeat a reason that is everywhere', async () => {
    const world = aTenant(60, 1);
    for (const { name } of world.agents) world.limits.set(name, new AdminUnreadableError('read thresholds'));
    for (const { name } of world.environments.slice(1)) {
      world.allocations.set(name, new AdminRefusedError('admin_forbidden', 'read allocation'));
    }
    world.allocations.set('env-0000', 'none');

    const { head, names } = await readAll(world);

    expect(names).toEqual([['env-0000']]);
    expect(head.told.toSorted()).toEqual(['admin_forbidden', 'admin_unreadable']);
    expect(head.summary.isCompliant).toBe(false);
  });

  it('end somewhere, and say how much is beyond', async () => {
    const world = aTenant(4_100);
    for (const { name } of world.environments) world.allocations.set(name, onPool(true));

    const { head, pages } = await readAll(world);

    expect([head.pageCount, pages.length, head.cut]).toEqual([500, 500, 100]);
  });

  it('count an environment once that goes on beyond the last page', async () => {
    const world = aTenant(400, 10);
    for (const { name } of world.environments) world.allocations.set(name, onPool(true));
    for (const { name } of world.agents) world.limits.set(name, { source: 'none', readAt: NOW });

    const { head, pages } = await readAll(world);

    const listed = new Set(pages.flatMap((page) => [...listFindings(page)].map(({ key }) => key)));
    expect(head.cut).toBe(400 * 11 - listed.size);
  });

  it('end with agents of no environment', async () => {
    const world = aWorld({ agents: [anAgent({ environmentId: undefined })] });

    const { pages } = await readAll(world);

    expect(pages).toMatchObject([{ environments: [], strayAgents: [{ reason: 'no_environment' }] }]);
  });
});

describe('a report', () => {
  it('has a finding on one page, and only there', async () => {
    const world = aTenant(10);
    for (const { name } of world.environments) world.allocations.set(name, onPool(true));
    await reports.keep(await reviewWorld(world));

    const [first, second] = [await reports.read('r1', 0), await reports.read('r1', 1)];
    const finding = { environment: expect.objectContaining({ key: 'env-0008', status: 'drift' }) };
    expect(second?.page.environments).toContainEqual(expect.objectContaining(finding));
    expect(first?.page.environments).not.toContainEqual(expect.objectContaining(finding));
    expect(await reports.read('r2', 1)).toBeUndefined();
  });

  it('is kept for a day', async () => {
    const world = aTenant(1);
    world.allocations.set('env-0000', onPool(true));
    await reports.keep(await reviewWorld(world));

    now += 24 * 60 * 60 * 1000 - 1;
    const before = await reports.read('r1', 0);
    now += 1;

    expect(before?.page.environments).toHaveLength(1);
    expect(await reports.read('r1', 0)).toBeUndefined();
  });

  it('counts the decisions that add nothing, and tells how long it took', async () => {
    const review = await reviewWorld(aTenant(1));
    now += 5_000;
    const reasons = ['in_register', 'in_register', 'replaced_by_later'] as const;

    const head = await reports.keep(review, {
      unused: reasons.map((reason, index) => ({ id: String(index), reason })),
    });

    expect(head.unused).toEqual({ in_register: 2, replaced_by_later: 1 });
    expect(head.endedAt - head.at).toBe(5_000);
  });
});
