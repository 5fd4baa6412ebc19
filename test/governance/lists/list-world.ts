// What lists are read from, in memory. A test changes what it is about.
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Agent, Environment } from '../../../src/admin-api/inventory-wire.ts';
import type { Allocation, Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import {
  createConsumption,
  toAgentName,
  toHistoryName,
} from '../../../src/governance/consumption/consumption-history.ts';
import { joinInventory, nameEnvironments } from '../../../src/governance/inventory/inventory.ts';
import type { ListServices } from '../../../src/governance/lists/list.ts';
import { createListReader, type ListName } from '../../../src/governance/lists/list-reader.ts';
import { createSentStore } from '../../../src/governance/run/run-store.ts';
import { toSearchText } from '../../../src/governance/shell/typed-text.ts';
import { applyEdits, type Edit } from '../../../src/policy/edit.ts';
import { createPolicyStore } from '../../../src/policy/policy-store.ts';
import { createModel } from '../../storage/kernel-model.ts';
import { anAgent, anEnvironment, aThreshold } from '../samples.ts';

export const NOW = Date.parse('2026-03-09T12:00:00Z');

export const KIM = { team: 'T1', workspace: 'T1', user: 'U0KIM' };

export const CURRENCY = 'ServiceMessages';

export function anAllocation(environmentId: string, allocated: number, rules: Record<string, boolean>): Allocation {
  const enforcementRules = Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled, others: {} }));
  const currency = { currencyType: CURRENCY, allocated, autoAllocated: undefined, enforcementRules, others: {} };
  return { environmentId, currencyAllocations: [currency] };
}

export function anEntitlement(values: Partial<Entitlement> = {}): Entitlement {
  return {
    ...{
      entitlementId: CURRENCY,
      consumed: 800,
      consumptionType: 'MonthToDate',
      asOf: NOW - 3_600_000,
    },
    ...{ capacity: 1_000, payGoConsumed: 0, ...values },
  };
}

export type ListWorld = ReturnType<typeof aListWorld>;

export function aListWorld() {
  const clock = { at: NOW };
  const now = () => clock.at;
  const kernel = createModel(now);
  const policy = createPolicyStore(kernel);
  const calls: string[] = [];
  const world = {
    agents: [anAgent()] as Agent[],
    environments: [anEnvironment()] as Environment[],
    thresholds: [aThreshold()] as Threshold[] | 'not_offered' | Error,
    allocations: new Map<string, Allocation | 'none' | Error>(),
    entitlements: new Map<string, Entitlement[] | Error>(),
    isTruncated: false,
    readsLimits: true,
    calls,
    history: createConsumption(kernel),
    kernel,
    passMs(ms: number) {
      clock.at += ms;
    },
    async approve(...edits: Edit[]) {
      const before = await policy.read();
      await policy.replace(
        before,
        applyEdits(before.policy, edits, { by: 'U0KIM', reason: 'Because it is so', at: NOW }),
      );
    },
    /** As the command does, and as a page that is turned does. */
    read: (name: ListName, typed: string, isFresh = true, as = session) =>
      reader.read({ name, typed: toSearchText(typed), caller: KIM, session: as, timeZone: 'utc', isFresh }),
    /** The rows of the CSV, by their columns. */
    async rows(name: ListName, typed = '') {
      const found = await world.read(name, typed);
      if ('problem' in found) throw new Error(found.problem);
      const { list, result } = found;
      const rows = result.rows.map((row) => Object.fromEntries(list.columns.map((one) => [one.name, one.read(row)])));
      return { rows, notes: result.notes, unsure: result.unsure, totals: list.totals(result.rows) };
    },
  };
  const orThrow = <T>(value: T | Error): T => {
    if (value instanceof Error) throw value;
    return value;
  };
  const session = {
    findAgents: async () => ({ rows: world.agents, truncated: world.isTruncated }),
    findEnvironments: async () => ({ rows: world.environments, truncated: world.isTruncated }),
    readThresholds: async () => orThrow(world.thresholds),
    async readAllocation(id: string) {
      calls.push(`allocation ${id}`);
      return orThrow(world.allocations.get(id) ?? 'none');
    },
    async readEntitlements(id: string) {
      calls.push(`entitlements ${id}`);
      return orThrow(world.entitlements.get(id) ?? []);
    },
  } as unknown as AdminSession;
  const services = {
    ...{ currency: CURRENCY, hasInterface: true, history: world.history, now, policy },
    owners: {
      findUser: async (_: unknown, id: string) => (id === 'owner-ana' ? 'U0ANA' : undefined),
      findId: async (_: unknown, user: string) => (user === 'U0ANA' ? 'owner-ana' : undefined),
    },
    get readsLimits() {
      return world.readsLimits;
    },
    known: {
      read: async () => ({
        rows: joinInventory(world.agents, world.environments),
        environments: nameEnvironments(world.environments),
        at: NOW,
      }),
    },
    ...{ sent: createSentStore(kernel), stopping: new AbortController().signal },
  } as unknown as ListServices;
  const reader = createListReader(services);
  return Object.assign(world, { reader, services, session });
}

/** Names of others, at their worst. */
export const BAD_NAME = '&<>*_`:x: '.repeat(40);

/** Everything is as long and as large as it can be. */
export async function aWorstListWorld(): Promise<ListWorld> {
  const world = aListWorld();
  const bad = BAD_NAME;
  const ids = Array.from({ length: 20 }, (_, index) => `${index}${bad}`);
  world.environments = ids.map((id) => anEnvironment({ name: id, displayName: bad, ownerId: bad }));
  world.agents = ids.map((id) =>
    anAgent({ name: id, displayName: bad, environmentId: id, ownerId: bad, isHarness: 'unknown' }),
  );
  const huge = { limit: 1e300, consumption: 1e299 };
  world.thresholds = ids.map((id) => aThreshold({ environmentId: id, resourceId: id, ...huge }));
  for (const id of ids) {
    world.allocations.set(id, anAllocation(id, 1e15, { Alert: true, TenantPool: true, PayGo: true, Deny: true }));
    world.entitlements.set(id, [anEntitlement({ consumed: 1e300, payGoConsumed: 1e300 })]);
  }
  await world.history.save(20_520, new Map(ids.map((id) => [toHistoryName(id), 1e300] as const)));
  const ofAgents = ids.map((id) => [toAgentName({ environmentId: id, agentId: id }), 1e300] as const);
  await world.history.save(20_543, new Map(ofAgents));
  return world;
}
