// Compares the policy with the service, and lists what to write. A review compares everything, a change only what its
// edits touch.
import {
  type Effective,
  listCreditCurrencies,
  listLimitCurrencies,
  type Policy,
  readCredits,
  readLimit,
  readStop,
} from '../../policy/policy.ts';
import { type AgentTarget, type EnvironmentTarget, isSameId, toAgentTarget, toTargetKey } from '../../policy/target.ts';
import { type Credits, type Limit, RULE_TYPES } from '../../policy/values.ts';
import { findCredits, holds, isSameThreshold, toCreditsWay, toLimitWay } from './compare.ts';
import type { Item, LeftOut, ThresholdItem } from './plan.ts';
import {
  type CreditsState,
  type ReadSent,
  type Seen,
  type SeenAgent,
  type SeenCredits,
  type SeenEnvironment,
  type SeenThreshold,
  type Sent,
  type ThresholdState,
  withStop,
} from './seen.ts';

/** Which settings of a threshold are set to what is approved. The other one stays as it is. */
type Touched = { limit: boolean; stop: boolean };

export type Scope = {
  /** Undefined: the agent is not compared. */
  agent(agent: SeenAgent, currency: string): Touched | undefined;
  credits(environmentId: string, currency: string): boolean;
};

export type CompareOptions = {
  /** The currency of the limits of classes, and of stops. */
  defaultCurrency: string;
  readSent: ReadSent;
  /**
   * For a review: if the service does not show a value, the one last sent from here counts until it is this old (ms). After
   * that, somebody may have changed it in the console. Undefined for a change, which is always sent.
   */
  trustSentMs: number | undefined;
  /** Epoch ms. */
  now: number;
  /** `runs`: an agent runs if it is not known whether it is stopped. Undefined: such an agent is left out. */
  unknownStop?: 'runs' | undefined;
  /** The policy before a change. If it stopped an agent and the next policy does not, the stop ends. */
  before?: Policy | undefined;
  /** When a change is undone: the values before it. */
  restore?: Restore | undefined;
};

/** The state of a threshold, or the credits of an environment, before it was changed. Undefined: it was not changed. */
export type Restore = (
  target: AgentTarget | EnvironmentTarget,
) => ThresholdState | CreditsState | 'unknown' | undefined;

export type Differences = {
  items: Item[];
  /** What could not be compared, or may not be written. */
  leftOut: LeftOut[];
  /** Thresholds that the service does not show. The values last sent are the approved ones. */
  asSent: { agent: SeenAgent; currency: string; sent: Sent }[];
  /** How many thresholds and currencies of environments were compared. */
  compared: number;
};

export const EVERYTHING: Scope = { agent: () => ({ limit: true, stop: true }), credits: () => true };

export function findDifferences(policy: Policy, seen: Seen, scope: Scope, options: CompareOptions): Differences {
  const found: Differences = { items: [], leftOut: [], asSent: [], compared: 0 };
  const policies = options.before ? [policy, options.before] : [policy];
  for (const environment of seen.environments) {
    compareCredits(policy, { environment, looked: seen.credits(environment.environmentId) }, scope, options, found);
  }
  for (const agent of seen.agents) {
    for (const currency of listLimitCurrencies(policies, agent, options.defaultCurrency)) {
      const touched = scope.agent(agent, currency);
      if (!touched) continue;
      const own = seen.threshold(agent, currency);
      const shown = withStop(own, seen.threshold(agent, options.defaultCurrency));
      // A stop is for the agent, so it is sent in the default currency. One that was set in another currency ends there.
      const isStoppedThere = typeof own !== 'string' && own.stopped;
      const stop = touched.stop && (isStoppedThere || isSameId(currency, options.defaultCurrency));
      compareThreshold(policy, { agent, currency, shown }, { ...touched, stop }, options, found);
    }
  }
  return found;
}

type ComparedThreshold = { agent: SeenAgent; currency: string; shown: SeenThreshold };

/** Adds what it finds to `found`. */
function compareThreshold(
  policy: Policy,
  { agent, currency, shown }: ComparedThreshold,
  touched: Touched,
  options: CompareOptions,
  found: Differences,
): void {
  const target = { ...toAgentTarget(agent), currency };
  const approved = readApproved(policy, target, options);
  const wanted = { limit: touched.limit ? approved.limit : undefined, stop: touched.stop ? approved.stop : undefined };
  if (wanted.limit === undefined && wanted.stop === undefined) return;
  found.compared += 1;

  const known = typeof shown === 'string' ? undefined : shown;
  const sources = { approved, known, sent: options.readSent(toTargetKey(target)) };
  const stopped = decideStopped(wanted.stop, sources, options);
  const after: ThresholdState = { limit: wanted.limit ?? readPresentLimit(sources), stopped: stopped ?? false };
  const unseen = known ? undefined : trustSent(sources.sent, after, options);
  if (unseen === 'as_sent' && sources.sent) found.asSent.push({ agent, currency, sent: sources.sent });
  if (unseen !== undefined || (known && isSameThreshold(known, after))) return;
  const reason = findObstacle(stopped, approved, isSameId(currency, options.defaultCurrency));
  if (reason !== undefined) {
    found.leftOut.push({ environmentId: agent.environmentId, agent, currency, reason });
    return;
  }
  found.items.push(toItem({ agent, currency }, sources, after));
}

/** Why nothing is written. A limit in another currency than the default could let a stopped agent run. */
function findObstacle(
  stopped: boolean | undefined,
  { stop }: ApprovedThreshold,
  isDefault: boolean,
): LeftOut['reason'] | undefined {
  if (stopped === undefined) return 'maybe_stopped';
  return !isDefault && (stopped || stop?.value) ? 'stopped' : undefined;
}

