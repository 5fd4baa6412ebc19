import { PEOPLE } from '../identity-provider/people.ts';
import {
  type AdminState,
  type Agent,
  type Allocation,
  CURRENCY,
  type Environment,
  type Threshold,
  toThresholdKey,
} from './model.ts';

const id = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-00000000000${digit}`;

/** By which the directory knows them, so that owners show as people. */
export const oidOf = (key: string) => PEOPLE.get(key)?.oid ?? '';

/** Three environments: production, makers (quotes in its name), and the default one, which has no allocation. */
export const SEED_ENVIRONMENTS: readonly Environment[] = [
  { name: id(1), displayName: 'Contoso Production', ownerId: oidOf('ana') },
  { name: id(2), displayName: `Ana's "Makers" lab`, ownerId: oidOf('ben'), isTenantPoolLocked: true },
  { name: `Default-${id(3)}`, displayName: 'Contoso (default)', ownerId: oidOf('kim') },
];

/** Six agents. Two share a bot id in different environments; what tells a harness agent comes in all its shapes. */
const SEED_AGENTS: readonly Agent[] = [
  buildSeedAgent('agent-1', 'Invoice Reader', 0, { isCLIAgent: true, botId: 'bot-1' }),
  buildSeedAgent('agent-2', 'Travel Planner', 0, { isCLIAgent: false, botId: 'bot-2' }),
  buildSeedAgent('agent-3', 'Invoice Reader', 1, { isCLIAgent: 'true', botId: 'bot-1' }),
  buildSeedAgent('agent-4', 'Spec Writer', 1, { isCLIAgent: true, botId: 'bot-4' }),
  buildSeedAgent('agent-5', 'Old Helper', 1, { botId: 'bot-5' }),
  buildSeedAgent('agent-6', 'Trial Bot', 2, { isCLIAgent: true }),
];

function buildSeedAgent(name: string, displayName: string, environment: number, parts: Partial<Agent>): Agent {
  const { name: environmentId = '', ownerId: owner = '' } = SEED_ENVIRONMENTS[environment] ?? {};
  return { name, displayName, environmentId, ownerId: owner, ...parts };
}

/** What a stand-in is to begin with; the seeds where it names no environments. */
export type Inventory = Licensing & {
  readonly environments?: readonly Environment[] | undefined;
  readonly agents?: readonly Agent[] | undefined;
};

export function createAdminState(inventory: Inventory = {}): AdminState {
  const { environments = SEED_ENVIRONMENTS, agents = SEED_AGENTS } = inventory;
  const state: AdminState = {
    environments: environments.map((environment) => ({ ...environment })),
    agents: agents.map((agent) => ({ ...agent })),
    allocations: new Map(),
    thresholds: new Map(),
    entitlements: new Map(),
    prepaid: 100_000,
    makesAllocations: false,
  };
  if (environments === SEED_ENVIRONMENTS)
    seedLicensing(
      state,
      SEED_ENVIRONMENTS.map(({ name }) => name),
    );
  addLicensing(state, inventory);
  return state;
}

/** What environments of one's own have; without them none has any. The seeds have theirs. */
type Licensing = {
  readonly allocations?: readonly Allocation[] | undefined;
  readonly thresholds?: readonly Threshold[] | undefined;
  /** By environment id. */
  readonly entitlements?: ReadonlyMap<string, readonly object[]> | undefined;
};

/** Of the first two seeded environments, and of what else there is to begin with. The default environment has none. */
function seedLicensing(state: AdminState, [production = '', makers = '']: readonly string[]): void {
  state.allocations.set(production, buildProductionAllocation(production));
  // Without a TenantPool rule: the platform's default counts.
  state.allocations.set(makers, buildAllocation(makers, 1000, { Alert: true, PayGo: false, Deny: false }));
  state.entitlements.set(production, [buildEntitlement(production, 'Contoso Production')]);
  const seeds: Partial<Threshold>[] = [
    { environmentId: production, resourceId: 'bot-1', limit: 5000, resourceConsumption: 1234.5 },
    { environmentId: makers, resourceId: 'bot-1', limit: 200, resourceConsumption: 190 },
    { environmentId: makers, resourceId: 'bot-4', limit: 100, stopResource: true },
  ];
  for (const seed of seeds) addThreshold(state, seed);
}

