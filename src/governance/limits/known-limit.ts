// An agent's present limit: from the service if it tells, otherwise the one that was last set here.

import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Threshold } from '../../admin-api/licensing-wire.ts';
import { withinTime } from '../../time-limit.ts';
import { type BrokenOffChange, endBrokenOff, isOver } from '../changes/broken-off.ts';
import type { ChangeStore, LimitChange } from '../changes/change.ts';
import {
  type GovernedAgent,
  hasSameValues,
  isSameKnownLimit,
  isStoppedFromHere,
  type KnownLimit,
  type LimitCurrency,
} from '../inventory/agent-limit.ts';
import { endsReading } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';

/** 'unreadable': not to this account, not now, or not in a form that we can read. */
export type Thresholds = Threshold[] | 'not_offered' | 'unreadable';

export type LimitSources = {
  session: Pick<AdminSession, 'readThresholds'>;
  changes: Pick<ChangeStore, 'lastSet'>;
  now: () => number;
};

type LookSources = LimitSources & Pick<LimitLook, 'withinMs'>;

type AgentIds = Pick<GovernedAgent, 'environmentId' | 'agentResourceId' | 'name' | 'currencyType'>;

type LimitLook = {
  /** Leaves out the change that is just being made. */
  exceptId?: string | undefined;
  /** What a plan was made from. Where the deployment told it, that it tells no more is an error, not another value. */
  planned?: KnownLimit | undefined;
  /** A read that takes longer (ms) tells nothing. */
  withinMs?: number;
};

/** For somebody who waits in front of a form. */
export const SOON = { withinMs: 2_000 };

/**
 * Looks now. The agent comes back with the id that the deployment files its threshold under, where it tells. Where the
 * read fails, the limit is unknown; where `planned` had been told, what the read throws is thrown on.
 */
export async function lookUpLimit<Agent extends AgentIds>(
  agent: Agent,
  { session, changes, now }: LimitSources,
  { exceptId, planned, withinMs }: LimitLook = {},
): Promise<{ agent: Agent; known: KnownLimit }> {
  const sources = { session, changes, now, withinMs };
  const usual = agent.currencyType === undefined ? [] : [{}];
  const others = [...usual, ...(planned?.stoppedIn ?? []).filter(({ currencyType }) => currencyType !== undefined)];
  const [looked, stoppedIn] = await Promise.all([
    lookUpOwn(agent, sources, { exceptId, planned }),
    findStops(agent, others, sources),
  ]);
  return { ...looked, known: withStops(looked.known, stoppedIn) };
}

async function lookUpOwn<Agent extends AgentIds>(
  agent: Agent,
  { session, changes, now, withinMs }: LookSources,
  { exceptId, planned }: LimitLook,
): Promise<{ agent: Agent; known: KnownLimit }> {
  const { environmentId, currencyType } = agent;
  const thresholds = await (isTold(planned)
    ? session.readThresholds(currencyType)
    : readReadable(session, currencyType, withinMs));
  if (!Array.isArray(thresholds)) {
    const change = await changes.lastSet(environmentId, agent.agentResourceId, exceptId, currencyType);
    // In another currency it is not known either whether the usual limit stops the agent.
    const isNeverSet = thresholds === 'not_offered' && change === undefined && currencyType === undefined;
    return { agent, known: isNeverSet ? NEVER_SET : toLastSetLimit(change) };
  }
  const threshold = findThreshold(indexThresholds(thresholds), agent);
  const agentResourceId = threshold?.resourceId ?? agent.agentResourceId;
  return { agent: { ...agent, agentResourceId }, known: toDeploymentLimit(threshold, now()) };
}

/**
 * After lookUpLimit, which looks at the configured currency: adds others whose limits stop the agent. `currencies`: those to
 * look at. `agent`: as the inventory has it, because each currency may file it under another of its two ids.
 */
export async function addStopsElsewhere(
  { agent, known }: { agent: AgentIds; known: KnownLimit },
  currencies: readonly string[],
  sources: LimitSources,
): Promise<KnownLimit> {
  const seen = [agent, ...(known.stoppedIn ?? [])].map(({ currencyType }) => currencyType);
  const left = currencies.filter((one) => !seen.includes(one));
  const others = left.map((currencyType) => ({ currencyType }));
  return withStops(known, [...(known.stoppedIn ?? []), ...(await findStops(agent, others, { ...sources, ...SOON }))]);
}

/** Each is a read of a whole tenant. */
const READS_AT_ONCE = 4;

/** Forms carry them through Slack. Where there are more, they show as soon as these let the agent run again. */
const MAX_STOPS = 3;

function withStops(known: KnownLimit, stoppedIn: LimitCurrency[]): KnownLimit {
  return stoppedIn.length === 0 ? known : { ...known, stoppedIn: stoppedIn.slice(0, MAX_STOPS) };
}

/** Where the service does not tell: those that were last stopped from here. */
async function findStops(
  agent: AgentIds,
  currencies: readonly LimitCurrency[],
  { session, changes, withinMs }: LookSources,
): Promise<LimitCurrency[]> {
  const { environmentId, agentResourceId } = agent;
  const stops = await mapConcurrently(currencies, READS_AT_ONCE, async ({ currencyType }) => {
    const thresholds = await readReadable(session, currencyType, withinMs);
    if (Array.isArray(thresholds)) return findThreshold(indexThresholds(thresholds), agent)?.stopResource === true;
    return isStoppedFromHere(
      toLastSetLimit(await changes.lastSet(environmentId, agentResourceId, undefined, currencyType)),
    );
  });
  return currencies.filter((_, index) => stops[index]);
}

