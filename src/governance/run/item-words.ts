// What a plan does, in words: its items, old → new, and the edits of the policy that no item shows. Names are escaped.
import type { Edit } from '../../policy/edit.ts';
import { type Day, describeUntil } from '../../policy/policy.ts';
import {
  type AgentTarget,
  type EnvironmentTarget,
  EVERY_CHANNEL,
  isSameId,
  type Target,
  toSubjectKey,
} from '../../policy/target.ts';
import { type Credits, type Limit, RULE_TYPES, type SettingId, type Values } from '../../policy/values.ts';
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import { describeNamed, MAX_NAME_LENGTH } from '../inventory/inventory-views.ts';
import { toNames } from '../inventory/known-inventory.ts';
import { RULE_LABELS } from '../operations/credits.ts';
import { describeLimit } from '../operations/limit.ts';
import { describeSetting, OPERATIONS } from '../operations/operations.ts';
import { findCredits, holds, isSameLimit } from '../plan/compare.ts';
import { type CreditsItem, type Item, type Plan, type ThresholdItem, targetOf } from '../plan/plan.ts';
import type { CreditsState, SeenAgent, ThresholdState } from '../plan/seen.ts';
import type { GovernanceServices } from '../services.ts';
import { formatAmount, formatCredits } from '../shell/numbers.ts';

/** The change of one setting. `label`: '' if the values are clear without it. Plain text of ours. */
export type ItemChange = { label: string; currency?: string | undefined; old: string; next: string };

/** Plain text, untrusted. */
export function nameItem(item: Item): { name: string; where?: string | undefined } {
  if (item.resource === 'credits') return { name: item.environmentName };
  return nameAgent(item.agent);
}

/** Plain text, untrusted. */
export function nameAgent({ name, environmentName, environmentId }: SeenAgent): { name: string; where: string } {
  return { name, where: environmentName ?? environmentId };
}

/** *Name* in environment, and its currency; mrkdwn. */
export function describeItemSubject(item: Item, name: NameTarget): string {
  return name(toSaidTarget(item), nameItem(item));
}

/** With the currency, unless the changes say the currencies. */
function toSaidTarget(item: Item): Target {
  if (item.resource !== 'credits' || !hasOneCurrency(item)) return targetOf(item);
  return { ...targetOf(item), currency: Object.keys(item.after)[0] };
}

export function listItemChanges(item: Item): ItemChange[] {
  return item.resource === 'credits' ? listCreditChanges(item) : listThresholdChanges(item);
}

/** *limit none → 2,000 credits · notice at 80 %*; mrkdwn. `toName`: escapes the names of currencies. */
export function describeItemChanges(item: Item, toName = toMrkdwnName): string {
  return joinChanges(item, ({ label, of, old, next }) => `${label}${of} ${old} → ${next}`, toName);
}

/** For an item that corrects a difference: what is approved → what was found; mrkdwn. */
export function describeItemFound(item: Item): string {
  return joinChanges(item, ({ label, of, old: found, next: approved }) => `${label}${of} ${approved} → ${found}`);
}

/** The new values with the old ones: *2,000 credits · notice at 80 % (was none)*; mrkdwn. */
export function describeItemDone(item: Item): string {
  return joinChanges(item, ({ label, of, old, next }) => `${label === 'limit' ? '' : label}${of} ${next} (was ${old})`);
}

function joinChanges(
  item: Item,
  toWords: (change: ItemChange & { of: string }) => string,
  toName = toMrkdwnName,
): string {
  const changes = listItemChanges(item).map((change) => {
    const of = change.currency === undefined ? '' : ` (${toName(change.currency, 40)})`;
    return toWords({ ...change, of }).trim();
  });
  return changes.join(' · ');
}

function listThresholdChanges({ before, after }: ThresholdItem): ItemChange[] {
  const known = before === 'unknown' ? undefined : before;
  const stop = { label: '', old: describeStop(known), next: describeStop(after) };
  const isStopChanged = known === undefined ? after.stopped : known.stopped !== after.stopped;
  const limits = after.stopped && known === undefined ? [] : listLimitChanges(known?.limit, after.limit);
  return [...(isStopChanged ? [stop] : []), ...limits];
}

function describeStop(state: ThresholdState | undefined): string {
  if (state === undefined) return 'unknown';
  return state.stopped ? 'stopped' : 'running';
}

