import { hash } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PublicWatch } from '../http/public-server.ts';
import { VERSION } from '../version.ts';
import { createStoreGauges, type StoreSources } from './store-gauges.ts';

export type MetricSources = StoreSources & {
  /** The longest recent event loop block. */
  eventLoopLagMs(): number;
};

/** Our response to Slack: 200, 4xx, 503 (Slack sends it again) or 500. */
export type EventResult = 'acknowledged' | 'refused' | 'unavailable' | 'failed';

/** `ended`: the person has to sign in again. `unavailable`: the identity provider, for now. */
type RefreshResult = 'refreshed' | 'ended' | 'unavailable' | 'failed';

type BreakerState = 'closed' | 'half_open' | 'open' | 'unknown';

/** Metrics for Prometheus. Recording never throws or waits. No label identifies a person, a channel or a team. */
export type Metrics = {
  publicPort: PublicWatch;
  /** A request of Slack was answered, `seconds` after it came. `type`: `message`, `command`, `block_actions` … */
  slackEvent(type: string, result: EventResult, seconds: number): void;
  /** Slack delivered an event of this team, for the first time or again. */
  slackDelivered(team: string): void;
  /** A request to Slack's address was refused. `reason`: `signature`, `stale` … */
  slackRefused(reason: string): void;
  /** So many Socket Mode connections are open. */
  slackConnections(open: number): void;
  /** A Socket Mode connection is replaced. `reason`: `lost`, `silent`, or Slack's, such as `refresh_requested`. */
  slackReconnected(reason: string): void;
  /** A turn is done, `seconds` after it was accepted. `result`: `answer` or the code of a notice. */
  turnEnded(result: string, seconds: number): void;
  /** A question came that had been accepted before. */
  turnRepeated(): void;
  /** A call of Slack's Web API ended. `code`: `ok` or the code of the error. */
  slackCalled(method: string, code: string): void;
  /** Somebody judged an answer: see FeedbackEvent. */
  feedbackGiven(verdict: string, reason: string): void;
  /** Somebody asked us to wait. `upstream`: `slack`, `assistant` … */
  askedToWait(upstream: string, seconds: number): void;
  tokenRefreshed(result: RefreshResult): void;
  /** Somebody's sign-in ended. `result`: see identity/sign-in-result.ts. */
  signInEnded(result: string): void;
  /** The values that people sign in with were checked; `wrong`: the variables that are wrong. */
  signInChecked(wrong: string[]): void;
  breakerChanged(upstream: string, state: BreakerState): void;
  /** A lane was taken over from a silent replica. */
  laneStalled(): void;
  /** A lane was due and nobody was at it: its wake-up was lost, or its time had come. */
  laneRewoken(): void;
  /** A run found that a later one, or a stop, had taken its turn over. */
  fenceLost(): void;
  /** A duplicate message of ours was deleted. */
  orphanDeleted(): void;
  /** The exposition text. Reads the store first, for two seconds at most. */
  read(): Promise<string>;
  readonly contentType: string;
};

/** A shared private answer counts as an answer. */
const OUTCOMES: Record<string, string> = { answer: 'answered', shared: 'answered' };

