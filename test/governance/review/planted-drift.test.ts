// Drift is planted into a tenant that is in order: a review finds what was planted, and nothing else.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Allocation, CurrencyAllocation } from '../../../src/admin-api/licensing-wire.ts';
import { RULE_TYPES, type RuleState, type RuleType } from '../../../src/governance/allocations/allocation.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import type {
  ApprovedAllocation,
  ApprovedLimit,
  RegisteredEnvironment,
  SettingName,
  SettingValue,
} from '../../../src/governance/register/register.ts';
import { listFindings, type Review } from '../../../src/governance/review/review-summary.ts';
import {
  anAgent,
  anEnvironment,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  NOW,
  reviewWorld,
  type World,
} from './review-world.ts';

const state = fc.constantFrom<RuleState>('on', 'off', 'platform-default');
const credits = fc.nat({ max: 100_000 });
const allocation = fc.record({
  currencyType: fc.constantFrom('ServiceMessages', 'AI', 'Invoice'),
  allocated: credits,
  rules: fc.record({ Alert: state, TenantPool: state, PayGo: state, Deny: state }),
});
const limit: fc.Arbitrary<ApprovedLimit> = fc.oneof(
  fc.constant({ monthlyLimit: 'none' as const }),
  fc.record({
    monthlyLimit: credits,
    alertAt: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant('off' as const)),
    stopWhenReached: fc.constantFrom('on' as const, 'off' as const),
  }),
);
const environment = fc.record({
  allocations: fc.uniqueArray(allocation, { minLength: 1, selector: ({ currencyType }) => currencyType }),
  unnamedAgents: fc.option(limit, { nil: undefined }),
  named: fc.array(limit, { maxLength: 2 }),
  unnamed: fc.nat({ max: 2 }),
});

type Entry = Omit<RegisteredEnvironment, 'allocations'> & { allocations: ApprovedAllocation[] };
type Tenant = { entries: Entry[]; world: World; limits: Map<string, ApprovedLimit | undefined> };

type Drawn = typeof environment extends fc.Arbitrary<infer Value> ? Value : never;

/** In order: everything is as approved. `limits` are the approved ones by the agents' names. */
function build(drawn: readonly Drawn[]): Tenant {
  const entries = drawn.map(({ allocations, unnamedAgents, named }, index) => {
    const agents = named.map((one, at) => ({ id: `named-${at}`, name: undefined, owners: [], limit: one }));
    return { ...aRegisteredEnvironment({ id: `env-${index}` }), allocations, unnamedAgents, agents };
  });
  const world = aWorld({
    register: aRegister({ environments: entries }),
    environments: entries.map(({ id }) => anEnvironment({ name: id.toUpperCase() })),
    agents: [],
  });
  const tenant: Tenant = { entries, world, limits: new Map() };
  for (const [index, entry] of entries.entries()) {
    world.allocations.set(entry.id.toUpperCase(), {
      environmentId: entry.id,
      currencyAllocations: entry.allocations.map(toDeployed),
      others: {},
    });
    const { named = [], unnamed = 0, unnamedAgents } = drawn[index] ?? {};
    for (const [at, one] of named.entries()) addAgent(tenant, entry.id, `named-${at}`, one);
    for (let at = 0; at < unnamed; at += 1) addAgent(tenant, entry.id, `unnamed-${at}`, unnamedAgents);
  }
  return tenant;
}

function toDeployed({ currencyType, allocated, rules }: ApprovedAllocation): CurrencyAllocation {
  const listed = RULE_TYPES.filter((rule) => rules[rule] !== 'platform-default');
  const enforcementRules = listed.map((rule) => ({ ruleType: rule, enabled: rules[rule] === 'on', others: {} }));
  return { currencyType, allocated, autoAllocated: undefined, enforcementRules, others: {} };
}

/** Limits are by the name of the agent, so that is one of its own here. */
function addAgent(
  { world, limits }: Tenant,
  environmentId: string,
  id: string,
  approved: ApprovedLimit | undefined,
): void {
  const name = `${environmentId}/${id}`;
  world.agents.push(anAgent({ name, agentResourceId: id, environmentId }));
  world.limits.set(name, toKnown(approved));
  limits.set(name, approved);
}

function toKnown(approved: ApprovedLimit | undefined): KnownLimit {
  if (approved === undefined || approved.monthlyLimit === 'none') return { source: 'none', readAt: NOW };
  const { monthlyLimit, alertAt, stopWhenReached } = approved;
  const alert = { notify: alertAt !== 'off', notificationThreshold: alertAt === 'off' ? 0 : alertAt };
  return {
    source: 'deployment',
    limit: { limit: monthlyLimit, ...alert, stopWhenReached: stopWhenReached === 'on', stopped: false },
    readAt: NOW,
  };
}

