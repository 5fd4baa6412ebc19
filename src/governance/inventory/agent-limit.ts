// The monthly credit limit of one agent.

/** `name` is the agent's id in the inventory, `agentResourceId` the one that thresholds go by. Often the same. */
export type GovernedAgent = {
  environmentId: string;
  agentResourceId: string;
  name: string;
  displayName: string;
  environmentName?: string | undefined;
};

export type AgentLimit = {
  /** Credits a month. */
  limit: number;
  notify: boolean;
  /** Percent of the limit. */
  notificationThreshold: number;
  stopWhenReached: boolean;
  /** Stopped by somebody, whatever it has used. */
  stopped: boolean | 'unknown';
};

export type WantedLimit = Omit<AgentLimit, 'stopped'>;

/** What an admin says about an agent that is, or may be, stopped. */
export type StopDecision = 'keep_stopped' | 'not_stopped';

/** Times in epoch ms. */
export type KnownLimit =
  | { source: 'deployment'; limit: AgentLimit; consumption?: number; readAt: number }
  /** The deployment lists thresholds, and has none for this agent. */
  | { source: 'none'; readAt: number }
  /** What was last set from here. `setBy`: a Slack user id. Somebody may have changed it elsewhere since. */
  | { source: 'last_set'; limit: AgentLimit; setAt: number; setBy: string }
  /**
   * The deployment may have a limit that cannot be read as a whole. `stopped`: known all the same. `told`: what else is
   * known, for reviews only: nothing is planned from a part.
   */
  | { source: 'unknown'; stopped?: boolean | undefined; told?: ToldLimit | undefined };

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

/** Only the deployment knows: after a value was set from here, somebody may have stopped the agent elsewhere. */
export function readStopped(known: KnownLimit): boolean | 'unknown' {
  if (known.source === 'deployment') return known.limit.stopped;
  return known.source === 'unknown' ? (known.stopped ?? 'unknown') : 'unknown';
}

/** Whether nothing changed between two looks. Consumption does not count. */
export function isSameKnownLimit(one: KnownLimit, other: KnownLimit): boolean {
  if (one.source === 'deployment' && other.source === 'deployment') return hasSameValues(one.limit, other.limit);
  if (one.source === 'last_set' && other.source === 'last_set') {
    return one.setAt === other.setAt && one.setBy === other.setBy && hasSameValues(one.limit, other.limit);
  }
  if (one.source === 'unknown' && other.source === 'unknown') return one.stopped === other.stopped;
  return one.source === other.source;
}
