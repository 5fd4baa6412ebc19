// The size that a review is made for, through the real app: 2,000 environments and 20,000 agents.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Allocation, CURRENCY, type Threshold } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDirect as readAllDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';
import { buildRegister } from './bulk-review-world.ts';

const ENVIRONMENTS = 2_000;
const AGENTS = 20_000;

const inventory = generateInventory({ environments: ENVIRONMENTS, agents: AGENTS });
const folder = mkdtempSync(join(tmpdir(), 'register-'));
const register = join(folder, 'register.yaml');

let world: AdminWorld;

beforeAll(async () => {
  writeFileSync(register, buildRegister(inventory.environments.map(({ name }) => name)));
  const thresholds = inventory.agents.map(({ environmentId, botId = '' }) => aThreshold(environmentId, botId));
  const admin = { thresholdList: true, ...inventory, thresholds };
  world = await startAdminWorld({ admin }, { GOVERNANCE_REGISTER: register });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

function aThreshold(environmentId: string, resourceId: string, limit = 500): Threshold {
  return {
    ...{ entitlementId: CURRENCY, environmentId, resourceId, limit, notificationThreshold: 80 },
    ...{ notifyIfOverCapacity: true, stopIfOverCapacity: true, stopResource: false, resourceConsumption: 12 },
    createdOn: '2026-01-15T08:00:00Z',
  };
}

const onPool = (environmentId: string): Allocation => {
  const enforcementRules = Object.entries({ Alert: true, TenantPool: true, PayGo: false, Deny: true }).map(
    ([ruleType, enabled]) => ({ ruleType, enabled }),
  );
  return {
    environmentId,
    currencyAllocations: [{ currencyType: CURRENCY, allocated: 100, autoAllocated: 0, enforcementRules }],
  };
};

/** Two rules, a limit, and a new environment on the pool. */
function plantDrift(): void {
  const { allocations, thresholds, environments } = world.admin.state;
  for (const id of ['environment-000007', 'environment-001500', 'environment-new']) allocations.set(id, onPool(id));
  environments.push({ name: 'environment-new', displayName: 'Brand new', ownerId: 'owner-1' });
  thresholds.set('environment-000345|bot-12345', aThreshold('environment-000345', 'bot-12345', 900));
}

const readDirect = (): Message[] => readAllDirect(world, KIM);

const readRssMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.app.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The most requests that were open at once. */
function findMostInFlight(): number {
  const ends = world.admin.ledger.requests.map(({ at, closedAt = at }) => ({ at, closedAt }));
  return Math.max(...ends.map(({ at }) => ends.filter((other) => other.at <= at && other.closedAt > at).length));
}

type Watched = { peakMb: number; refused: unknown[]; told: ReadonlySet<string> };

/** Meanwhile others use the app: whom it keeps waiting for too long, how large it gets, and what it says. */
async function watchWhile(work: Promise<unknown>): Promise<Watched> {
  const told = new Set<string>();
  const refused: unknown[] = [];
  let [peakMb, isOver] = [0, false];
  const end = () => {
    isOver = true;
  };
  void work.then(end, end);
  while (!isOver) {
    const { error } = await world.slack.as(KIM).command('/assistant', 'help', 'C0GENERAL');
    if (error) refused.push(error);
    peakMb = Math.max(peakMb, readRssMb());
    for (const { text } of readDirect()) if (text.includes('2,001 environments')) told.add(text);
    await sleep(25);
  }
  await work;
  return { peakMb, refused, told };
}

describe('a large review', () => {
  it('names exactly what was planted, a few requests at a time, while the app answers others', async () => {
    plantDrift();
    world.admin.faults.always('delay', { on: 'read-allocation', ms: 5 });
    const beforeMb = readRssMb();
    const says = (what: string) => readDirect().find(({ blocks }) => JSON.stringify(blocks).includes(what));

    await world.slack.as(KIM).command('/assistant-admin', 'review', 'C0GENERAL');
    const { peakMb, refused, told } = await watchWhile(
      world.slack.until(() => says('finished in'), { timeoutMs: 90_000 }),
    );

    const text = world.slack.render(says(' · as of ') as Message);
    expect(text.match(/^(?:↳ )?\*.+\* · .+ · .+$/gm)?.map((line) => line.split('*')[1])).toEqual([
      ...['Brand new', 'Environment 7', 'Environment 345', 'Agent 12345', 'Environment 1500'],
    ]);
    expect(text).toContain('*Review: 4 findings not in order.*');
    expect(text).toMatch(/\*20,000 agents\*\s+19,999 as approved\s+1 with drift/);
    expect(told.size).toBeGreaterThan(0);
    expect(findMostInFlight()).toBeLessThanOrEqual(4);
    // Slack waits three seconds for each.
    expect(refused).toEqual([]);
    expect(peakMb - beforeMb).toBeLessThan(250);
  });
});