/** Which part of the tenant, what becomes of it, and to what: as far as the tenant has such a part. */
const planting = fc.record({
  environment: fc.nat(),
  part: fc.nat(),
  setting: fc.constantFrom<SettingName>('allocated', ...RULE_TYPES, 'monthlyLimit', 'alertAt', 'stopWhenReached'),
  to: state,
  by: fc.integer({ min: 1, max: 1000 }),
});
type Planting = typeof planting extends fc.Arbitrary<infer Value> ? Value : never;

/** Undefined where the tenant has no such part. */
function plan(tenant: Tenant, planting: Planting): Change | undefined {
  const entry = tenant.entries[planting.environment % tenant.entries.length];
  if (entry === undefined) return undefined;
  const isOfAgent = ['monthlyLimit', 'alertAt', 'stopWhenReached'].includes(planting.setting);
  return isOfAgent ? planLimit(entry, tenant, planting) : planCredits(entry, tenant, planting);
}

/** `found`: what the review is to find under the key. */
type Change = { key: string; found: SettingValue; apply: () => void };

function planCredits(entry: Entry, { world }: Tenant, { part, setting, to, by }: Planting): Change | undefined {
  const index = part % entry.allocations.length;
  const approved = entry.allocations[index];
  const found = world.allocations.get(entry.id.toUpperCase()) as Allocation;
  const credits = found.currencyAllocations[index];
  if (approved === undefined || credits === undefined) return undefined;
  const key = `${entry.id} ${approved.currencyType} ${setting}`;
  if (setting === 'allocated') {
    const allocated = approved.allocated + by;
    return { key, found: allocated, apply: () => Object.assign(credits, { allocated }) };
  }
  if (approved.rules[setting as RuleType] === to) return undefined;
  const setRule = () => {
    const others = credits.enforcementRules.filter(({ ruleType }) => ruleType !== setting);
    const own = to === 'platform-default' ? [] : [{ ruleType: setting, enabled: to === 'on', others: {} }];
    Object.assign(credits, { enforcementRules: [...others, ...own] });
  };
  return { key, found: to, apply: setRule };
}

function planLimit(entry: Entry, { world, limits }: Tenant, { part, setting, by }: Planting): Change | undefined {
  const agents = world.agents.filter(({ environmentId }) => environmentId === entry.id);
  const { name = '' } = agents[part % Math.max(1, agents.length)] ?? {};
  const approved = limits.get(name);
  const key = `${name} ${setting}`;
  if (approved?.monthlyLimit === 'none') {
    const limit = { limit: by, notify: true, notificationThreshold: 80, stopWhenReached: true, stopped: false };
    const set = () => world.limits.set(name, { source: 'deployment', limit, readAt: NOW });
    return setting === 'monthlyLimit' ? { key, found: by, apply: set } : undefined;
  }
  const known = world.limits.get(name);
  // Where nothing is approved for it, an agent is unclassified rather than in drift.
  if (approved === undefined || known === undefined || !('limit' in known)) return undefined;
  const { limit } = known;
  if (setting === 'monthlyLimit') {
    const more = approved.monthlyLimit + by;
    return { key, found: more, apply: () => Object.assign(limit, { limit: more }) };
  }
  if (setting === 'stopWhenReached') {
    const stopWhenReached = approved.stopWhenReached === 'off';
    return { key, found: stopWhenReached ? 'on' : 'off', apply: () => Object.assign(limit, { stopWhenReached }) };
  }
  if (approved.alertAt !== 'off') return { key, found: 'off', apply: () => Object.assign(limit, { notify: false }) };
  const alert = { notify: true, notificationThreshold: by };
  return { key, found: by, apply: () => Object.assign(limit, alert) };
}

/** By the same names as what was planted. */
function listFound(review: Review): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const finding of listFindings(review)) {
    for (const { setting, currency = '', found: value } of finding.differences) {
      const of = finding.kind === 'agent' ? finding.agentName : `${finding.environmentId.toLowerCase()} ${currency}`;
      found.set(`${of} ${setting}`, value);
    }
  }
  return found;
}

const drawnTenant = fc.array(environment, { minLength: 1, maxLength: 4 });

describe('planted drift', () => {
  it('is found, all of it, and nothing else is', async () => {
    await fc.assert(
      fc.asyncProperty(drawnTenant, fc.array(planting, { maxLength: 8 }), async (drawn, plantings) => {
        const tenant = build(drawn);
        const changes = new Map(
          plantings.flatMap((one) => plan(tenant, one) ?? []).map((change) => [change.key, change]),
        );
        for (const change of changes.values()) change.apply();

        const review = await reviewWorld(tenant.world);

        const planted = [...changes.values()].map(({ key, found }) => [key, found]);
        expect(Object.fromEntries(listFound(review))).toEqual(Object.fromEntries(planted));
        const drifting = [...listFindings(review)].filter(({ status }) => status === 'drift');
        expect(drifting.every(({ differences }) => differences.length > 0)).toBe(true);
        expect(review.summary.drifts.looser + review.summary.drifts.tighter + review.summary.drifts.unclear).toBe(
          planted.length,
        );
      }),
      { numRuns: 300 },
    );
  });
});
