import { hash } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PublicWatch } from '../http/public-server.ts';
import { VERSION } from '../version.ts';
import { createStoreGauges, type StoreSources } from './store-gauges.ts';

export type MetricSources = StoreSources & {
  /** The longest recent block of the event loop, in ms. */
  eventLoopLagMs(): number;
};

/** Our response to Slack: 200, 4xx, 503 (Slack sends it again) or 500. */
export type EventResult = 'acknowledged' | 'refused' | 'unavailable' | 'failed';

/** A shared private answer counts as an answer. */
const OUTCOMES: Record<string, string> = { answer: 'answered', shared: 'answered' };

const BREAKER_VALUES = { closed: 0, unknown: 0, half_open: 1, open: 2 };

/** In seconds. Slack gives up after three; our target is half a second. */
const ACK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/** In seconds: answers take from one to a few hundred, waits last up to ten minutes. */
const TURN_BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 120, 300, 600, 1200];

/** In seconds. */
const WAIT_BUCKETS = [1, 2, 5, 10, 30, 60, 120, 300, 600];

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics for Prometheus. Recording never throws or waits. No label identifies a person, a channel or a team. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  const { count, gauge, observe } = createSeries(registry);
  const refreshStoreGauges = createStoreGauges(gauge, sources);
  describeProcess(registry, gauge, sources.eventLoopLagMs);
  const breakers = gauge(
    'breaker_state',
    'Circuit breakers: 0 closed, or not tried for a while, 1 half open, 2 open.',
    ['upstream'],
  );
  const turns = count(
    'turns_total',
    'Turns that are done, by how they ended; `duplicate`: questions that had been accepted before.',
    { labels: ['outcome'], early: ['answered', 'interrupted', 'failed', 'abandoned', 'duplicate'] },
  );
  const turnSeconds = observe(
    'turn_seconds',
    'From the acceptance of a turn to its end, waits and sign-in included.',
    TURN_BUCKETS,
  );
  const wrongValues = gauge(
    'sign_in_values_wrong',
    '1 for each variable that the identity provider or Slack refuses, found at the start and every hour.',
    ['variable'],
  );
  return {
    ...createSlackMetrics({ count, gauge, observe }),
    publicPort: createPublicPort(count),
    /** A turn is done, `seconds` after it was accepted. `result`: `answer` or the code of a notice. */
    turnEnded(result: string, seconds: number) {
      turns.add(OUTCOMES[result] ?? result);
      turnSeconds(seconds);
    },
    /** A question came that had been accepted before. */
    turnRepeated: () => turns.add('duplicate'),
    /** Somebody judged an answer: see FeedbackEvent. */
    feedbackGiven: count(
      'feedback_total',
      'What people thought of answers: `none` counts the verdicts, the other reasons what they gave as such.',
      { labels: ['verdict', 'reason'], early: ['good none', 'bad none'] },
    ).add,
    /** A service asked us to wait. */
    askedToWait: observe('retry_after_seconds', 'Waits that others asked for, by who asked.', WAIT_BUCKETS, 'upstream'),
    /** `ended`: the person has to sign in again. `unavailable`: the identity provider did not answer. */
    tokenRefreshed: count(
      'refresh_total',
      'Refreshes of people’s access tokens; `ended`: the person has to sign in again.',
      { labels: ['result'], early: ['refreshed', 'ended', 'unavailable', 'failed'] },
    ).add,
    /** Somebody's sign-in ended. `result`: see identity/identity-errors.ts. */
    signInEnded: count(
      'sign_ins_total',
      'Sign-ins of people, by how they ended; `misconfigured`: a value of our configuration is wrong.',
      { labels: ['result'], early: ['signed_in', 'refused', 'misconfigured', 'unavailable', 'failed'] },
    ).add,
    /** The configured sign-in values were checked. `wrong`: the names of wrong variables. */
    signInChecked(wrong: string[]) {
      wrongValues.reset();
      for (const variable of wrong) wrongValues.set({ variable }, 1);
    },
    breakerChanged(upstream: string, state: keyof typeof BREAKER_VALUES) {
      breakers.set({ upstream }, BREAKER_VALUES[state]);
    },
    /** A lane was taken over from a silent replica. */
    laneStalled: count('stalled_total', 'Lanes whose replica fell silent, and that another took over.').add,
    /** A due lane was not held by any replica: its wake-up was lost, or its time had come. */
    laneRewoken: count(
      'sweeper_rewakes_total',
      'Lanes that were due and that nobody was at: their wake-up was lost, or their time had come.',
    ).add,
    /** A run found that a later run or a stop had taken over its turn. */
    fenceLost: count('fence_lost_total', 'Runs that found their turn taken over by a later run or a stop.').add,
    /** A duplicate message of ours was deleted. */
    orphanDeleted: count('orphans_deleted_total', 'Messages of ours that were one too many, and were deleted.').add,
    /** The exposition text. Reads the store first, for two seconds at most. */
    async read(): Promise<string> {
      await refreshStoreGauges();
      return registry.metrics();
    },
    contentType: registry.contentType as string,
  };
}

/** Above all what Slack sends once: a failure of another event comes again within a minute. */
const EARLY_EVENTS = [
  ...['message', 'app_mention', 'command', 'block_actions', 'view_submission'],
  ...['view_closed', 'block_suggestion', 'message_action', 'shortcut', 'other'],
];