export function isTold(known: KnownLimit | undefined): boolean {
  if (known?.source === 'unknown') return known.stopped !== undefined;
  return known?.source === 'deployment' || known?.source === 'none';
}

/** The contract has no such read, so a limit can be set without it. */
async function readReadable(
  session: LimitSources['session'],
  currencyType: string | undefined,
  withinMs: number | undefined,
): Promise<Thresholds> {
  try {
    const reading = session.readThresholds(currencyType);
    return await (withinMs === undefined ? reading : withinTime(withinMs, reading, () => 'unreadable' as const));
  } catch (error) {
    if (endsReading(error)) throw error;
    return 'unreadable';
  }
}

/** By environment and id, in lower case: the same id may occur in several environments. */
export type ThresholdIndex = ReadonlyMap<string, Threshold>;

export function indexThresholds(thresholds: readonly Threshold[]): ThresholdIndex {
  const known = INDEXES.get(thresholds);
  if (known !== undefined) return known;
  const index = new Map(thresholds.map((one) => [toKey(one.environmentId, one.resourceId), one]));
  INDEXES.set(thresholds, index);
  return index;
}

/** Thousands of agents may be looked up in one answer. */
const INDEXES = new WeakMap<readonly Threshold[], ThresholdIndex>();

/** Deployments file an agent's threshold under one of its two ids. */
export function findThreshold(index: ThresholdIndex, agent: AgentIds): Threshold | undefined {
  const { environmentId, agentResourceId, name } = agent;
  return index.get(toKey(environmentId, agentResourceId)) ?? index.get(toKey(environmentId, name));
}

export function toDeploymentLimit(threshold: Threshold | undefined, readAt: number): KnownLimit {
  if (threshold === undefined) return { source: 'none', readAt };
  const { consumption, limit: credits, stopResource } = threshold;
  const stopped = stopResource === 'unknown' ? {} : { stopped: stopResource };
  if (credits === undefined) return { source: 'unknown', ...stopped, isListed: true };
  const { notifyIfOverCapacity: notify, notificationThreshold, stopIfOverCapacity: stopWhenReached } = threshold;
  if (notify === 'unknown' || notificationThreshold === 'unknown' || stopWhenReached === 'unknown') {
    const told = { limit: credits, notify, notificationThreshold, stopWhenReached };
    return { source: 'unknown', ...stopped, told };
  }
  const limit = { limit: credits, notify, notificationThreshold, stopWhenReached, stopped: stopResource };
  return { source: 'deployment', limit, ...(consumption === undefined ? {} : { consumption }), readAt };
}

const NEVER_SET: KnownLimit = { source: 'unknown', neverSet: true };

/** A change that may or may not have been written, or was overtaken at once, says nothing about what holds now. */
export function toLastSetLimit(change: LimitChange | undefined): KnownLimit {
  if (change === undefined) return { source: 'unknown' };
  const isWritten = change.outcome?.written === 'yes' && change.outcome.kind !== 'conflict';
  if (!isWritten) return { source: 'unknown', inDoubt: true };
  return { source: 'last_set', limit: change.after, setAt: change.at, setBy: change.user };
}

function toKey(environmentId: string, resourceId: string): string {
  return `${environmentId}\n${resourceId}`.toLowerCase();
}

/**
 * After a look: ends the agent's last change from here where that was begun, and broke off, by what the look has shown of
 * it. Undefined where there is no such change.
 */
export async function settleLimit(
  { environmentId, agentResourceId, currencyType }: Omit<AgentIds, 'name'>,
  found: KnownLimit,
  { changes, now }: { changes: Pick<ChangeStore, 'lastSet' | 'get' | 'finish'>; now: () => number },
): Promise<BrokenOffChange<'agent_limit'> | undefined> {
  const change = await changes.lastSet(environmentId, agentResourceId, undefined, currencyType);
  if (change === undefined || change.outcome !== undefined || !isOver(change.at, now())) return undefined;
  return endLimitChange(change.id, found, { changes, now });
}

/** Ends a change of which it is known that it broke off. Undefined where it has ended meanwhile. */
export function endLimitChange(
  changeId: string,
  found: KnownLimit,
  sources: Parameters<typeof endBrokenOff>[2],
): Promise<BrokenOffChange<'agent_limit'> | undefined> {
  const compare = ({ before, after }: LimitChange) => {
    // Nobody can tell: what was set from here is all that is known, and this may or may not have been.
    if (found.source !== 'deployment' && found.source !== 'none') return 'not_told';
    if (found.source === 'deployment' && hasSameValues(found.limit, after)) return 'after';
    return isSameKnownLimit(found, before) ? 'before' : 'other';
  };
  return endBrokenOff({ changeId, kind: 'agent_limit', found }, compare, sources);
}

/** For `exclusively`. By the id of the inventory: the other one is told in one look, and may not be in the next. */
export function toLimitKey({ environmentId, name }: Pick<GovernedAgent, 'environmentId' | 'name'>): string {
  return `limit:${environmentId}|${name}`.toLowerCase();
}