const BREAKER_VALUES: Record<BreakerState, number> = { closed: 0, unknown: 0, half_open: 1, open: 2 };

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const series = buildSeries(registry, sources.eventLoopLagMs);
  const refreshStoreGauges = createStoreGauges(registry, sources);
  const type = createBoundedLabel();
  const outcome = createBoundedLabel();
  const method = createBoundedLabel();
  const code = createBoundedLabel();
  const upstream = createBoundedLabel();
  const reconnect = createBoundedLabel();
  const workspace = createBoundedLabel(1_000);

  return {
    publicPort: {
      serves(paths) {
        for (const path of [...paths, 'other']) series.requests.inc({ path, status: '2xx' }, 0);
      },
      answered: (path, status) => series.requests.inc({ path, status: `${Math.floor(status / 100)}xx` }),
      closed: (reason) => series.closures.inc({ reason }),
    },
    slackEvent(name, result, seconds) {
      series.events.inc({ type: type(name), result });
      // `other` may come from anybody, arbitrarily slowly.
      if (name !== 'other') series.ack.observe(positive(seconds));
    },
    slackDelivered: (team) => series.deliveries.inc({ workspace: workspace(toOpaque(team)) }),
    slackRefused: (reason) => series.slackRefusals.inc({ reason }),
    slackConnections: (open) => series.connections.set(open),
    slackReconnected: (reason) => series.reconnects.inc({ reason: reconnect(reason) }),
    turnEnded(result, seconds) {
      series.turns.inc({ outcome: outcome(OUTCOMES[result] ?? result) });
      series.turnSeconds.observe(positive(seconds));
    },
    turnRepeated: () => series.turns.inc({ outcome: 'duplicate' }),
    slackCalled: (name, answer) => series.slackCalls.inc({ method: method(name), code: code(answer) }),
    feedbackGiven: (verdict, reason) => series.feedback.inc({ verdict, reason }),
    askedToWait: (who, seconds) => series.waits.observe({ upstream: upstream(who) }, positive(seconds)),
    tokenRefreshed: (result) => series.refreshes.inc({ result }),
    signInEnded: (result) => series.signIns.inc({ result }),
    signInChecked(wrong) {
      series.wrongValues.reset();
      for (const variable of wrong) series.wrongValues.set({ variable }, 1);
    },
    breakerChanged: (who, state) => series.breakers.set({ upstream: upstream(who) }, BREAKER_VALUES[state]),
    laneStalled: () => series.stalled.inc(),
    laneRewoken: () => series.rewakes.inc(),
    fenceLost: () => series.fencesLost.inc(),
    orphanDeleted: () => series.orphans.inc(),
    async read() {
      await refreshStoreGauges();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Clocks jump and differ between replicas; negative values would break the sums. */
function positive(seconds: number): number {
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : 0;
}

const MAX_VALUES = 60;

const WORD = /^[A-Za-z][\w.:-]{0,63}$/;

/**
 * Bounds the values of one label, because each value is a series that is kept for good. Further values, and those that
 * are not one word, become `other`.
 */
function createBoundedLabel(maxValues = MAX_VALUES): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= maxValues || !WORD.test(value)) return 'other';
    known.add(value);
    return value;
  };
}

/** Tells teams apart without naming them. */
function toOpaque(team: string): string {
  return `w${hash('sha256', team, 'hex').slice(0, 8)}`;
}

/** In seconds. Slack gives up after three; our target is half a second. */
const ACK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/** In seconds: answers take from one to a few hundred, waits last up to ten minutes. */
const TURN_BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 120, 300, 600, 1200];

/** In seconds. */
const WAIT_BUCKETS = [1, 2, 5, 10, 30, 60, 120, 300, 600];

/** Everything counted as it happens, and Node's default metrics, under the names that dashboards for Node know. */
function buildSeries(registry: Registry, eventLoopLagMs: () => number) {
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'assistant_bridge_build_info',
    help: 'Always 1; the labels name the release that this process runs, and its Node.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: VERSION, node: process.versions.node }, 1);
  new Gauge({
    name: 'assistant_bridge_event_loop_lag_seconds',
    help: 'The longest that the event loop stood still within the last five to ten seconds, in seconds.',
    registers,
    collect() {
      this.set(eventLoopLagMs() / 1000);
    },
  });
  return { ...buildCounters(createCount(registers)), ...buildGauges(registers), ...buildHistograms(registers) };
}

type Count = ReturnType<typeof createCount>;

/** Makes counters. `early`: series with alerts, which start at 0: Prometheus does not count a first value as an increase. */
function createCount(registers: Registry[]) {
  return <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    early: Record<Label, string>[] = [],
  ) => {
    const counter = new Counter({ name: `assistant_bridge_${name}`, help, labelNames, registers });
    for (const labels of early) counter.inc(labels, 0);
    return counter;
  };
}

const EARLY_EVENTS = ['message', 'app_mention', 'command', 'block_actions', 'view_submission', 'other'].flatMap(
  (type) => [
    { type, result: 'failed' },
    { type, result: 'unavailable' },
  ],
);

const each = <Label extends string>(label: Label, ...values: string[]) =>
  values.map((value) => ({ [label]: value }) as Record<Label, string>);