function listLimitChanges(old: Limit | undefined, next: Limit): ItemChange[] {
  if (old === undefined) return [{ label: 'limit', old: 'unknown', next: nameLimit(next) }];
  if (old === 'none' || next === 'none') {
    return old === next ? [] : [{ label: 'limit', old: nameLimit(old), next: nameLimit(next) }];
  }
  const toEnd = ({ stopAtLimit }: typeof old) => (stopAtLimit ? 'stops at the limit' : 'goes on at the limit');
  const toNotice = ({ noticeAt }: typeof old) => (noticeAt === 'off' ? 'off' : `${formatAmount(noticeAt)} %`);
  const changes: ItemChange[] = [
    { label: 'limit', old: `${formatAmount(old.credits)} credits`, next: `${formatAmount(next.credits)} credits` },
    { label: 'notice at', old: toNotice(old), next: toNotice(next) },
    { label: '', old: toEnd(old), next: toEnd(next) },
  ];
  return changes.filter((change) => change.old !== change.next);
}

function nameLimit(limit: Limit): string {
  return limit === 'none' ? limit : describeLimit(limit);
}

function listCreditChanges(item: CreditsItem): ItemChange[] {
  const isOne = hasOneCurrency(item);
  return Object.entries(item.after).flatMap(([currency, next]) =>
    listChangesOfCurrency(findCredits(item.before, currency), next).map((change) => ({
      ...change,
      ...(!isOne && { currency }),
    })),
  );
}

function hasOneCurrency({ before, after }: CreditsItem): boolean {
  return Object.keys(after).length === 1 && Object.keys(before).length <= 1;
}

function listChangesOfCurrency(old: Credits | undefined, next: Credits): ItemChange[] {
  const isListed = old !== undefined;
  const toRule = (value: boolean | undefined) =>
    value === undefined ? (isListed ? 'not shown' : 'not set') : value ? 'on' : 'off';
  const toAmount = (value: number | undefined) =>
    value === undefined ? (isListed ? 'not shown' : 'none') : formatCredits(value);
  const rules = RULE_TYPES.map((rule) => ({
    ...{ label: RULE_LABELS[rule], old: toRule(old?.rules[rule]), next: toRule(next.rules[rule]) },
  }));
  const amount = { label: 'credits', old: toAmount(old?.allocated), next: toAmount(next.allocated) };
  const changes = [amount, ...rules].filter(({ old: from, next: to }) => from !== to);
  // Without an allocation, a rule that is now off works as before: said only if there is nothing else to say.
  const effective = changes.filter(({ old: from, next: to }) => !(from === 'not set' && to === 'off'));
  return effective.length > 0 ? effective : changes;
}

/** What was found instead of what was expected; plain text of our own. */
export function describeFound(found: ThresholdState | CreditsState): string {
  if ('limit' in found && 'stopped' in found) {
    const { limit, stopped } = found as ThresholdState;
    return stopped ? 'stopped' : nameLimit(limit);
  }
  const amounts = Object.values(found as CreditsState).map(({ allocated }) =>
    allocated === undefined ? 'no amount' : `${formatCredits(allocated)} credits`,
  );
  return amounts.join(', ') || 'no credits';
}

/** *Name* in environment, and a currency that is not the default; mrkdwn. `seen`: its names, if they are known already. */
export type NameTarget = (target: Target, seen?: SeenNames) => string;

type SeenNames = ReturnType<typeof nameItem>;

/**
 * Names from the inventory as last read, or ids for targets that are not in it. `most`: infinite where people decide by the
 * names, because two long names may begin with the same words. Throws StoreUnavailableError.
 */
export async function readTargetNames(
  { known, currency: defaultCurrency }: Pick<GovernanceServices, 'known' | 'currency'>,
  most = MAX_NAME_LENGTH,
): Promise<NameTarget> {
  const names = toNames(await known.read());
  const nameKnown = ({ environmentId, ...rest }: AgentTarget | EnvironmentTarget): SeenNames => {
    const where = names.environment(environmentId) ?? environmentId;
    if (!('agentId' in rest)) return { name: where };
    return { name: names.agent(environmentId, rest.agentId) ?? rest.agentId, where };
  };
  return (target, seen) => {
    if ('className' in target) return `class ${describeNamed({ name: target.className }, most)}`;
    if ('channel' in target) return target.channel === EVERY_CHANNEL ? '*the workspace*' : `<#${target.channel}>`;
    const { currency = defaultCurrency } = target;
    const of = isSameId(currency, defaultCurrency) ? '' : ` (${toMrkdwnName(currency, most)})`;
    return `${describeNamed({ ...(seen ?? nameKnown(target)), id: readId(target) }, most)}${of}`;
  };
}

function readId(target: Target): string {
  if ('className' in target) return target.className;
  if ('channel' in target) return target.workspace;
  return 'agentId' in target ? target.agentId : target.environmentId;
}

