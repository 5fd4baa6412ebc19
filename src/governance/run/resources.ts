// What each kind of item is to a run: how it is read again, compared, and written.
import type { AdminReceipt } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation, CurrencyAllocation, EnforcementRule, ThresholdBody } from '../../admin-api/licensing-wire.ts';
import { findCredits, isSameCreditsState, isSameThreshold } from '../plan/compare.ts';
import type { CreditsItem, Item, ThresholdItem } from '../plan/plan.ts';
import { readThresholds } from '../plan/read-seen.ts';
import {
  type CreditsState,
  findThreshold,
  type ThresholdState,
  toCreditsState,
  toThresholdState,
} from '../plan/seen.ts';
import { isSameId } from '../policy/target.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import { toSentKey } from './run-store.ts';

/** `hidden`: the service offers no such read; `unreadable`: it failed, or cannot be understood. */
export type Unseen = 'hidden' | 'unreadable';

/** What the service shows. `raw`: as a write needs it. */
export type Looked<State, Raw> = { state: State; raw: Raw };

export type Resource<OneItem extends Item, State, Raw> = {
  /** One at a time for each. */
  toLockKey(item: OneItem): string;
  /** Throws the errors of admin-errors.ts where the contract has this read, so that its failure counts. */
  look(item: OneItem, session: AdminSession): Promise<Looked<State, Raw> | Unseen>;
  /** Undefined: the plan was made without knowing what was there. */
  isBefore(item: OneItem, state: State): boolean | undefined;
  isAfter(item: OneItem, state: State): boolean;
  isSame(one: State, other: State): boolean;
  /** `looked`: as it was just read. Throws the errors of admin-errors.ts. */
  write(item: OneItem, looked: Looked<State, Raw> | Unseen, session: AdminSession): Promise<AdminReceipt>;
};

/** `raw`: the id that the service files it under. */
export type ThresholdResource = Resource<ThresholdItem, ThresholdState, string>;

export function createThresholdResource({ readsLimits }: { readsLimits: boolean }): ThresholdResource {
  return {
    toLockKey: (item) => `threshold:${toSentKey(item)}`,
    async look({ agent, currency }, session) {
      if (!readsLimits) return 'hidden';
      const rows = await readThresholds(session, currency);
      if (typeof rows === 'string') return rows;
      const row = findThreshold(rows, agent);
      const state = toThresholdState(row);
      return typeof state === 'string' ? state : { state, raw: row?.resourceId ?? agent.resourceId };
    },
    isBefore: ({ before }, state) => (before === 'unknown' ? undefined : isSameThreshold(before, state)),
    isAfter: ({ after }, state) => isSameThreshold(after, state),
    isSame: isSameThreshold,
    write: ({ agent, currency, after }, looked, session) =>
      session.putThreshold({
        environmentId: agent.environmentId,
        agentResourceId: typeof looked === 'string' ? agent.resourceId : looked.raw,
        currencyType: currency,
        ...toThresholdBody(after),
      }),
  };
}

/** Without a limit: 0, and nothing that acts on it. */
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

/** `raw`: the allocation as received. */
export type CreditsResource = Resource<CreditsItem, CreditsState, Allocation>;

export const CREDITS_RESOURCE: CreditsResource = {
  toLockKey: ({ environmentId }) => `credits:${environmentId.toLowerCase()}`,
  async look({ environmentId }, session) {
    const found = await session.readAllocation(environmentId);
    const raw = found === 'none' ? { environmentId, currencyAllocations: [] } : found;
    return { state: toCreditsState(raw), raw };
  },
  isBefore: (item, state) => isSameCreditsState(onlyPlanned(item, item.before), onlyPlanned(item, state)),
  isAfter: (item, state) => isSameCreditsState(item.after, onlyPlanned(item, state)),
  isSame: isSameCreditsState,
  async write({ after }, looked, session) {
    if (typeof looked === 'string') throw new Error('an allocation is read before it is written');
    return session.updateAllocation(withCredits(looked.raw, after));
  },
};

/** Somebody may change the credits of other currencies meanwhile: they are kept. */
function onlyPlanned({ after }: CreditsItem, state: CreditsState): CreditsState {
  const found = Object.keys(after).map((currency) => [currency, findCredits(state, currency)] as const);
  return Object.fromEntries(found.filter(([, credits]) => credits !== undefined)) as CreditsState;
}

/** The complete allocation with these credits in it, everything in its place. */
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