function toItem(
  of: Pick<ThresholdItem, 'agent' | 'currency'>,
  { approved, known }: Sources,
  after: ThresholdState,
): ThresholdItem {
  const before = known ?? 'unknown';
  const isStop = after.stopped && known?.stopped !== true;
  const isLimitGuessed = isStop && known === undefined && approved.limit === undefined;
  return {
    ...{ resource: 'threshold', ...of, before, after, way: toLimitWay(before, after), isStop },
    ...(isLimitGuessed && { isLimitGuessed }),
  };
}

/** What is known of a threshold. `known`: what the service shows. `sent`: what was last sent from here. */
type Sources = { approved: ApprovedThreshold; known: ThresholdState | undefined; sent: Sent | undefined };

/** A write replaces the whole threshold, so a change of the stop sends the present limit along. */
function readPresentLimit({ approved, known, sent }: Sources): Limit {
  return known?.limit ?? approved.limit ?? sent?.limit ?? 'none';
}

/** How a review treats a threshold that the service does not show. Undefined: send it. */
function trustSent(
  sent: Sent | undefined,
  after: ThresholdState,
  { trustSentMs, now }: CompareOptions,
): 'as_sent' | 'never_set' | undefined {
  if (trustSentMs === undefined) return undefined;
  if (sent === undefined) return after.limit === 'none' && !after.stopped ? 'never_set' : undefined;
  const isSure = sent.inDoubt !== true && now - sent.at < trustSentMs;
  return isSure && isSameThreshold(sent, after) ? 'as_sent' : undefined;
}

type ApprovedThreshold = { limit: Limit | undefined; stop: Effective<boolean> | undefined };

function readApproved(
  policy: Policy,
  target: AgentTarget & { currency: string },
  options: CompareOptions,
): ApprovedThreshold {
  const { now, defaultCurrency, restore } = options;
  const restored = readRestored(target, restore);
  return {
    limit:
      readLimit(policy, target, { now, defaultCurrency })?.value ??
      (restored === 'unknown' ? undefined : restored?.limit),
    stop: readApprovedStop(policy, target, options),
  };
}

function readApprovedStop(
  policy: Policy,
  target: AgentTarget & { currency: string },
  { now, before, restore }: CompareOptions,
): Effective<boolean> | undefined {
  const stop = readStop(policy, target, now);
  const restored = readRestored(target, restore);
  const wasRunning = restored !== undefined && (restored === 'unknown' || !restored.stopped);
  // Undo: only what that change stopped runs again.
  if (restore && !stop?.value && !wasRunning) return restored && !stop ? { value: true, level: 'entry' } : undefined;
  if (stop && stop.level !== 'class') return stop;
  return before && readStop(before, target, now)?.value ? { value: false, level: 'entry' } : stop;
}

function readRestored(target: AgentTarget, restore: Restore | undefined): ThresholdState | 'unknown' | undefined {
  return restore?.(target) as ThresholdState | 'unknown' | undefined;
}

/** `wanted`: the approved stop; undefined keeps the present one. Returns undefined if that one is not known. */
function decideStopped(
  wanted: Effective<boolean> | undefined,
  { approved, known, sent }: Sources,
  { unknownStop }: CompareOptions,
): boolean | undefined {
  if (wanted && (known || wanted.level !== 'class')) return wanted.value;
  // A class has no stops. If the service does not show this agent, somebody may have stopped it elsewhere.
  const stated = approved.stop?.level === 'class' ? undefined : approved.stop?.value;
  return known?.stopped ?? stated ?? sent?.stopped ?? (unknownStop === 'runs' ? false : undefined);
}

/** `looked`: undefined if the environment was not read. */
type ComparedCredits = { environment: SeenEnvironment; looked: SeenCredits | undefined };

/** Adds what it finds to `found`. */
function compareCredits(
  policy: Policy,
  { environment: { environmentId, name: environmentName }, looked }: ComparedCredits,
  scope: Scope,
  { now, restore }: CompareOptions,
  found: Differences,
): void {
  const kept = (restore?.({ environmentId }) ?? {}) as CreditsState;
  const currencies = listCreditCurrencies(policy, environmentId, now);
  const left = Object.keys(kept).filter((one) => !currencies.some((other) => isSameId(one, other)));
  const governed = [...currencies, ...left].filter((one) => scope.credits(environmentId, one));
  if (governed.length === 0 || looked === undefined) return;
  found.compared += governed.length;
  if (looked === 'unreadable') {
    found.leftOut.push({ environmentId, reason: 'unreadable' });
    return;
  }
  const before = looked.credits;
  const after: CreditsState = {};
  for (const currency of governed) {
    const approved = readCredits(policy, { environmentId, currency }, now)?.value ?? findCredits(kept, currency);
    const present = findCredits(before, currency);
    if (approved === undefined || holds(approved, present)) continue;
    const complete = completeCredits(approved, present);
    if (complete === undefined) found.leftOut.push({ environmentId, currency, reason: 'no_amount' });
    else after[currency] = complete;
  }
  if (Object.keys(after).length === 0) return;
  const way = toCreditsWay(before, after);
  found.items.push({ resource: 'credits', environmentId, environmentName, before, after, way });
}

/** An update sets the amount and all four rules, so it repeats those that do not change. Undefined: no amount is known. */
function completeCredits(approved: Credits, present: Credits | undefined): Credits | undefined {
  const allocated = approved.allocated ?? present?.allocated;
  if (allocated === undefined) return undefined;
  const rules = RULE_TYPES.map((rule) => [rule, approved.rules[rule] ?? present?.rules[rule] ?? false]);
  return { allocated, rules: Object.fromEntries(rules) };
}