/** The edits that no item shows in full. */
export function listPolicyEdits({ edits, items }: Pick<Plan, 'edits' | 'items'>): Edit[] {
  const byKey = Map.groupBy(items, (item) => toSubjectKey(targetOf(item)));
  const until = readUntil(edits);
  return edits.filter((edit) => {
    // Items say no last day. The plan says one, if all its edits have the same.
    const isDaySaid = listStated(edit).every((one) => one.until === until);
    return !isDaySaid || !(byKey.get(toSubjectKey(edit.target)) ?? []).some((item) => shows(item, edit));
  });
}

/** What the edit approves: now, and after the last day of an exception. */
function listStated({ change }: Edit): { value: Values[SettingId]; until?: Day | undefined }[] {
  if (change.kind === 'set') return [change];
  return [change.entry?.exception, change.entry?.standing].filter((one) => one !== undefined);
}

/** `item`: of the same target. While an exception holds, the standing value is not written, so no item shows it. */
function shows(item: Item, edit: Edit): boolean {
  const { setting, target } = edit;
  const currency = ('currency' in target ? target.currency : undefined) ?? '';
  const stated = listStated(edit).map(({ value }) => value);
  if (item.resource === 'credits') {
    const after = findCredits(item.after, currency);
    return setting === 'credits' && after !== undefined && stated.every((value) => holds(value as Credits, after));
  }
  const { before, after } = item;
  if (setting === 'stop') {
    const isChanged = before === 'unknown' || before.stopped !== after.stopped;
    return isChanged && stated.every((value) => value === after.stopped);
  }
  if (setting !== 'limit' || !isSameId(item.currency, currency)) return false;
  const isChanged = before === 'unknown' || !isSameLimit(before.limit, after.limit);
  return isChanged && stated.every((value) => isSameLimit(value as Limit, after.limit));
}

/** *Lab*: class maker until 31 Dec 2026, then class production; mrkdwn. */
export function describeEdit(edit: Edit, name: NameTarget): string {
  const { setting, target } = edit;
  const subject = name(target);
  const { noun, ended } = OPERATIONS[setting];
  const stated = listStated(edit).map(
    ({ value, until }) => `${toMrkdwnLine(describeSetting(setting, value), Infinity)}${describeUntil(until)}`,
  );
  if (stated.length > 0) return `${subject}: ${stated.join(', then ')}`;
  return `${subject}: ${ended === undefined ? `the entry of its ${noun} ends` : `${noun} ${ended} again`}`;
}

/** The one last day that all of them have; undefined: they have none, or several. */
export function readUntil(edits: readonly Edit[]): string | undefined {
  const days = new Set(edits.map(({ change }) => (change.kind === 'set' ? change.until : undefined)));
  const [day] = days;
  return days.size === 1 ? day : undefined;
}

/** Further lines are in the CSV file of the run, and in the log. */
const MAX_LINES = 40;

/** `more`: how many lines are left out. Whoever shows the lines shows that as well. */
export type PlanLines = { lines: string[]; more: number };

/** One line for each edit that no item shows, and for each item; mrkdwn, never cut. `name`: does not cut either. */
export function listPlanLines(plan: Plan, name: NameTarget): PlanLines {
  const all = [...listPolicyEdits(plan), ...plan.items];
  const shown = all.slice(0, MAX_LINES);
  const apart = tellApart(shown, name);
  const nameFully = (currency: string) => toMrkdwnName(currency, Infinity);
  const lines = shown.map((one) =>
    'setting' in one
      ? describeEdit(one, apart)
      : `${describeItemSubject(one, apart)}: ${describeItemChanges(one, nameFully)}`,
  );
  return { lines: lines.map((line) => `• ${line}`), more: all.length - lines.length };
}

/** Adds the id to names that look like the name of something else in the same plan. */
function tellApart(all: readonly (Edit | Item)[], name: NameTarget): NameTarget {
  const look: NameTarget = (target, seen) => name({ ...target, currency: undefined }, seen).replace(/\p{DI}/gu, '');
  const named = all.map((one): [string, string] =>
    'setting' in one
      ? [look(one.target), toSubjectKey(one.target)]
      : [look(targetOf(one), nameItem(one)), toSubjectKey(targetOf(one))],
  );
  const groups = Map.groupBy(named, ([words]) => words);
  return (target, seen) => {
    const keys = new Set(groups.get(look(target, seen))?.map(([, key]) => key));
    const words = name(target, seen);
    return keys.size > 1 ? `${words} (${toMrkdwnLine(readId(target), Infinity)})` : words;
  };
}
