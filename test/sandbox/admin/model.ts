// What the administrative interface knows. Tests may change all of it while the stand-in runs.
export type Environment = {
  readonly name: string;
  displayName: string;
  ownerId: string;
  /** Whether a policy of a group governs its TenantPool rule: changing that rule is refused. */
  isTenantPoolLocked?: boolean;
};

export type Agent = {
  readonly name: string;
  displayName: string;
  readonly environmentId: string;
  ownerId: string;
  /** As services write it: a boolean, a string, or not at all. */
  isCLIAgent?: boolean | 'true' | 'false';
  botId?: string;
};

/** What the contract does not name: an update may carry it back, but brings nothing new of the kind. */
type Others = { readonly [field: string]: unknown };

type EnforcementRule = Others & { readonly ruleType: string; readonly enabled: boolean };

export type CurrencyAllocation = Others & {
  readonly currencyType: string;
  readonly allocated: number;
  /** Read only. */
  readonly autoAllocated: number;
  readonly enforcementRules: readonly EnforcementRule[];
};

export type Allocation = Others & {
  readonly environmentId: string;
  readonly currencyAllocations: readonly CurrencyAllocation[];
};

export type Threshold = {
  readonly entitlementId: string;
  readonly environmentId: string;
  readonly resourceId: string;
  readonly limit: number;
  readonly notificationThreshold: number;
  readonly notifyIfOverCapacity: boolean;
  readonly stopIfOverCapacity: boolean;
  readonly stopResource: boolean;
  readonly resourceConsumption: number;
  readonly createdOn: string;
};

export type AdminState = {
  readonly environments: Environment[];
  readonly agents: Agent[];
  /** By environment id in lower case; an environment without an entry has no allocation surface (404). */
  readonly allocations: Map<string, Allocation>;
  /** By `toThresholdKey`. */
  readonly thresholds: Map<string, Threshold>;
  /** By environment id in lower case; none: 204. */
  readonly entitlements: Map<string, readonly object[]>;
  /** Prepaid credits of the tenant; allocations may not exceed them together. */
  prepaid: number;
  /** Whether an update makes the allocation of an environment that has none; else it answers 404. */
  makesAllocations: boolean;
};

/** The credit currency of agent messages. */
export const CURRENCY = 'ServiceMessages';

/** A resource id alone would mix environments. */
export function toThresholdKey(environmentId: string, resourceId: string, currency = CURRENCY): string {
  return `${environmentId}|${resourceId}${currency === CURRENCY ? '' : `|${currency}`}`.toLowerCase();
}

export function findEnvironment(state: AdminState, id: string): Environment | undefined {
  return state.environments.find(({ name }) => name.toLowerCase() === id.toLowerCase());
}

type Currency = Allocation['currencyAllocations'][number];

/** Of the credit currency; undefined where the allocation has none. */
export function creditsOf({ currencyAllocations }: Allocation): Currency | undefined {
  return currencyAllocations.find(({ currencyType }) => currencyType === CURRENCY);
}

export function withCredits(allocation: Allocation, allocated: number): Allocation {
  return withCurrency(allocation, (credits) => ({ ...credits, allocated }));
}

/** Rules that are not named stay as they are. */
export function withRules(allocation: Allocation, rules: Readonly<Record<string, boolean>>): Allocation {
  return withCurrency(allocation, (credits) => ({
    ...credits,
    enforcementRules: credits.enforcementRules.map((rule) => ({
      ...rule,
      enabled: rules[rule.ruleType] ?? rule.enabled,
    })),
  }));
}

function withCurrency(allocation: Allocation, change: (credits: Currency) => Currency): Allocation {
  const currencyAllocations = allocation.currencyAllocations.map((one) =>
    one.currencyType === CURRENCY ? change(one) : one,
  );
  return { ...allocation, currencyAllocations };
}

/** The agent of this environment whose bot id or inventory name this is. */
export function findAgent(state: AdminState, environmentId: string, resourceId: string): Agent | undefined {
  const id = resourceId.toLowerCase();
  return state.agents.find(
    (agent) =>
      agent.environmentId.toLowerCase() === environmentId.toLowerCase() &&
      (agent.botId?.toLowerCase() === id || agent.name.toLowerCase() === id),
  );
}
