// The allocation of one environment. An update replaces all of it, so whatever we do not know is carried back as it came.
import { AdminUnreadableError } from './admin-errors.ts';
import { toFlag, toId, toNumber, toRecord, toRows, toText } from './wire-values.ts';

type Fields = Record<string, unknown>;

/**
 * Plain values only: it may be stored as JSON. In `others` is what the contract does not name, as it came; and what it
 * names where that came in another form, such as "5000" for 5000: it goes back so unless it is set anew.
 */
export type Allocation = {
  environmentId: string;
  currencyAllocations: CurrencyAllocation[];
  others: Fields;
};

export type CurrencyAllocation = {
  currencyType: string;
  /** Prepaid credits; undefined where the service tells none that can be read. */
  allocated: number | undefined;
  /** Read only: it is never sent. */
  autoAllocated: number | undefined;
  enforcementRules: EnforcementRule[];
  others: Fields;
};

export type EnforcementRule = { ruleType: string; enabled: boolean | 'unknown'; others: Fields };

/**
 * Throws AdminUnreadableError where it cannot be told what there is: no list of currencies, an entry without a name, a
 * name that comes twice, or the allocation of another environment.
 */
export function parseAllocation(answer: unknown, environmentId: string): Allocation {
  const { environmentId: named = environmentId, currencyAllocations, ...others } = toRecord(answer);
  const currencies = Array.isArray(currencyAllocations) ? toRows(currencyAllocations) : undefined;
  const isOurs = typeof named === 'string' && named.toLowerCase() === environmentId.toLowerCase();
  if (!isOurs || currencies === undefined) throw unreadable();
  const parsed = currencies.map(parseCurrency);
  refuseTwins(parsed.map(({ currencyType }) => currencyType));
  return { environmentId: named, currencyAllocations: parsed, others };
}

/** The body of an update: complete, without what is read only. */
export function toAllocationBody({ environmentId, currencyAllocations, others }: Allocation): Fields {
  return { ...others, environmentId, currencyAllocations: currencyAllocations.map(toCurrencyBody) };
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

/** No list is an empty one: what then holds is the platform's choice. */
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
    // Without a rule it goes back as it came: no list, or an empty one.
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
