// What is approved: one document of entries, with a revision. Setting a limit, a stop, credits or a class, and keeping a
// difference, are edits of it.
import {
  type AgentTarget,
  type EnvironmentTarget,
  isSameId,
  type Target,
  toAgentTarget,
  toEntryKey,
  toTargetKey,
  uniqueIds,
} from './target.ts';
import type { SettingId, Standard, Values } from './values.ts';

/** A day of the calendar, as YYYY-MM-DD. An entry that ends holds through that day, in UTC. */
export type Day = string;

/** Who decided, and why. Slack user ids, and the directory accounts that they were signed in with, if known. */
export type Why = {
  by: string;
  account?: string | undefined;
  approvedBy?: string | undefined;
  approverAccount?: string | undefined;
  /** One line, in their own words. */
  reason: string;
  /** Epoch ms. */
  at: number;
};

export type Stated<Value> = { value: Value; why: Why };

/** One setting of one target. `exception` replaces `standing` through its last day. */
export type Entry<Setting extends SettingId = SettingId> = {
  setting: Setting;
  target: Target;
  standing?: Stated<Values[Setting]> | undefined;
  exception?: (Stated<Values[Setting]> & { until: Day }) | undefined;
};

/** `revision`: one more with each change; 0 for an empty policy. `entries`: by toEntryKey. */
export type Policy = { revision: number; entries: Readonly<Record<string, Entry>> };

export const EMPTY_POLICY: Policy = { revision: 0, entries: {} };

/** Whether the target is a channel of another installation of the app. Only administrators there decide about it. */
export function isForeign(target: Target, workspace: string): boolean {
  return 'channel' in target && !isSameId(target.workspace, workspace);
}

/** The policy as administrators of this installation see it. */
export function ofInstallation(policy: Policy, workspace: string): Policy {
  const own = Object.entries(policy.entries).filter(([, { target }]) => !isForeign(target, workspace));
  return { ...policy, entries: Object.fromEntries(own) };
}

/**
 * Where a value comes from: the target's own entry or exception, the entry of its environment, its class, or the entry of
 * all channels. If nobody approved it, from the configuration, or built in.
 */
export type Level = 'entry' | 'exception' | 'environment' | 'class' | 'every_channel' | 'configuration' | 'built_in';

export type Effective<Value> = { value: Value; level: Level; why?: Why | undefined; until?: Day | undefined };

export function findEntry<Setting extends SettingId>(
  { entries }: Policy,
  setting: Setting,
  target: Target,
): Entry<Setting> | undefined {
  return entries[toEntryKey(setting, target)] as Entry<Setting> | undefined;
}

/** The value of the target's own entry. `now`: epoch ms. */
export function readEntry<Setting extends SettingId>(
  policy: Policy,
  setting: Setting,
  target: Target,
  now: number,
): Effective<Values[Setting]> | undefined {
  const entry = findEntry(policy, setting, target);
  if (entry?.exception && !isOver(entry.exception.until, now)) {
    const { value, why, until } = entry.exception;
    return { value, level: 'exception', why, until };
  }
  return entry?.standing && { value: entry.standing.value, level: 'entry', why: entry.standing.why };
}

/** Undefined: the environment has no class. */
export function readClass(policy: Policy, environmentId: string, now: number): string | undefined {
  return readEntry(policy, 'class', { environmentId }, now)?.value;
}

/** The standard of the environment's class. */
export function readStandard(policy: Policy, environmentId: string, now: number): Standard | undefined {
  const className = readClass(policy, environmentId, now);
  return className === undefined ? undefined : readEntry(policy, 'standard', { className }, now)?.value;
}

/** The names of all classes, in order. */
export function listClasses({ entries }: Policy): string[] {
  const targets = Object.values(entries).filter(({ setting }) => setting === 'standard');
  return targets.flatMap(({ target }) => ('className' in target ? [target.className] : [])).toSorted();
}

/** The approved limit of an agent. Limits of classes are only in `defaultCurrency`. Undefined: not governed. */
export function readLimit(
  policy: Policy,
  target: AgentTarget & { currency: string },
  { now, defaultCurrency }: { now: number; defaultCurrency: string },
): Effective<Values['limit']> | undefined {
  const own = readEntry(policy, 'limit', target, now);
  if (own || !isSameId(target.currency, defaultCurrency)) return own;
  const value = readStandard(policy, target.environmentId, now)?.limit;
  return value && { value, level: 'class' };
}

