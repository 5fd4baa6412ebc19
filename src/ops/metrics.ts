import { Registry } from 'prom-client';
import { createBoundedLabel } from './bounded-label.ts';
import { buildSeries } from './series.ts';
import { createStoreGauges, type StoreSources } from './store-gauges.ts';

export type MetricSources = StoreSources & {
  /** The longest that the event loop stood still lately. */
  eventLoopLagMs(): number;
};

/** What Slack was told: 200, a 4xx, 503 (send it again), or 500. */
export type EventResult = 'acknowledged' | 'refused' | 'unavailable' | 'failed';

/** `ended`: the person has to sign in again. `unavailable`: the identity provider, for now. */
type RefreshResult = 'refreshed' | 'ended' | 'unavailable' | 'failed';

type BreakerState = 'closed' | 'half_open' | 'open' | 'unknown';

/** What happened, counted for Prometheus. Nothing here throws or waits. No label names a person, a channel or a team. */
export type Metrics = {
  /** A request of Slack was answered, `seconds` after it came. `type`: `message`, `command`, `block_actions` … */
  slackEvent(type: string, result: EventResult, seconds: number): void;
  /** A request to Slack's address was refused. `reason`: `signature`, `stale` … */
  slackRefused(reason: string): void;
  /** A turn is done, `seconds` after it was accepted. `result`: `answer` or the code of a notice. */
  turnEnded(result: string, seconds: number): void;
  /** A question came that had been accepted before. */
  turnRepeated(): void;
  /** A call of Slack's Web API ended. `code`: `ok` or the code of the error. */
  slackCalled(method: string, code: string): void;
  /** Somebody asked us to wait. `upstream`: `slack`, `assistant` … */
  askedToWait(upstream: string, seconds: number): void;
  tokenRefreshed(result: RefreshResult): void;
  /** Somebody's sign-in ended. `result`: see identity/sign-in-result.ts. */
  signInEnded(result: string): void;
  /** The values that people sign in with were looked at; `wrong`: the variables that are wrong. */
  signInLookedAt(wrong: string[]): void;
  breakerChanged(upstream: string, state: BreakerState): void;
  /** A replica fell silent while it ran a lane, and another takes it over. */
  laneStalled(): void;
  /** The sweeper woke a lane with work: it waited for a time, or its wake-up was lost. */
  laneRewoken(): void;
  /** A run found that a later one, or a stop, had taken its turn over. */
  fenceLost(): void;
  /** A message of ours that was one too many was deleted. */
  orphanDeleted(): void;
  /** All of it, as Prometheus reads it. Looks at the store first, for two seconds at most. */
  read(): Promise<string>;
  readonly contentType: string;
};

/** An answer that its asker shows to the thread is one as well. */
const OUTCOMES: Record<string, string> = { answer: 'answered', shared: 'answered' };

const BREAKER_VALUES: Record<BreakerState, number> = { closed: 0, unknown: 0, half_open: 1, open: 2 };

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const series = buildSeries(registry, sources.eventLoopLagMs);
  const lookAtStore = createStoreGauges(registry, sources);
  const type = createBoundedLabel();
  const outcome = createBoundedLabel();
  const method = createBoundedLabel();
  const code = createBoundedLabel();
  const upstream = createBoundedLabel();

  return {
    slackEvent(name, result, seconds) {
      series.events.inc({ type: type(name), result });
      // What is no delivery of Slack may come from anybody, as slowly as they like.
      if (name !== 'other') series.ack.observe(positive(seconds));
    },
    slackRefused: (reason) => series.slackRefusals.inc({ reason }),
    turnEnded(result, seconds) {
      series.turns.inc({ outcome: outcome(OUTCOMES[result] ?? result) });
      series.turnSeconds.observe(positive(seconds));
    },
    turnRepeated: () => series.turns.inc({ outcome: 'duplicate' }),
    slackCalled: (name, answer) => series.slackCalls.inc({ method: method(name), code: code(answer) }),
    askedToWait: (who, seconds) => series.waits.observe({ upstream: upstream(who) }, positive(seconds)),
    tokenRefreshed: (result) => series.refreshes.inc({ result }),
    signInEnded: (result) => series.signIns.inc({ result }),
    signInLookedAt(wrong) {
      series.wrongValues.reset();
      for (const variable of wrong) series.wrongValues.set({ variable }, 1);
    },
    breakerChanged: (who, state) => series.breakers.set({ upstream: upstream(who) }, BREAKER_VALUES[state]),
    laneStalled: () => series.stalled.inc(),
    laneRewoken: () => series.rewakes.inc(),
    fenceLost: () => series.fencesLost.inc(),
    orphanDeleted: () => series.orphans.inc(),
    async read() {
      await lookAtStore();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Clocks jump, and those of two replicas differ: less than nothing would break the sums. */
function positive(seconds: number): number {
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : 0;
}
