import type { CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { formatCredits } from '../shell/whole-number.ts';
import { type RuleType, readRule, type WantedCredits } from './allocation.ts';

type AllocationWarningCode =
  | 'denies_at_once'
  | 'denies_when_used_up'
  | 'used_up_sooner'
  | 'draws_no_more'
  | 'bills_no_more'
  | 'denies_no_more'
  | 'draws_on_pool'
  | 'bills'
  | 'alerts_no_more'
  | 'replaces_unknown'
  | 'below_consumption'
  | 'raises'
  | 'lowers';

/** `text` is for people, and holds nothing that came from outside. */
export type AllocationWarning = { code: AllocationWarningCode; text: string };

/** `consumed`: this month, where it is known. */
export type CreditsBefore = { credits: CurrencyAllocation | undefined; consumed: number | undefined };

/** What an admin should know before confirming; what breaks running agents comes first. */
export function findAllocationWarnings(before: CreditsBefore, after: WantedCredits): AllocationWarning[] {
  const stops = findStopWarnings(before, after);
  const isSaid = stops.some(({ code }) => code === 'denies_at_once');
  const amounts = findAmountWarnings(before, after).filter(({ code }) => !isSaid || code !== 'below_consumption');
  return [...stops, ...findRuleWarnings(before.credits, after), ...amounts];
}

function findStopWarnings({ credits, consumed }: CreditsBefore, after: WantedCredits): AllocationWarning[] {
  if (!after.rules.Deny) return [];
  const isNew = readRule(credits, 'Deny') !== 'on';
  const hasMore = after.rules.TenantPool || after.rules.PayGo;
  const isUsedUp = after.allocated === 0 || (consumed !== undefined && consumed >= after.allocated);
  const isTighter = isNew || isLowered(credits, after) || isTurnedOff(credits, after, 'TenantPool', 'PayGo');
  if (isUsedUp && !hasMore && isTighter) {
    const because =
      after.allocated === 0 ? 'No credits are allocated' : `${formatCredits(consumed ?? 0)} are used already`;
    return [
      { code: 'denies_at_once', text: `${because}: all agents of this environment stop at once, for everybody.` },
    ];
  }
  if (isNew) {
    const text =
      'When the credits are used up, all agents of this environment stop for everybody who uses them, also in the middle of work.';
    return [{ code: 'denies_when_used_up', text }];
  }
  if (!isTighter) return [];
  return [{ code: 'used_up_sooner', text: 'Consumption is denied once credits are used up, and now that is sooner.' }];
}

function findRuleWarnings(credits: CurrencyAllocation | undefined, after: WantedCredits): AllocationWarning[] {
  return BY_GRAVITY.flatMap((rule) => {
    const state = after.rules[rule] ? 'on' : 'off';
    const warning = RULE_WARNINGS[rule][state];
    return warning === undefined || readRule(credits, rule) === state ? [] : [warning];
  });
}

const BY_GRAVITY = ['TenantPool', 'PayGo', 'Deny', 'Alert'] as const;

const RULE_WARNINGS: Record<RuleType, { on?: AllocationWarning; off?: AllocationWarning }> = {
  TenantPool: {
    on: { code: 'draws_on_pool', text: 'The environment may use credits of the whole tenant that nobody reserved.' },
    off: {
      code: 'draws_no_more',
      text: 'Beyond its own credits the environment gets none of the tenant pool any more: agents that live on them may fail.',
    },
  },
  PayGo: {
    on: { code: 'bills', text: 'Consumption beyond the credits goes on, and is billed to the subscription.' },
    off: {
      code: 'bills_no_more',
      text: 'Consumption beyond the credits is not billed any more: agents that live on it may fail.',
    },
  },
  Deny: { off: { code: 'denies_no_more', text: 'Consumption goes on where the credits are used up.' } },
  Alert: { off: { code: 'alerts_no_more', text: 'Nobody is told any more when the credits run low.' } },
};

function findAmountWarnings({ credits, consumed }: CreditsBefore, after: WantedCredits): AllocationWarning[] {
  const warnings: AllocationWarning[] = [];
  if (consumed !== undefined && consumed >= after.allocated) {
    const text = `${formatCredits(consumed)} credits are used already: the allocation has no room left.`;
    warnings.push({ code: 'below_consumption', text });
  }
  if (credits !== undefined && credits.allocated === undefined) {
    const text = 'What is allocated now cannot be read. It is replaced, whatever it is.';
    warnings.push({ code: 'replaces_unknown', text });
  }
  if (isLowered(credits, after)) {
    warnings.push({ code: 'lowers', text: 'The allocation is lowered: it is used up sooner.' });
  }
  if (isRaised(credits, after)) {
    warnings.push({ code: 'raises', text: 'The allocation is raised: fewer credits are left for other environments.' });
  }
  return warnings;
}

function isLowered(credits: CurrencyAllocation | undefined, { allocated }: WantedCredits): boolean {
  return credits?.allocated !== undefined && allocated < credits.allocated;
}

function isRaised(credits: CurrencyAllocation | undefined, { allocated }: WantedCredits): boolean {
  if (credits !== undefined && credits.allocated === undefined) return false;
  return allocated > (credits?.allocated ?? 0);
}

function isTurnedOff(credits: CurrencyAllocation | undefined, after: WantedCredits, ...rules: RuleType[]): boolean {
  return rules.some((rule) => !after.rules[rule] && readRule(credits, rule) !== 'off');
}
