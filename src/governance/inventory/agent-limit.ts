// The monthly credit limit of one agent.
import { z } from 'zod';

/**
 * `name` is the agent's id in the inventory, `agentResourceId` the one that thresholds go by. Often the same.
 * `currencyType`: the one whose limit it is about, as the service names it; undefined for the configured one.
 */
export type GovernedAgent = {
  environmentId: string;
  agentResourceId: string;
  name: string;
  displayName: string;
  environmentName?: string | undefined;
  currencyType?: string | undefined;
};

export const agentLimitSchema = z.object({
  /** Credits a month. */
  limit: z.number(),
  notify: z.boolean(),
  /** Percent of the limit. */
  notificationThreshold: z.number(),
  stopWhenReached: z.boolean(),
  /** Stopped by somebody, whatever it has used. */
  stopped: z.union([z.boolean(), z.literal('unknown')]),
});

export type AgentLimit = z.infer<typeof agentLimitSchema>;

export type WantedLimit = Omit<AgentLimit, 'stopped'>;

/** What an admin says about an agent that is, or may be, stopped. */
export type StopDecision = 'keep_stopped' | 'not_stopped';

/** `currencyType` as in GovernedAgent. */
export type LimitCurrency = { currencyType?: string | undefined };

/**
 * `stoppedIn`: the agent's limits in other currencies that stop it, as far as they were looked at. The contract has one
 * threshold per environment, currency and agent, each with a `stopResource` of its own, so any one of them stops the agent.
 */
export type KnownLimit = OwnLimit & { stoppedIn?: LimitCurrency[] | undefined };

/** Times in epoch ms. */
type OwnLimit =
  | { source: 'deployment'; limit: AgentLimit; consumption?: number; readAt: number }
  /** The deployment lists thresholds, and has none for this agent. */
  | { source: 'none'; readAt: number }
  /** What was last set from here. `setBy`: a Slack user id. Somebody may have changed it elsewhere since. */
  | { source: 'last_set'; limit: AgentLimit; setAt: number; setBy: string }
  /**
   * The deployment may have a limit that cannot be read as a whole. `stopped`: known all the same. `told`: what else is
   * known, for reviews only: nothing is planned from a part. `inDoubt`: the last change from here may or may not hold.
   * `isListed`: the deployment lists it, in a form that cannot be read. `neverSet`: the deployment offers no read of
   * limits, and none was set from here.
   */
  | {
      source: 'unknown';
      stopped?: boolean | undefined;
      told?: ToldLimit | undefined;
      inDoubt?: boolean | undefined;
      isListed?: boolean | undefined;
      neverSet?: boolean | undefined;
    };

const stoppedIn = z.array(z.object({ currencyType: z.string().optional() })).optional();

/** As forms carry it through Slack, and as the audit log keeps it. */
export const knownLimitSchema = z.discriminatedUnion('source', [
  z.object({
    source: z.literal('deployment'),
    limit: agentLimitSchema,
    consumption: z.number().optional(),
    readAt: z.number(),
    stoppedIn,
  }),
  z.object({ source: z.literal('none'), readAt: z.number(), stoppedIn }),
  z.object({ source: z.literal('last_set'), limit: agentLimitSchema, setAt: z.number(), setBy: z.string(), stoppedIn }),
  z.object({
    source: z.literal('unknown'),
    stopped: z.boolean().optional(),
    inDoubt: z.boolean().optional(),
    isListed: z.boolean().optional(),
    neverSet: z.boolean().optional(),
    stoppedIn,
  }),
]);

/** A limit that could be read in part. */
export type ToldLimit = {
  limit: number;
  notify: boolean | 'unknown';
  notificationThreshold: number | 'unknown';
  stopWhenReached: boolean | 'unknown';
};

export function hasSameValues(one: AgentLimit, other: AgentLimit): boolean {
  return (
    one.limit === other.limit &&
    one.notify === other.notify &&
    one.notificationThreshold === other.notificationThreshold &&
    one.stopWhenReached === other.stopWhenReached &&
    one.stopped === other.stopped
  );
}

/** Undefined if there is no limit, or part of it is unknown. */
export function readValues(known: KnownLimit): AgentLimit | undefined {
  return known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
}

/**
 * 0 credits that neither notify nor stop: what a stop leaves behind where there was no limit, because the service takes only
 * complete thresholds. It caps nothing, so it counts as none.
 */
export function isNoLimit({ limit, notify, stopWhenReached }: WantedLimit): boolean {
  return limit === 0 && !notify && !stopWhenReached;
}

/** Whether the agent is stopped, by this limit or by one in another currency. */
export function readStopped(known: KnownLimit): boolean | 'unknown' {
  return isStoppedElsewhere(known) ? true : readOwnStop(known);
}

export function isStoppedElsewhere({ stoppedIn = [] }: KnownLimit): boolean {
  return stoppedIn.length > 0;
}

/**
 * Whether this limit stops the agent. Only the deployment knows: after a value was set from here, somebody may have stopped the agent elsewhere. To stop an
 * agent sets a threshold, so an agent without one is not stopped.
 */
export function readOwnStop(known: KnownLimit): boolean | 'unknown' {
  if (known.source === 'deployment') return known.limit.stopped;
  if (known.source === 'none') return false;
  return known.source === 'unknown' ? (known.stopped ?? 'unknown') : 'unknown';
}

/** Stopped by the last change from here, though the deployment does not tell whether that still holds. */
export function isStoppedFromHere(known: KnownLimit): boolean {
  return known.source === 'last_set' && known.limit.stopped === true;
}

function isInDoubt({ inDoubt = false }: Extract<KnownLimit, { source: 'unknown' }>): boolean {
  return inDoubt;
}

/** Whether nothing changed between two looks. Consumption and limits in other currencies do not count. */
export function isSameKnownLimit(one: KnownLimit, other: KnownLimit): boolean {
  if (one.source === 'deployment' && other.source === 'deployment') return hasSameValues(one.limit, other.limit);
  if (one.source === 'last_set' && other.source === 'last_set') {
    return one.setAt === other.setAt && one.setBy === other.setBy && hasSameValues(one.limit, other.limit);
  }
  if (one.source === 'unknown' && other.source === 'unknown') {
    // A change from here that may or may not hold has come in between.
    return one.stopped === other.stopped && isInDoubt(one) === isInDoubt(other);
  }
  return one.source === other.source;
}