function createSlackMetrics({ count, gauge, observe }: Series) {
  const events = count('slack_events_total', 'Requests of Slack, by type and by how they were answered.', {
    labels: ['type', 'result'],
    early: EARLY_EVENTS.flatMap((type) => [`${type} failed`, `${type} unavailable`]),
  });
  const ack = observe('ack_seconds', 'From the arrival of a delivery of Slack to its answer.', ACK_BUCKETS);
  const deliveries = count(
    'slack_deliveries_total',
    'Events of Slack, by workspace: `w` and the first eight digits of the SHA-256 of its team id.',
    { labels: ['workspace'], most: 1_000 },
  );
  const connections = gauge('slack_connections', 'With Socket Mode: open connections to Slack.');
  return {
    /** A request of Slack was answered, `seconds` after it came. `type`: `message`, `command`, `block_actions` … */
    slackEvent(type: string, result: EventResult, seconds: number) {
      events.add(type, result);
      // `other` may come from anybody, arbitrarily slowly.
      if (type !== 'other') ack(seconds);
    },
    /** Slack delivered an event of this team, for the first time or again. The label has no name. */
    slackDelivered: (team: string) => deliveries.add(`w${hash('sha256', team, 'hex').slice(0, 8)}`),
    /** A request to Slack's address was refused. `reason`: `signature`, `stale` … */
    slackRefused: count(
      'slack_requests_refused_total',
      'Requests to /slack/events that were refused, by reason; `signature`: SLACK_SIGNING_SECRET does not match.',
      { labels: ['reason'], early: ['signature', 'stale'] },
    ).add,
    /** The number of open Socket Mode connections has changed. */
    slackConnections: (open: number) => connections.set(open),
    /** A Socket Mode connection is replaced. `reason`: `lost`, `silent`, or Slack's, such as `refresh_requested`. */
    slackReconnected: count(
      'slack_reconnects_total',
      'With Socket Mode: connections to Slack that had to be replaced, by reason.',
      { labels: ['reason'], early: ['lost', 'silent'] },
    ).add,
    /** A call of Slack's Web API ended. `code`: `ok` or the code of the error. */
    slackCalled: count(
      'slack_api_total',
      'Calls of the Slack Web API, by method and by `ok` or the code of the error.',
      { labels: ['method', 'code'] },
    ).add,
  };
}

function createPublicPort(count: Series['count']): PublicWatch {
  const requests = count(
    'http_requests_total',
    'Answers at PORT, by path and class of status; `other`: a path that the app does not have.',
    { labels: ['path', 'status'] },
  );
  return {
    serves(paths) {
      for (const path of [...paths, 'other']) requests.begin(path, '2xx');
    },
    answered: (path, status) => requests.add(path, `${Math.floor(status / 100)}xx`),
    closed: count(
      'http_connections_closed_total',
      'Connections to PORT that were closed: `pipelined` sent a request too early, `full` made room for others.',
      { labels: ['reason'] },
    ).add,
  };
}

/** Node's default metrics, under the usual names, and the release of this process. */
function describeProcess(registry: Registry, gauge: Series['gauge'], eventLoopLagMs: () => number): void {
  collectDefaultMetrics({ register: registry });
  const release = 'Always 1; the labels name the release that this process runs, and its Node.';
  gauge('build_info', release, ['version', 'node']).set({ version: VERSION, node: process.versions.node }, 1);
  new Gauge({
    name: 'assistant_bridge_event_loop_lag_seconds',
    help: 'The longest that the event loop stood still within the last five to ten seconds, in seconds.',
    registers: [registry],
    collect() {
      this.set(eventLoopLagMs() / 1000);
    },
  });
}

/**
 * `labels`: the labels, in the order of the values. `most`: the most values of each label: each is a series that
 * stays. `early`: values, separated by blanks, of series with alerts. They start at 0, because Prometheus does not
 * count a first value as an increase.
 */
type Counted = { labels?: string[]; early?: string[]; most?: number };

type Series = ReturnType<typeof createSeries>;

/** Makes series of one registry. */
function createSeries(registry: Registry) {
  const toOptions = (name: string, help: string, labelNames: string[] = []) => ({
    ...{ name: `assistant_bridge_${name}`, help, labelNames, registers: [registry] },
  });
  return {
    gauge: (name: string, help: string, labels?: string[]): Gauge => new Gauge(toOptions(name, help, labels)),
    count(name: string, help: string, { labels = [], early = [], most = 60 }: Counted = {}) {
      const counter = new Counter(toOptions(name, help, labels));
      const bounds = labels.map((label) => ({ label, bound: createBoundedLabel(most) }));
      const inc = (values: string[], by: number) =>
        counter.inc(Object.fromEntries(bounds.map(({ label, bound }, at) => [label, bound(values[at] ?? '')])), by);
      for (const values of early) inc(values.split(' '), 0);
      return {
        add: (...values: string[]) => inc(values, 1),
        begin: (...values: string[]) => inc(values, 0),
      };
    },
    /** Negative values count as 0, because they would break the sums: clocks jump and differ between replicas. */
    observe(name: string, help: string, buckets: number[], label?: string) {
      const histogram = new Histogram({ ...toOptions(name, help, label ? [label] : []), buckets });
      return (seconds: number, value = '') =>
        histogram.observe(label ? { [label]: value } : {}, Number.isFinite(seconds) ? Math.max(seconds, 0) : 0);
    },
  };
}

const WORD = /^[\w/][\w.:/-]{0,63}$/;

/** Further values, and those that are not one word, become `other`. */
function createBoundedLabel(maxValues: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= maxValues || !WORD.test(value)) return 'other';
    known.add(value);
    return value;
  };
}
