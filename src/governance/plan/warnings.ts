// What an administrator should know before confirming a plan. No text in it comes from outside.
import type { Credits, Limit, RuleType } from '../../policy/values.ts';
import { formatAmount, formatCount, formatCredits } from '../shell/numbers.ts';
import { findCredits } from './compare.ts';
import type { CreditsItem, Item, ThresholdItem } from './plan.ts';
import type { ThresholdState } from './seen.ts';

/** `isGrave`: agents stop at once though nobody asked for a stop, or money is spent. `text`: mrkdwn. */
export type Warning = { text: string; isGrave: boolean };

/** Credits used this month, if known. `currency`: needed because one item may have several. */
export type ReadUsed = (item: Item, currency: string) => number | undefined;

/** The gravest first. A warning that applies to several items appears once, with their number. */
export function listWarnings(items: readonly Item[], used: ReadUsed): Warning[] {
  const found = items.map((item) => findWarnings(item, used));
  return CODES.flatMap((code) => {
    const fitting = found.flatMap((some) => some.get(code) ?? []);
    const [first] = fitting;
    if (first === undefined) return [];
    const { noun, text, isGrave = false }: Known = WARNINGS[code];
    const about = items.length === 1 ? '' : `*${formatCount(fitting.length, noun)}*: `;
    return [{ text: `${about}${fitting.length === 1 ? `${first}${text}` : text}`, isGrave }];
  });
}

/** By code, the reason that goes before its text, such as *It has used 190 this month. *, or ''. */
type Found = Map<Code, string>;

function findWarnings(item: Item, used: ReadUsed): Found {
  return item.resource === 'threshold' ? findOfThreshold(item, used) : findOfCredits(item, used);
}

type Known = { noun: 'agent' | 'environment'; text: string; isGrave?: boolean };

/** The gravest first. */
const WARNINGS = {
  stops_at_once: { noun: 'agent', text: 'Stops at once, for everybody who uses it.', isGrave: true },
  denies_at_once: { noun: 'environment', text: 'All agents there stop at once, for everybody.', isGrave: true },
  bills: { noun: 'environment', text: 'What goes beyond the credits is billed to the subscription.', isGrave: true },
  stops_now: { noun: 'agent', text: 'Stops now, for everybody.' },
  runs_again: { noun: 'agent', text: 'Runs again at once.' },
  runs_if_stopped: { noun: 'agent', text: 'If somebody has stopped it elsewhere, it runs again.' },
  replaces_unknown_limit: { noun: 'agent', text: 'What is set now cannot be seen here. It is replaced.' },
  taken_away: {
    noun: 'agent',
    text: 'The limit is removed: only the credits of its environment limit what it spends.',
  },
  no_longer_stops: { noun: 'agent', text: 'No longer stops at the limit.' },
  no_room: { noun: 'agent', text: 'The limit has no room left this month.' },
  stops_at_limit: { noun: 'agent', text: 'Stops for everybody when the limit is reached, also in the middle of work.' },
  denies_when_used_up: {
    noun: 'environment',
    text: 'When the credits are used up, all agents there stop for everybody.',
  },
  used_up_sooner: { noun: 'environment', text: 'Agents are denied credits sooner than now.' },
  draws_on_pool: { noun: 'environment', text: 'May use credits of the whole tenant that nobody reserved.' },
  draws_no_more: { noun: 'environment', text: 'No longer draws on the tenant pool: agents that need it may fail.' },
  bills_no_more: { noun: 'environment', text: 'No longer pays as it goes: agents that need it may fail.' },
  denies_no_more: { noun: 'environment', text: 'Agents go on when the credits are used up.' },
  replaces_unknown_credits: { noun: 'environment', text: 'What is allocated now cannot be read. It is replaced.' },
  below_use: { noun: 'environment', text: 'The credits have no room left.' },
  alerts_no_more: { noun: 'environment', text: 'Administrators are no longer alerted when the credits run low.' },
} as const satisfies Record<string, Known>;

type Code = keyof typeof WARNINGS;

const CODES = Object.keys(WARNINGS) as Code[];

function findOfThreshold(item: ThresholdItem, used: ReadUsed): Found {
  const { before, after, isStop, currency } = item;
  if (isStop) return new Map([['stops_now', '']]);
  const known = before === 'unknown' ? undefined : before;
  return new Map([
    ...findOfRunning(known, after),
    ...findOfUse(known?.limit, after, used(item, currency) ?? known?.used),
    ...findOfLimit(known?.limit, after),
  ]);
}

