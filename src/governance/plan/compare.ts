// Whether two states are the same, and which of them allows more: one definition for reviews, plans and approvals.
import { type Edit, previewEdits } from '../../policy/edit.ts';
import {
  endOf,
  findEntry,
  type Policy,
  readCredits,
  readEntry,
  readLimit,
  readStandard,
  readStop,
} from '../../policy/policy.ts';
import { type Credits, type Limit, RULE_TYPES, type RuleType, type Values } from '../../policy/values.ts';
import type { Way } from './plan.ts';
import type { CreditsState, ThresholdState } from './seen.ts';

export function isSameLimit(one: Limit, other: Limit): boolean {
  if (one === 'none' || other === 'none') return one === other;
  const isSameNotice = one.noticeAt === other.noticeAt;
  return one.credits === other.credits && isSameNotice && one.stopAtLimit === other.stopAtLimit;
}

export function isSameThreshold(one: ThresholdState, other: ThresholdState): boolean {
  return one.stopped === other.stopped && isSameLimit(one.limit, other.limit);
}

/** Compares currencies case-insensitively. A currency that one state lacks must be missing in the other too. */
export function isSameCreditsState(one: CreditsState, other: CreditsState): boolean {
  const names = [...Object.keys(one), ...Object.keys(other)];
  return names.every((name) => isSameCredits(findCredits(one, name), findCredits(other, name)));
}

function isSameCredits(one: Credits | undefined, other: Credits | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.allocated === other.allocated && RULE_TYPES.every((rule) => one.rules[rule] === other.rules[rule]);
}

/** Whether everything that is approved holds. What the policy does not state is not governed. */
export function holds(approved: Credits, found: Credits | undefined): boolean {
  const isAllocated = approved.allocated === undefined || approved.allocated === (found?.allocated ?? undefined);
  return (
    isAllocated &&
    RULE_TYPES.every((rule) => approved.rules[rule] === undefined || approved.rules[rule] === found?.rules[rule])
  );
}

export function findCredits(state: CreditsState, currency: string): Credits | undefined {
  const name = Object.keys(state).find((one) => one.toLowerCase() === currency.toLowerCase());
  return name === undefined ? undefined : state[name];
}

/**
 * A first limit allows less. Restarting a stopped agent always allows more, and so does going on at the limit instead of
 * stopping. A notice changes nothing.
 */
export function toLimitWay(before: ThresholdState | 'unknown', after: ThresholdState): Way {
  if (after.stopped) return before !== 'unknown' && before.stopped ? toAmountWay(before.limit, after.limit) : 'less';
  if (before === 'unknown') return 'unknown';
  if (before.stopped) return 'more';
  return toAmountWay(before.limit, after.limit);
}

function toAmountWay(before: Limit, after: Limit): Way {
  if (before === 'none') return 'less';
  if (after === 'none') return 'more';
  return after.credits > before.credits || (before.stopAtLimit && !after.stopAtLimit) ? 'more' : 'less';
}

/** The state in which a rule lets an environment spend more. */
const MORE_WHILE: Partial<Record<RuleType, boolean>> = { TenantPool: true, PayGo: true, Deny: false };

/** `more` if any currency allows more. Otherwise `unknown` if the service did not show what is replaced. */
export function toCreditsWay(before: CreditsState, after: CreditsState): Way {
  const ways = Object.entries(after).map(([currency, credits]) => toOneWay(findCredits(before, currency), credits));
  return ways.find((way) => way === 'more') ?? ways.find((way) => way === 'unknown') ?? 'less';
}

function toOneWay(before: Credits | undefined, after: Credits): Way {
  const found = before?.allocated ?? (before === undefined ? 0 : undefined);
  const isRaised = found !== undefined && after.allocated !== undefined && after.allocated > found;
  const rules = RULE_TYPES.filter((rule) => after.rules[rule] !== before?.rules[rule]);
  if (isRaised || rules.some((rule) => rule !== 'Alert' && MORE_WHILE[rule] === after.rules[rule])) return 'more';
  const isUnknown =
    found === undefined ||
    rules.some((rule) => rule !== 'Alert' && before !== undefined && before.rules[rule] === undefined);
  return isUnknown ? 'unknown' : 'less';
}

