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

/** Three environments: production, makers (quotes in its name), and the default one, which has no allocation. */
export const SEED_ENVIRONMENTS: readonly Environment[] = [
  { name: id(1), displayName: 'Contoso Production', ownerId: 'owner-ana' },
  { name: id(2), displayName: `Ana's "Makers" lab`, ownerId: 'owner-ben', isTenantPoolLocked: true },
  { name: `Default-${id(3)}`, displayName: 'Contoso (default)', ownerId: 'owner-kim' },
];

/** Six agents. Two share a bot id in different environments; what tells a harness agent comes in all its shapes. */
export const SEED_AGENTS: readonly Agent[] = [
  buildSeedAgent('agent-1', 'Invoice Reader', 0, { isCLIAgent: true, botId: 'bot-1' }),
  buildSeedAgent('agent-2', 'Travel Planner', 0, { isCLIAgent: false, botId: 'bot-2' }),
  buildSeedAgent('agent-3', 'Invoice Reader', 1, { isCLIAgent: 'true', botId: 'bot-1' }),
  buildSeedAgent('agent-4', 'Spec Writer', 1, { isCLIAgent: true, botId: 'bot-4' }),
  buildSeedAgent('agent-5', 'Old Helper', 1, { botId: 'bot-5' }),
  buildSeedAgent('agent-6', 'Trial Bot', 2, { isCLIAgent: true }),
];

function buildSeedAgent(name: string, displayName: string, environment: number, parts: Partial<Agent>): Agent {
  const environmentId = SEED_ENVIRONMENTS[environment]?.name ?? '';
  return { name, displayName, environmentId, ownerId: `owner-${environment + 1}`, ...parts };
}

export function createAdminState(environments = SEED_ENVIRONMENTS, agents = SEED_AGENTS): AdminState {
  const state: AdminState = {
    environments: environments.map((environment) => ({ ...environment })),
    agents: agents.map((agent) => ({ ...agent })),
    allocations: new Map(),
    thresholds: new Map(),
    entitlements: new Map(),
    prepaid: 100_000,
  };
  if (environments === SEED_ENVIRONMENTS) seedLicensing(state);
  return state;
}

function seedLicensing(state: AdminState): void {
  const [production = '', makers = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);
  state.allocations.set(production, buildProductionAllocation(production));
  state.allocations.set(makers, buildMakersAllocation(makers));
  state.entitlements.set(production, [buildEntitlement(production, 'Contoso Production')]);
  const seeds: Partial<Threshold>[] = [
    { environmentId: production, resourceId: 'bot-1', limit: 5000, resourceConsumption: 1234.5 },
    { environmentId: makers, resourceId: 'bot-1', limit: 200, resourceConsumption: 190 },
    { environmentId: makers, resourceId: 'bot-4', limit: 100, stopResource: true },
  ];
  for (const seed of seeds) addThreshold(state, seed);
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

// With a second currency and a rule that the contract does not name.
function buildProductionAllocation(environmentId: string): Allocation {
  const rules = { Alert: true, TenantPool: true, PayGo: false, Deny: true, Throttle: true };
  return {
    environmentId,
    currencyAllocations: [
      { currencyType: CURRENCY, allocated: 25_000, autoAllocated: 500, enforcementRules: toRules(rules) },
      { currencyType: 'AI', allocated: 10, autoAllocated: 0, enforcementRules: toRules({ Alert: true, Deny: false }) },
    ],
  };
}

// Without a TenantPool rule: the platform's default counts.
function buildMakersAllocation(environmentId: string): Allocation {
  const enforcementRules = toRules({ Alert: true, PayGo: false, Deny: false });
  return {
    environmentId,
    currencyAllocations: [{ currencyType: CURRENCY, allocated: 1000, autoAllocated: 0, enforcementRules }],
  };
}

function toRules(rules: Readonly<Record<string, boolean>>): { ruleType: string; enabled: boolean }[] {
  return Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled }));
}

function buildEntitlement(environmentId: string, environmentName: string): object {
  const lastUpdatedOn = '2026-11-20T06:00:00Z';
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

/** Many environments with agents spread over them, for tests of paging and of size. */
export function generateInventory(counts: { readonly environments: number; readonly agents: number }): {
  environments: Environment[];
  agents: Agent[];
} {
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
  return { environments, agents };
}
