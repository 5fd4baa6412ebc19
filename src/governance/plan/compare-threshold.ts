// One threshold: what the policy approves for an agent in one currency, beside what the service shows or was last sent.
import { type Effective, type Policy, readLimit, readStop } from '../policy/policy.ts';
import { type AgentTarget, isSameId, toTargetKey } from '../policy/target.ts';
import type { Limit } from '../policy/values.ts';
import { isSameThreshold, toLimitWay } from './compare.ts';
import type { CompareOptions, Differences, Touched } from './comparison.ts';
import type { SeenAgent, SeenThreshold, Sent, ThresholdState } from './seen.ts';

export type ComparedThreshold = { agent: SeenAgent; currency: string; shown: SeenThreshold };

/** Adds what it finds to `found`. */
export function compareThreshold(
  policy: Policy,
  { agent, currency, shown }: ComparedThreshold,
  touched: Touched,
  options: CompareOptions,
  found: Differences,
): void {
  const target = { environmentId: agent.environmentId, agentId: agent.agentId, currency };
  const approved = readApproved(policy, target, options);
  const wanted = { limit: touched.limit ? approved.limit : undefined, stop: touched.stop ? approved.stop : undefined };
  if (wanted.limit === undefined && wanted.stop === undefined) return;
  found.compared += 1;

  const known = typeof shown === 'string' ? undefined : shown;
  const sources = { approved, known, sent: options.readSent(toTargetKey(target)) };
  const stopped = decideStopped(wanted.stop, sources, options);
  const after: ThresholdState = { limit: wanted.limit ?? readKept(sources), stopped: stopped ?? false };
  const unseen = known ? undefined : judgeUnseen(sources.sent, after, options);

  if (unseen === undefined) addItem({ agent, currency, known, after, isUnclear: stopped === undefined }, found);
  else if (sources.sent && unseen === 'as_sent') found.asSent.push({ agent, currency, sent: sources.sent });
}

/** What is known of a threshold, the best first where the service shows it. */
type Sources = { approved: Approved; known: ThresholdState | undefined; sent: Sent | undefined };

/** The limit where only the stop is brought to what is approved: it is sent along as it is. */
function readKept({ approved, known, sent }: Sources): Limit {
  return known?.limit ?? approved.limit ?? sent?.limit ?? 'none';
}

/** What a review makes of a threshold that the service does not show. Undefined: it has to be sent. */
function judgeUnseen(
  sent: Sent | undefined,
  after: ThresholdState,
  { trustSentMs, now }: CompareOptions,
): 'as_sent' | 'never_set' | undefined {
  if (trustSentMs === undefined) return undefined;
  if (sent === undefined) return after.limit === 'none' && !after.stopped ? 'never_set' : undefined;
  const isSure = sent.inDoubt !== true && now - sent.at < trustSentMs;
  return isSure && isSameThreshold(sent, after) ? 'as_sent' : undefined;
}

type Approved = { limit: Limit | undefined; stop: Effective<boolean> | undefined };

/** Whether an agent is stopped is one question: it is sent in the currency that every agent has. */
function readApproved(policy: Policy, target: AgentTarget & { currency: string }, options: CompareOptions): Approved {
  const { now, defaultCurrency, restore } = options;
  const isDefault = isSameId(target.currency, defaultCurrency);
  return {
    limit: readLimit(policy, target, { now, defaultCurrency })?.value ?? restore?.threshold(toTargetKey(target))?.limit,
    stop: isDefault ? readApprovedStop(policy, target, options) : undefined,
  };
}

function readApprovedStop(
  policy: Policy,
  target: AgentTarget & { currency: string },
  { now, before, restore }: CompareOptions,
): Effective<boolean> | undefined {
  const stop = readStop(policy, target, now);
  if (stop && stop.level !== 'class') return stop;
  if (before && readStop(before, target, now)?.value) return { value: false, level: 'entry' };
  const kept = stop ? undefined : restore?.threshold(toTargetKey(target));
  return kept ? { value: kept.stopped, level: 'entry' } : stop;
}

/** `wanted`: where the stop is to be what is approved; else it stays as it is. Undefined: nobody can tell. */
function decideStopped(
  wanted: Effective<boolean> | undefined,
  { approved, known, sent }: Sources,
  { unknownStop }: CompareOptions,
): boolean | undefined {
  if (wanted && (known || wanted.level !== 'class')) return wanted.value;
  // That a class has no stop says nothing of an agent that the service does not show: somebody may have stopped it.
  const stated = approved.stop?.level === 'class' ? undefined : approved.stop?.value;
  return known?.stopped ?? stated ?? sent?.stopped ?? (unknownStop === 'runs' ? false : undefined);
}

type Compared = {
  agent: SeenAgent;
  currency: string;
  known: ThresholdState | undefined;
  after: ThresholdState;
  /** Nobody can tell whether the agent is to be stopped. */
  isUnclear: boolean;
};

function addItem({ agent, currency, known, after, isUnclear }: Compared, found: Differences): void {
  if (isUnclear) {
    found.leftOut.push({ environmentId: agent.environmentId, agent, currency, reason: 'maybe_stopped' });
    return;
  }
  if (known && isSameThreshold(known, after)) return;
  const before = known ?? 'unknown';
  const isStop = after.stopped && known?.stopped !== true;
  found.items.push({ resource: 'threshold', agent, currency, before, after, way: toLimitWay(before, after), isStop });
}
