// Allocations, entitlements and thresholds. An update replaces a whole allocation, so unknown fields are sent back.
import { toObject } from '../json.ts';
import { AdminUnreadableError } from './admin-errors.ts';
import { toFlag, toId, toInstant, toNumber, toRows, toText } from './wire-values.ts';

type Fields = Record<string, unknown>;

/**
 * Plain values only, so that it can be stored as JSON. Other top-level fields belong to the response, such as
 * `@odata.context`: they are never sent.
 */
export type Allocation = { environmentId: string; currencyAllocations: CurrencyAllocation[] };

/**
 * `others`: unknown fields as received, and known fields in another form, such as "5000" for 5000. They are sent back
 * unchanged unless the value is changed.
 */
export type CurrencyAllocation = {
  currencyType: string;
  /** Prepaid credits; undefined if missing or unreadable. */
  allocated: number | undefined;
  /** Read-only: never sent. */
  autoAllocated: number | undefined;
  enforcementRules: EnforcementRule[];
  others: Fields;
};

export type EnforcementRule = { ruleType: string; enabled: boolean | 'unknown'; others: Fields };

/**
 * Throws AdminUnreadableError if the answer is ambiguous: no list of currencies, an entry without a name, a duplicate
 * name, or another environment's allocation.
 */
export function parseAllocation(answer: unknown, environmentId: string): Allocation {
  const { environmentId: named = environmentId, currencyAllocations } = toObject(answer);
  const currencies = Array.isArray(currencyAllocations) ? toRows(currencyAllocations) : undefined;
  const isOurs = typeof named === 'string' && named.toLowerCase() === environmentId.toLowerCase();
  if (!isOurs || currencies === undefined) throw unreadable();
  const parsed = currencies.map(parseCurrency);
  refuseTwins(parsed.map(({ currencyType }) => currencyType));
  return { environmentId: named, currencyAllocations: parsed };
}

/** The body of an update: complete, without read-only fields. */
export function toAllocationBody({ environmentId, currencyAllocations }: Allocation): Fields {
  return { environmentId, currencyAllocations: currencyAllocations.map(toCurrencyBody) };
}

function parseCurrency(row: Fields): CurrencyAllocation {
  const { currencyType, autoAllocated, ...rest } = row;
  const name = toId(currencyType);
  if (name === undefined) throw unreadable();
  const allocated = toNumber(rest.allocated);
  const rules = parseRules(rest.enforcementRules);
  return {
    currencyType: name,
    allocated,
    autoAllocated: toNumber(autoAllocated),
    enforcementRules: rules,
    others: omit(rest, [
      ...(rest.allocated === allocated ? ['allocated'] : []),
      ...(rules.length > 0 ? ['enforcementRules'] : []),
    ]),
  };
}

/** A missing list counts as empty. */
function parseRules(value: unknown): EnforcementRule[] {
  if (value === undefined || value === null) return [];
  const rows = Array.isArray(value) ? toRows(value) : undefined;
  if (rows === undefined) throw unreadable();
  const rules = rows.map((row): EnforcementRule => {
    const ruleType = toText(row.ruleType);
    if (ruleType === undefined) throw unreadable();
    const enabled = toFlag(row.enabled);
    return {
      ruleType,
      enabled,
      others: omit(row, ['ruleType', ...(typeof row.enabled === 'boolean' ? ['enabled'] : [])]),
    };
  });
  refuseTwins(rules.map(({ ruleType }) => ruleType));
  return rules;
}

function toCurrencyBody({ currencyType, allocated, enforcementRules, others }: CurrencyAllocation): Fields {
  return {
    ...others,
    currencyType,
    ...(toNumber(others.allocated) === allocated ? {} : { allocated }),
    // Without rules, `others` has the list as received: missing or empty.
    ...(enforcementRules.length === 0 ? {} : { enforcementRules: enforcementRules.map(toRuleBody) }),
  };
}

function toRuleBody({ ruleType, enabled, others }: EnforcementRule): Fields {
  return { ...others, ruleType, ...(toFlag(others.enabled) === enabled ? {} : { enabled }) };
}

