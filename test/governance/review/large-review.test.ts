// The size that a review is made for: 2,000 environments and 20,000 agents.

import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { Register } from '../../../src/governance/register/register.ts';
import { diffReviews } from '../../../src/governance/review/review-diff.ts';
import { listFindings } from '../../../src/governance/review/review-summary.ts';
import {
  aCurrency,
  aDeployed,
  anAllocation,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  NOW,
  reviewWorld,
  toPorts,
  type World,
} from './review-world.ts';

const ENVIRONMENTS = 2_000;
const AGENTS = 20_000;

function aLargeWorld(register?: Register): World {
  const inventory = generateInventory({ environments: ENVIRONMENTS, agents: AGENTS });
  const environments = inventory.environments.map(({ name, displayName, ownerId }) => ({ name, displayName, ownerId }));
  return aWorld({
    register:
      register ?? aRegister({ environments: environments.map(({ name }) => aRegisteredEnvironment({ id: name })) }),
    environments,
    agents: inventory.agents.map(({ name, displayName, environmentId, ownerId, botId = name }) => {
      return { name, displayName, environmentId, ownerId, agentResourceId: botId, isHarness: 'unknown' as const };
    }),
  });
}

/** Drift of an environment and of an agent, one that cannot be read, one that is new, one that has gone. */
function plantDrift(world: World): void {
  const onPool = anAllocation(aCurrency({ rules: { TenantPool: true } }));
  world.allocations.set('environment-000007', onPool);
  world.allocations.set('environment-001500', new AdminRefusedError('admin_forbidden', 'read allocation'));
  world.allocations.set('environment-002001', onPool);
  world.limits.set('agent-012345', aDeployed({ limit: 900 }));
  world.environments.push({ name: 'environment-002001', displayName: 'New', ownerId: undefined });
  world.register.environments.push(aRegisteredEnvironment({ id: 'environment-gone' }));
}

describe('a large review', () => {
  it('names exactly what is not in order, and never holds more than a few allocations at once', async () => {
    const world = aLargeWorld();
    plantDrift(world);
    const ports = toPorts(world);
    const held = { now: 0, most: 0, reads: 0 };
    const readAllocation = async (id: string) => {
      held.reads += 1;
      held.now += 1;
      held.most = Math.max(held.most, held.now);
      await new Promise(setImmediate);
      return ports.readAllocation(id).finally(() => {
        held.now -= 1;
      });
    };
    let told = 0;

    const review = await reviewWorld(world, { ports: { readAllocation }, onProgress: () => (told += 1) });

    const unordered = [...listFindings(review)].filter(({ status }) => status !== 'compliant');
    expect(unordered.map(({ key, status }) => [key, status])).toEqual([
      ['environment-000007', 'drift'],
      ['environment-000345\nagent-012345', 'drift'],
      ['environment-001500', 'unreadable'],
      ['environment-gone', 'vanished'],
      ['environment-002001', 'unclassified'],
    ]);
    expect(review.summary).toMatchObject({
      environments: { compliant: ENVIRONMENTS - 2, drift: 1, unreadable: 1, unclassified: 1, vanished: 1 },
      agents: { compliant: AGENTS - 1, drift: 1 },
      newOnTenantPool: 1,
    });
    expect(held).toEqual({ now: 0, most: 4, reads: ENVIRONMENTS + 1 });
    expect(told).toBe(1 + ENVIRONMENTS + 2);
  });

  it('leaves behind what is not in order, and little of it', async () => {
    const world = aLargeWorld();
    plantDrift(world);

    const { snapshot, changes } = diffReviews(undefined, await reviewWorld(world));

    expect(changes).toHaveLength(5);
    expect(JSON.stringify(snapshot).length).toBeLessThan(1_000);
  });

  it('leaves less than a hundred bytes for each finding behind where nothing is in order', async () => {
    const world = aLargeWorld();
    for (const { name } of world.environments) world.allocations.set(name, anAllocation());
    for (const { name } of world.agents) world.limits.set(name, { source: 'none', readAt: NOW });

    const { snapshot } = diffReviews(undefined, await reviewWorld(world));

    expect(JSON.stringify(snapshot).length).toBeLessThan(100 * (ENVIRONMENTS + AGENTS));
  });
});