/**
 * Whether an agent should be stopped: by its own entry, else by its environment's. In an environment with a class, an agent
 * that no entry stops should run. Undefined: not governed.
 */
export function readStop(policy: Policy, agent: AgentTarget, now: number): Effective<boolean> | undefined {
  const { environmentId } = agent;
  const own = readEntry(policy, 'stop', toAgentTarget(agent), now);
  if (own) return own;
  const all = readEntry(policy, 'stop', { environmentId }, now);
  if (all) return { ...all, level: 'environment' };
  return readClass(policy, environmentId, now) === undefined ? undefined : { value: false, level: 'class' };
}

/** The approved credits of an environment in one currency: its own entry, and the class's standard for what that leaves out. */
export function readCredits(
  policy: Policy,
  target: EnvironmentTarget & { currency: string },
  now: number,
): Effective<Values['credits']> | undefined {
  const own = readEntry(policy, 'credits', target, now);
  const standard = readStandard(policy, target.environmentId, now)?.credits ?? {};
  const name = Object.keys(standard).find((one) => isSameId(one, target.currency));
  const ofClass = name === undefined ? undefined : standard[name];
  if (!own) return ofClass && { value: ofClass, level: 'class' };
  const { value, ...from } = own;
  const allocated = value.allocated ?? ofClass?.allocated;
  const rules = { ...ofClass?.rules, ...value.rules };
  return { ...from, value: { ...(allocated !== undefined && { allocated }), rules } };
}

// An index of currencies by target, because a policy may have thousands of entries, and a review looks up each agent.

type Index = Record<'limit' | 'credits', ReadonlyMap<string, readonly string[]>>;

/** The currencies of all limits, the default one first. */
export function listCurrencies({ entries }: Policy, defaultCurrency: string): string[] {
  const own = [...toIndex(entries).limit.values()].flat();
  return uniqueIds([defaultCurrency, ...own]);
}

/** The default currency, and the others in which one of the policies has a limit for this agent. */
export function listLimitCurrencies(
  policies: readonly Policy[],
  agent: AgentTarget,
  defaultCurrency: string,
): string[] {
  const key = toTargetKey(toAgentTarget(agent));
  const own = policies.flatMap(({ entries }) => toIndex(entries).limit.get(key) ?? []);
  return uniqueIds([defaultCurrency, ...own]);
}

/** The currencies in which the policy says something about the credits of this environment. */
export function listCreditCurrencies(policy: Policy, environmentId: string, now: number): string[] {
  const own = toIndex(policy.entries).credits.get(toTargetKey({ environmentId })) ?? [];
  const standard = Object.keys(readStandard(policy, environmentId, now)?.credits ?? {});
  return [...own, ...standard.filter((name) => !own.some((one) => isSameId(one, name)))];
}

const INDEXES = new WeakMap<Policy['entries'], Index>();

function toIndex(entries: Policy['entries']): Index {
  const index = INDEXES.get(entries) ?? { limit: collect(entries, 'limit'), credits: collect(entries, 'credits') };
  INDEXES.set(entries, index);
  return index;
}

function collect(entries: Policy['entries'], wanted: keyof Index): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { setting, target } of Object.values(entries)) {
    if (setting !== wanted || !('environmentId' in target) || target.currency === undefined) continue;
    const { currency, ...rest } = target;
    const key = toTargetKey(rest);
    found.set(key, [...(found.get(key) ?? []), currency]);
  }
  return found;
}

/** Whether the day has ended, in UTC. */
export function isOver(day: Day, now: number): boolean {
  return now >= endOf(day);
}

/** Epoch ms. */
export function endOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether it is a day of the calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** 22 Feb 2027, in UTC. Of a day, or of a time in epoch ms. */
export function formatDay(day: Day | number): string {
  return new Date(day).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}

/** ` until 31 Dec 2026`; '' if there is no last day. */
export function describeUntil(until: Day | undefined): string {
  return until === undefined ? '' : ` until ${formatDay(until)}`;
}
