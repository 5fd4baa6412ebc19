// How a run reads, compares and writes each kind of item.
import type { AdminReceipt } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation, CurrencyAllocation, EnforcementRule, ThresholdBody } from '../../admin-api/licensing-wire.ts';
import { isSameId } from '../../policy/target.ts';
import { type Credits, RULE_TYPES } from '../../policy/values.ts';
import { findCredits, isSameCreditsState, isSameThreshold } from '../plan/compare.ts';
import type { CreditsItem, Item, ThresholdItem } from '../plan/plan.ts';
import { readThresholds } from '../plan/read-seen.ts';
import {
  type CreditsState,
  findThreshold,
  type ThresholdState,
  toCreditsState,
  toThresholdState,
  withStop,
} from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { toSentKey } from './run-store.ts';

/** `hidden`: the service offers no such read; `unreadable`: it failed, or cannot be understood. */
export type Unseen = 'hidden' | 'unreadable';

/** What the service shows. `raw`: as a write needs it. */
export type Current<State, Raw = unknown> = { state: State; raw: Raw };

export type AnyState = ThresholdState | CreditsState;

export type Resource<State = AnyState, Raw = unknown> = {
  /** Items with the same key are carried out one after the other. */
  lockKey: string;
  /** `unknown`: the service did not show the value to the plan. */
  before: State | 'unknown';
  after: State;
  isSame(one: State, other: State): boolean;
  /** For credits, throws the errors of admin-errors.ts. For limits never: reading them is not part of the interface. */
  read(session: AdminSession): Promise<Current<State, Raw> | Unseen>;
  /** `current`: what was just read. Throws the errors of admin-errors.ts. */
  write(current: Current<State, Raw> | Unseen, session: AdminSession): Promise<AdminReceipt>;
};

export type Readable<State> = Omit<Resource<State>, 'write'>;

/** `currency`: the default one. */
type Services = Pick<GovernanceServices, 'readsLimits' | 'currency'>;

export function toResource(item: Item, services: Services): Resource {
  // A resource writes only what it has read itself, so the types of `raw` agree.
  return (item.resource === 'credits' ? toCreditsResource(item) : toThresholdResource(item, services)) as Resource;
}

/** `raw`: the id under which the service stores the threshold. */
export type ThresholdResource = Resource<ThresholdState, string>;

export function toThresholdResource(
  item: ThresholdItem,
  { readsLimits, currency: defaultCurrency }: Services,
): ThresholdResource {
  const { agent, currency, before, after } = item;
  return {
    lockKey: `threshold:${toSentKey(item)}`,
    ...{ before, after, isSame: isSameThreshold },
    async read(session) {
      if (!readsLimits) return 'hidden';
      const currencies = isSameId(currency, defaultCurrency) ? [currency] : [currency, defaultCurrency];
      const [rows = 'hidden', others = rows] = await Promise.all(currencies.map((one) => readThresholds(session, one)));
      if (typeof rows === 'string') return rows;
      const row = findThreshold(rows, agent);
      const inDefault = typeof others === 'string' ? others : toThresholdState(findThreshold(others, agent));
      const state = withStop(toThresholdState(row), inDefault);
      return typeof state === 'string' ? state : { state, raw: row?.resourceId ?? agent.resourceId };
    },
    write: (current, session) =>
      session.putThreshold({
        environmentId: agent.environmentId,
        agentResourceId: typeof current === 'string' ? agent.resourceId : current.raw,
        currencyType: currency,
        ...toThresholdBody(after),
      }),
  };
}

/** No limit is 0 credits without stop and notice. */
export function toThresholdBody({ limit, stopped }: ThresholdState): ThresholdBody {
  const { credits, noticeAt, stopAtLimit } = limit === 'none' ? NO_LIMIT : limit;
  return {
    stopResource: stopped,
    limit: credits,
    stopIfOverCapacity: stopAtLimit,
    notifyIfOverCapacity: noticeAt !== 'off',
    notificationThreshold: noticeAt === 'off' ? 0 : noticeAt,
  };
}

const NO_LIMIT = { credits: 0, noticeAt: 'off', stopAtLimit: false } as const;

/** `raw`: the allocation as received, so that a write keeps other currencies, even if they changed meanwhile. */
function toCreditsResource({ environmentId, before, after }: CreditsItem): Resource<CreditsState, Allocation> {
  const onlyPlanned = (state: CreditsState): CreditsState => {
    const found = Object.keys(after).map((currency) => [currency, findCredits(state, currency)] as const);
    return Object.fromEntries(found.filter(([, credits]) => credits !== undefined)) as CreditsState;
  };
  return {
    lockKey: `credits:${environmentId.toLowerCase()}`,
    ...{ before: onlyPlanned(before), after, isSame: isSameCreditsState },
    async read(session) {
      const found = await session.readAllocation(environmentId);
      const raw = found === 'none' ? { environmentId, currencyAllocations: [] } : found;
      return { state: onlyPlanned(toCreditsState(raw)), raw };
    },
    async write(current, session) {
      if (typeof current === 'string') throw new Error('an allocation must be read before it is written');
      return session.updateAllocation(withCredits(current.raw, after));
    },
  };
}

/** The complete allocation with these credits. Everything else stays as it is. */
export function withCredits(allocation: Allocation, wanted: CreditsState): Allocation {
  const isListed = (currency: string) =>
    allocation.currencyAllocations.some(({ currencyType }) => isSameId(currencyType, currency));
  const added = Object.keys(wanted).filter((currency) => !isListed(currency));
  const currencyAllocations = [...allocation.currencyAllocations, ...added.map(toNewCurrency)].map((currency) => {
    const credits = findCredits(wanted, currency.currencyType);
    return credits ? setCredits(currency, credits) : currency;
  });
  return { ...allocation, currencyAllocations };
}

function toNewCurrency(currencyType: string): CurrencyAllocation {
  return { currencyType, allocated: undefined, autoAllocated: undefined, enforcementRules: [], others: {} };
}

function setCredits(currency: CurrencyAllocation, { allocated, rules }: Credits): CurrencyAllocation {
  const listed = currency.enforcementRules.map((rule) => setRule(rule, rules));
  const missing = RULE_TYPES.filter((rule) => !listed.some(({ ruleType }) => isSameId(ruleType, rule)));
  const added = missing.map((ruleType) => ({ ruleType, enabled: rules[ruleType] ?? false, others: {} }));
  return { ...currency, allocated: allocated ?? currency.allocated, enforcementRules: [...listed, ...added] };
}

function setRule(rule: EnforcementRule, rules: Credits['rules']): EnforcementRule {
  const known = RULE_TYPES.find((one) => isSameId(one, rule.ruleType));
  return { ...rule, enabled: (known && rules[known]) ?? rule.enabled };
}