function refuseTwins(names: readonly string[]): void {
  if (new Set(names.map((name) => name.toLowerCase())).size !== names.length) throw unreadable();
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function unreadable(): AdminUnreadableError {
  return new AdminUnreadableError('read allocation');
}

/** What an environment has used of one entitlement. The contract defines no shape, so every field may be missing. */
export type Entitlement = {
  /** The service's name of the currency. */
  entitlementId: string | undefined;
  consumed: number | undefined;
  /** MonthToDate, Snapshot, or another value of a deployment. */
  consumptionType: string | undefined;
  /** When the figure was updated (epoch ms): consumption is counted with a delay. */
  asOf: number | undefined;
  /** The credits allocated to the environment. */
  capacity: number | undefined;
  /** The credits charged to the pay-as-you-go subscription. */
  payGoConsumed: number | undefined;
};

/** Whether it counts from the beginning of the month. */
export function isMonthToDate({ consumptionType }: Entitlement): boolean {
  return consumptionType?.toLowerCase() === 'monthtodate';
}

/** An empty body (204) means none. Throws AdminUnreadableError if there is a body without a list. */
export function parseEntitlements(answer: unknown): Entitlement[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined) throw new AdminUnreadableError('read entitlements');
  return rows.map(toEntitlement);
}

function toEntitlement(row: Record<string, unknown>): Entitlement {
  const entitlement = { ...row, ...toObject(row.entitlement) };
  const capacity = { ...entitlement, ...toObject(entitlement.capacity) };
  const consumed = toObject(capacity.consumed);
  const payGo = toObject(entitlement.payGo);
  return {
    entitlementId: toText(row.entitlementId) ?? toText(entitlement.currencyType),
    consumed: toNumber(consumed.value) ?? toNumber(capacity.consumed),
    consumptionType: toText(consumed.consumptionType) ?? toText(capacity.consumptionType),
    asOf: toInstant(consumed.lastUpdatedOn) ?? toInstant(capacity.lastUpdatedOn),
    capacity: toNumber(toObject(capacity.allocated).value) ?? toNumber(capacity.allocated),
    payGoConsumed: toNumber(toObject(payGo.consumed).value) ?? toNumber(payGo.consumed),
  };
}

/** The threshold of one agent as sent: the five fields of the contract. */
export type ThresholdBody = {
  stopResource: boolean;
  limit: number;
  stopIfOverCapacity: boolean;
  notifyIfOverCapacity: boolean;
  notificationThreshold: number;
};

/**
 * A threshold as some deployments return it. A write replaces a whole threshold, so a missing field counts as cleared,
 * except `stopResource`. Unreadable values are unknown.
 */
export type Threshold = {
  environmentId: string;
  resourceId: string;
  /** Undefined: unreadable. */
  limit: number | undefined;
  notifyIfOverCapacity: boolean | 'unknown';
  notificationThreshold: number | 'unknown';
  stopIfOverCapacity: boolean | 'unknown';
  stopResource: boolean | 'unknown';
  /** The credits that the agent has used this month. */
  consumption: number | undefined;
};

/**
 * One list for the whole tenant. Rows without an agent's id are left out. Throws AdminUnreadableError if the list is
 * missing or partial, or a row has no environment: an agent that is missing from the list would seem to have no limit.
 */
export function parseThresholds(answer: unknown): Threshold[] {
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (rows === undefined || isPartOfMore(answer, rows.length)) throw new AdminUnreadableError('read thresholds');
  return rows.map(toThreshold).filter((threshold) => threshold !== undefined);
}

/** Checks the usual fields for a next page and for a total. */
function isPartOfMore(answer: unknown, received: number): boolean {
  const { nextLink, '@odata.nextLink': odataNextLink, skipToken, resultTruncated, totalRecords } = toObject(answer);
  const isPointedAt = [nextLink, odataNextLink, skipToken].some((rest) => Boolean(rest));
  return isPointedAt || toFlag(resultTruncated) === true || (toNumber(totalRecords) ?? 0) > received;
}

function toThreshold(row: Record<string, unknown>): Threshold | undefined {
  const resourceId = toId(row.resourceId);
  if (resourceId === undefined) return undefined;
  const environmentId = toId(row.environmentId);
  if (environmentId === undefined) throw new AdminUnreadableError('read thresholds');
  return {
    environmentId,
    resourceId,
    limit: toAmount(row.limit),
    notifyIfOverCapacity: isAbsent(row.notifyIfOverCapacity) ? false : toFlag(row.notifyIfOverCapacity),
    notificationThreshold: isAbsent(row.notificationThreshold) ? 0 : (toAmount(row.notificationThreshold) ?? 'unknown'),
    stopIfOverCapacity: isAbsent(row.stopIfOverCapacity) ? false : toFlag(row.stopIfOverCapacity),
    stopResource: toFlag(row.stopResource),
    consumption: toNumber(row.resourceConsumption),
  };
}

/** Undefined below 0: on some platforms that means unlimited, but we do not know. */
function toAmount(value: unknown): number | undefined {
  const amount = toNumber(value);
  return amount === undefined || amount < 0 ? undefined : amount;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