type Options = { now: number; defaultCurrency: string };

/**
 * Whether edits approve more than the policy approves now, or would approve after the last day of an exception. Compares the
 * policy itself: if the service already has the new value, no item of the plan shows it. Without an entry everything is
 * allowed, so a first entry is never more.
 */
export function approvesMore(policy: Policy, edits: readonly Edit[], options: Options): boolean {
  const next = previewEdits(policy, edits);
  return edits.some((edit) => {
    const times = [policy, next].map((one) => findEnd(one, edit)).filter((at) => at > options.now);
    return [options.now, ...times].some((now) => isMore(edit, policy, next, { ...options, now }));
  });
}

/** When the exception ends (epoch ms); 0 if there is none. */
function findEnd(policy: Policy, { setting, target }: Edit): number {
  const until = findEntry(policy, setting, target)?.exception?.until;
  return until === undefined ? 0 : endOf(until);
}

function isMore({ setting, target, change }: Edit, before: Policy, after: Policy, options: Options): boolean {
  const { now } = options;
  if (setting === 'stop') {
    if (change.kind === 'set' && change.value === true) return false;
    const [old, next] = [before, after].map((policy) =>
      'agentId' in target ? readStop(policy, target, now) : readEntry(policy, 'stop', target, now),
    );
    return old?.value === true && !next?.value;
  }
  if (setting === 'limit' && 'agentId' in target && target.currency !== undefined) {
    const agent = { ...target, currency: target.currency };
    const [old, next] = [before, after].map((policy) => readLimit(policy, agent, options)?.value);
    return isMoreLimit(old, next);
  }
  if (setting === 'credits' && 'environmentId' in target && target.currency !== undefined) {
    const environment = { environmentId: target.environmentId, currency: target.currency };
    const [old, next] = [before, after].map((policy) => readCredits(policy, environment, now)?.value);
    return old !== undefined && isMoreCredits({ [target.currency]: old }, next && { [target.currency]: next });
  }
  if (setting !== 'standard' && setting !== 'class') return false;
  const [old, next] = [before, after].map((policy) =>
    setting === 'class' && 'environmentId' in target
      ? readStandard(policy, target.environmentId, now)
      : readEntry(policy, 'standard', target, now)?.value,
  );
  return isMoreLimit(old?.limit, next?.limit) || (old !== undefined && isMoreCredits(old.credits, next?.credits));
}

/** Without an entry everything is allowed. */
function isMoreLimit(old: Values['limit'] | undefined, next: Values['limit'] | undefined): boolean {
  if (old === undefined || old === 'none') return false;
  if (next === undefined) return true;
  return toLimitWay({ limit: old, stopped: false }, { limit: next, stopped: false }) === 'more';
}

type ByCurrency = Values['standard']['credits'];

function isMoreCredits(old: ByCurrency, next: ByCurrency | undefined): boolean {
  return Object.entries(old).some(([currency, credits]) => {
    const after = findCredits(next ?? {}, currency);
    return (
      after === undefined ||
      isLeftOpen(credits, after) ||
      toCreditsWay({ [currency]: credits }, { [currency]: after }) === 'more'
    );
  });
}

/** Whether something that was held down is not governed any more. */
function isLeftOpen(old: Credits, next: Credits): boolean {
  const isRuleOpen = (rule: RuleType) => old.rules[rule] === !MORE_WHILE[rule] && next.rules[rule] === undefined;
  const isAmountOpen = old.allocated !== undefined && next.allocated === undefined;
  return isAmountOpen || RULE_TYPES.some((rule) => rule !== 'Alert' && isRuleOpen(rule));
}

/** Whether edits change no value of the policy. Authors and reasons do not count. */
export function saysAlready(policy: Policy, edits: readonly Edit[]): boolean {
  const next = previewEdits(policy, edits);
  const read = (one: Policy, { setting, target }: Edit) => {
    const { standing, exception } = findEntry(one, setting, target) ?? {};
    return JSON.stringify([standing?.value ?? null, exception?.value ?? null, exception?.until ?? null]);
  };
  return edits.every((edit) => read(policy, edit) === read(next, edit));
}