function addLicensing(
  state: AdminState,
  { allocations = [], thresholds = [], entitlements = new Map() }: Licensing,
): void {
  for (const allocation of allocations) state.allocations.set(allocation.environmentId.toLowerCase(), allocation);
  for (const threshold of thresholds) addThreshold(state, threshold);
  for (const [environmentId, rows] of entitlements) state.entitlements.set(environmentId.toLowerCase(), rows);
  const allocated = allocations.flatMap(({ currencyAllocations }) => currencyAllocations.map((one) => one.allocated));
  state.prepaid += allocated.reduce((sum, one) => sum + one, 0);
}

function addThreshold(state: AdminState, seed: Partial<Threshold>): void {
  const threshold = { ...SEED_THRESHOLD, ...seed };
  state.thresholds.set(toThresholdKey(threshold.environmentId, threshold.resourceId), threshold);
}

const SEED_THRESHOLD: Threshold = {
  entitlementId: CURRENCY,
  environmentId: '',
  resourceId: '',
  limit: 0,
  notificationThreshold: 80,
  notifyIfOverCapacity: true,
  stopIfOverCapacity: true,
  stopResource: false,
  resourceConsumption: 0,
  createdOn: '2026-01-15T08:00:00Z',
};

// With a second currency, and a field and a rule that the contract does not name.
function buildProductionAllocation(environmentId: string): Allocation {
  const rules = { Alert: true, TenantPool: true, PayGo: false, Deny: true, Throttle: true };
  return {
    environmentId,
    currencyAllocations: [
      {
        currencyType: CURRENCY,
        allocated: 25_000,
        autoAllocated: 500,
        costCentre: 'CC-4711',
        enforcementRules: toRules(rules).map((rule) =>
          rule.ruleType === 'Throttle' ? { ...rule, percent: 90 } : rule,
        ),
      },
      { currencyType: 'AI', allocated: 10, autoAllocated: 0, enforcementRules: toRules({ Alert: true, Deny: false }) },
    ],
  };
}

/** Of credits alone, with these rules. */
export function buildAllocation(environmentId: string, allocated: number, rules: Rules): Allocation {
  const credits = { currencyType: CURRENCY, allocated, autoAllocated: 0, enforcementRules: toRules(rules) };
  return { environmentId, currencyAllocations: [credits] };
}

type Rules = Readonly<Record<string, boolean>>;

function toRules(rules: Rules): { ruleType: string; enabled: boolean }[] {
  return Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled }));
}

// Counted with a delay of hours, as it is.
function buildEntitlement(environmentId: string, environmentName: string): object {
  const lastUpdatedOn = new Date(Date.now() - 6 * 3_600_000).toISOString();
  const consumed = { value: 18_250, consumptionType: 'MonthToDate', lastUpdatedOn, writeOff: 0 };
  return {
    entitlementId: CURRENCY,
    environmentId,
    environmentName,
    environmentType: 'Production',
    isManagedEnvironment: true,
    location: 'europe',
    productCategories: [],
    addons: [{ addonType: CURRENCY, addonUnit: 'Credit', allocated: 25_000 }],
    permissions: [],
    recommendationCount: 0,
    entitlement: {
      unit: 'Credit',
      capacity: {
        allocated: { value: 25_000, autoAllocated: 500 },
        consumed,
        availableQuantity: 6750,
        enforcementRules: toRules({ Alert: true, TenantPool: true, PayGo: false, Deny: true }),
        status: 'WithinCapacity',
      },
      payGo: { consumed: { ...consumed, value: 0 }, entitled: { value: 0 } },
    },
  };
}

/** Many environments, each with credits, and with agents spread over them, for tests of paging and of size. */
export function generateInventory(counts: { readonly environments: number; readonly agents: number }) {
  const pad = (index: number) => String(index).padStart(6, '0');
  const environments = Array.from({ length: counts.environments }, (_, index) => ({
    name: `environment-${pad(index)}`,
    displayName: `Environment ${index}`,
    ownerId: `owner-${index % 50}`,
  }));
  const agents = Array.from({ length: counts.agents }, (_, index): Agent => {
    const environmentId = `environment-${pad(index % Math.max(1, counts.environments))}`;
    const agent = { name: `agent-${pad(index)}`, displayName: `Agent ${index}`, environmentId, botId: `bot-${index}` };
    return { ...agent, ownerId: `owner-${index % 50}`, isCLIAgent: index % 3 === 0 };
  });
  const rules = { Alert: true, TenantPool: false, PayGo: false, Deny: true };
  return { environments, agents, allocations: environments.map(({ name }) => buildAllocation(name, 100, rules)) };
}