function buildCounters(count: Count) {
  return {
    requests: count(
      'http_requests_total',
      'Answers at PORT, by path and class of status; `other`: a path that the app does not have.',
      ['path', 'status'],
    ),
    closures: count(
      'http_connections_closed_total',
      'Connections to PORT that were closed: `pipelined` sent a request too early, `full` made room for others.',
      ['reason'],
    ),
    turns: count(
      'turns_total',
      'Turns that are done, by how they ended; `duplicate`: questions that had been accepted before.',
      ['outcome'],
      each('outcome', 'answered', 'interrupted', 'failed', 'abandoned', 'duplicate'),
    ),
    feedback: count(
      'feedback_total',
      'What people thought of answers: `none` counts the verdicts, the other reasons what they gave as such.',
      ['verdict', 'reason'],
      ['good', 'bad'].map((verdict) => ({ verdict, reason: 'none' })),
    ),
    stalled: count('stalled_total', 'Lanes whose replica fell silent, and that another took over.'),
    rewakes: count(
      'sweeper_rewakes_total',
      'Lanes that were due and that nobody was at: their wake-up was lost, or their time had come.',
    ),
    fencesLost: count('fence_lost_total', 'Runs that found their turn taken over by a later run or a stop.'),
    orphans: count('orphans_deleted_total', 'Messages of ours that were one too many, and were deleted.'),
    events: count(
      'slack_events_total',
      'Requests of Slack, by type and by how they were answered.',
      ['type', 'result'],
      EARLY_EVENTS,
    ),
    deliveries: count(
      'slack_deliveries_total',
      'Events of Slack, by workspace: `w` and the first eight digits of the SHA-256 of its team id.',
      ['workspace'],
    ),
    slackRefusals: count(
      'slack_requests_refused_total',
      'Requests to /slack/events that were refused, by reason; `signature`: SLACK_SIGNING_SECRET does not match.',
      ['reason'],
      each('reason', 'signature', 'stale'),
    ),
    reconnects: count(
      'slack_reconnects_total',
      'With Socket Mode: connections to Slack that had to be replaced, by reason.',
      ['reason'],
      each('reason', 'lost', 'silent'),
    ),
    slackCalls: count(
      'slack_api_total',
      'Calls of the Slack Web API, by method and by `ok` or the code of the error.',
      ['method', 'code'],
    ),
    refreshes: count(
      'refresh_total',
      'Refreshes of people’s access tokens; `ended`: the person has to sign in again.',
      ['result'],
      each('result', 'refreshed', 'ended', 'unavailable', 'failed'),
    ),
    signIns: count(
      'sign_ins_total',
      'Sign-ins of people, by how they ended; `misconfigured`: a value of our configuration is wrong.',
      ['result'],
      each('result', 'signed_in', 'refused', 'misconfigured', 'unavailable', 'failed'),
    ),
  };
}

function buildGauges(registers: Registry[]) {
  return {
    connections: new Gauge({
      name: 'assistant_bridge_slack_connections',
      help: 'With Socket Mode: open connections to Slack.',
      registers,
    }),
    wrongValues: new Gauge({
      name: 'assistant_bridge_sign_in_values_wrong',
      help: '1 for each variable that the identity provider or Slack refuses, found at the start and every hour.',
      labelNames: ['variable'],
      registers,
    }),
    breakers: new Gauge({
      name: 'assistant_bridge_breaker_state',
      help: 'Circuit breakers: 0 closed, or not tried for a while, 1 half open, 2 open.',
      labelNames: ['upstream'],
      registers,
    }),
  };
}

function buildHistograms(registers: Registry[]) {
  return {
    turnSeconds: new Histogram({
      name: 'assistant_bridge_turn_seconds',
      help: 'From the acceptance of a turn to its end, waits and sign-in included.',
      buckets: TURN_BUCKETS,
      registers,
    }),
    ack: new Histogram({
      name: 'assistant_bridge_ack_seconds',
      help: 'From the arrival of a delivery of Slack to its answer.',
      buckets: ACK_BUCKETS,
      registers,
    }),
    waits: new Histogram({
      name: 'assistant_bridge_retry_after_seconds',
      help: 'Waits that others asked for, by who asked.',
      labelNames: ['upstream'],
      buckets: WAIT_BUCKETS,
      registers,
    }),
  };
}