type Finding = [code: Code, because: string];

function findOfRunning(before: ThresholdState | undefined, after: ThresholdState): Finding[] {
  if (after.stopped) return [];
  if (before === undefined) return [['runs_if_stopped', '']];
  return before.stopped ? [['runs_again', '']] : [];
}

function findOfUse(before: Limit | undefined, { limit, stopped }: ThresholdState, used: number | undefined): Finding[] {
  if (limit === 'none' || stopped) return [];
  const isReached = limit.credits === 0 || (used !== undefined && used >= limit.credits);
  if (!isReached) return limit.stopAtLimit && !stopsAtLimit(before) ? [['stops_at_limit', '']] : [];
  const because =
    limit.credits === 0 ? 'A limit of 0 is reached. ' : `It has used ${formatAmount(used ?? 0)} this month. `;
  const wasStopping =
    stopsAtLimit(before) && before !== undefined && before !== 'none' && before.credits <= limit.credits;
  return limit.stopAtLimit && !wasStopping ? [['stops_at_once', because]] : [['no_room', because]];
}

function stopsAtLimit(limit: Limit | undefined): boolean {
  return limit !== undefined && limit !== 'none' && limit.stopAtLimit;
}

function findOfLimit(before: Limit | undefined, { limit }: ThresholdState): Finding[] {
  if (before === undefined) return [['replaces_unknown_limit', '']];
  if (before === 'none') return [];
  if (limit === 'none') return [['taken_away', '']];
  return before.stopAtLimit && !limit.stopAtLimit ? [['no_longer_stops', '']] : [];
}

function findOfCredits(item: CreditsItem, used: ReadUsed): Found {
  const found = Object.entries(item.after).flatMap(([currency, after]) => {
    const before = findCredits(item.before, currency);
    const about = { before, after, used: used(item, currency) };
    return [...findOfDeny(about), ...findOfRules(about), ...findOfAmount(about)];
  });
  return new Map(found);
}

type AboutCredits = { before: Credits | undefined; after: Credits; used: number | undefined };

function findOfDeny({ before, after, used }: AboutCredits): Finding[] {
  if (!after.rules.Deny) return [];
  const { allocated = 0 } = after;
  const isNew = before?.rules.Deny !== true;
  const isTighter = isNew || isLowered(before, after) || isTurnedOff(before, after, 'TenantPool', 'PayGo');
  if (!isTighter) return [];
  const isUsedUp = allocated === 0 || (used !== undefined && used >= allocated);
  if (isUsedUp && !after.rules.TenantPool && !after.rules.PayGo) {
    const because = allocated === 0 ? 'No credits are allocated. ' : `${formatCredits(used ?? 0)} are used already. `;
    return [['denies_at_once', because]];
  }
  return [[isNew ? 'denies_when_used_up' : 'used_up_sooner', '']];
}

/** The warnings for turning a rule on or off. */
const BY_RULE: Record<RuleType, { on?: Code; off?: Code }> = {
  TenantPool: { on: 'draws_on_pool', off: 'draws_no_more' },
  PayGo: { on: 'bills', off: 'bills_no_more' },
  Deny: { off: 'denies_no_more' },
  Alert: { off: 'alerts_no_more' },
};

function findOfRules({ before, after }: AboutCredits): Finding[] {
  // Without an allocation, no rule was on.
  const isOn = (rule: RuleType) => (before === undefined ? false : before.rules[rule]);
  return (Object.keys(BY_RULE) as RuleType[]).flatMap((rule): Finding[] => {
    const code = BY_RULE[rule][after.rules[rule] ? 'on' : 'off'];
    return code === undefined || isOn(rule) === after.rules[rule] ? [] : [[code, '']];
  });
}

function findOfAmount({ before, after, used }: AboutCredits): Finding[] {
  const { allocated = 0 } = after;
  const isBelow = used !== undefined && used > 0 && used >= allocated && isLowered(before, after);
  return [
    ...(before !== undefined && before.allocated === undefined ? [['replaces_unknown_credits', ''] as Finding] : []),
    ...(isBelow ? [['below_use', `${formatCredits(used)} are used already. `] as Finding] : []),
  ];
}

function isLowered(before: Credits | undefined, { allocated = 0 }: Credits): boolean {
  return before?.allocated !== undefined && allocated < before.allocated;
}

function isTurnedOff(before: Credits | undefined, after: Credits, ...rules: RuleType[]): boolean {
  return rules.some((rule) => !after.rules[rule] && before !== undefined && before.rules[rule] !== false);
}
