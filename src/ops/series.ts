import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { VERSION } from '../version.ts';

/** In seconds. Slack gives up after three; half a second is what we want to keep to. */
const ACK_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/** In seconds: answers take from one to a few hundred, waits last up to ten minutes. */
const TURN_BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 120, 300, 600, 1200];

/** In seconds. */
const WAIT_BUCKETS = [1, 2, 5, 10, 30, 60, 120, 300, 600];

/** Prometheus does not see a first step from nothing to 1 as an increase: what alerts watch has to be there before. */
const EARLY_OUTCOMES = ['answered', 'interrupted', 'failed', 'abandoned', 'duplicate'];

/** What Slack sends us, as far as an alert is to hear of the first failure of each kind. */
const EARLY_EVENTS = ['message', 'app_mention', 'command', 'block_actions', 'view_submission', 'other'];

const EARLY_SIGN_INS = ['signed_in', 'refused', 'misconfigured', 'unavailable', 'failed'];
const EARLY_REFUSALS = ['signature', 'stale'];

const EARLY_REFRESHES = ['refreshed', 'ended', 'unavailable', 'failed'];

/** Everything that is counted as it happens, and what Node tells about the process. */
export function buildSeries(registry: Registry, eventLoopLagMs: () => number) {
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'assistant_bridge_build_info',
    help: 'Always 1; the label names the release that this process runs.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  new Gauge({
    name: 'event_loop_lag',
    help: 'The longest that the event loop stood still within the last five to ten seconds, in seconds.',
    registers,
    collect() {
      this.set(eventLoopLagMs() / 1000);
    },
  });
  return {
    ...buildTurnSeries(registers),
    ...buildSlackSeries(registers),
    ...buildUpstreamSeries(registers),
  };
}

function buildTurnSeries(registers: Registry[]) {
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const turns = new Counter({
    name: 'turns_total',
    help: 'Turns that are done, by how they ended; `duplicate`: questions that had been accepted before.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of EARLY_OUTCOMES) turns.inc({ outcome }, 0);
  return {
    turns,
    turnSeconds: new Histogram({
      name: 'turn_seconds',
      help: 'From the acceptance of a turn to its end, waits and sign-in included.',
      buckets: TURN_BUCKETS,
      registers,
    }),
    stalled: counter('stalled_total', 'Lanes whose replica fell silent, and that another took over.'),
    rewakes: counter(
      'sweeper_rewakes_total',
      'Lanes with work that the sweeper woke: they waited for a time, or their wake-up was lost.',
    ),
    fencesLost: counter('fence_lost_total', 'Runs that found their turn taken over by a later run or a stop.'),
    orphans: counter('orphans_deleted_total', 'Messages of ours that were one too many, and were deleted.'),
  };
}

function buildSlackSeries(registers: Registry[]) {
  const events = new Counter({
    name: 'slack_events_total',
    help: 'Requests of Slack, by type and by how they were answered.',
    labelNames: ['type', 'result'],
    registers,
  });
  for (const type of EARLY_EVENTS) for (const result of ['failed', 'unavailable']) events.inc({ type, result }, 0);
  const slackRefusals = new Counter({
    name: 'slack_requests_refused_total',
    help: 'Requests to /slack/events that were refused, by reason; `signature`: SLACK_SIGNING_SECRET does not match.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of EARLY_REFUSALS) slackRefusals.inc({ reason }, 0);
  return {
    events,
    slackRefusals,
    ack: new Histogram({
      name: 'ack_seconds',
      help: 'From the arrival of a delivery of Slack to its answer.',
      buckets: ACK_BUCKETS,
      registers,
    }),
    slackCalls: new Counter({
      name: 'slack_api_total',
      help: 'Calls of the Slack Web API, by method and by `ok` or the code of the error.',
      labelNames: ['method', 'code'],
      registers,
    }),
  };
}

function buildUpstreamSeries(registers: Registry[]) {
  const refreshes = new Counter({
    name: 'refresh_total',
    help: 'Refreshes of people’s access tokens; `ended`: the person has to sign in again.',
    labelNames: ['result'],
    registers,
  });
  for (const result of EARLY_REFRESHES) refreshes.inc({ result }, 0);
  const signIns = new Counter({
    name: 'sign_ins_total',
    help: 'Sign-ins of people, by how they ended; `misconfigured`: a value of our configuration is wrong.',
    labelNames: ['result'],
    registers,
  });
  for (const result of EARLY_SIGN_INS) signIns.inc({ result }, 0);
  return {
    refreshes,
    signIns,
    wrongValues: new Gauge({
      name: 'sign_in_values_wrong',
      help: '1 for each variable that the identity provider or Slack refuses, found at the start and every hour.',
      labelNames: ['variable'],
      registers,
    }),
    waits: new Histogram({
      name: 'retry_after_seconds',
      help: 'Waits that others asked for, by who asked.',
      labelNames: ['upstream'],
      buckets: WAIT_BUCKETS,
      registers,
    }),
    breakers: new Gauge({
      name: 'breaker_state',
      help: 'Circuit breakers: 0 closed, or not tried for a while, 1 half open, 2 open.',
      labelNames: ['upstream'],
      registers,
    }),
  };
}
