// What the stand-in's environments have of credits and limits to begin with.
import { type AdminState, type Allocation, CURRENCY, type Threshold, toThresholdKey } from './model.ts';

/** What environments of one's own have; without them none has any. The seeds have theirs. */
export type Licensing = {
  readonly allocations?: readonly Allocation[] | undefined;
  readonly thresholds?: readonly Threshold[] | undefined;
  /** By environment id. */
  readonly entitlements?: ReadonlyMap<string, readonly object[]> | undefined;
};

/** Of the first two seeded environments, and of what else there is to begin with. The default environment has none. */
export function seedLicensing(state: AdminState, [production = '', makers = '']: readonly string[]): void {
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

export function addLicensing(
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

/** The same for each of many environments: what a register would approve, so that a test can plant what it does not. */
export function generateAllocations(environmentIds: readonly string[]): Allocation[] {
  const rules = { Alert: true, TenantPool: false, PayGo: false, Deny: true };
  return environmentIds.map((environmentId) => ({
    environmentId,
    currencyAllocations: [
      { currencyType: CURRENCY, allocated: 100, autoAllocated: 0, enforcementRules: toRules(rules) },
    ],
  }));
}
