import type { Store } from '../backend/store.ts';
import type { Config } from '../config.ts';
import type { TurnEvent } from '../conversation/turn.ts';
import type { CircuitWord } from '../http/circuit-breakers.ts';
import type { Log } from '../log.ts';
import { createMetrics, type EventResult } from '../ops/metrics.ts';
import { startOpsServer } from '../ops/ops-server.ts';
import { createEventLoopLag, createHealth, createReadiness } from '../ops/readiness.ts';

const UPSTREAMS = ['assistant', 'identity_provider', 'slack', 'admin'] as const;

/** How long a start may block the event loop, on a cold compile cache and a busy machine, in ms. */
const START_MS = 5_000;

/** The count of dead letters ends here. */
const MAX_COUNTED_DEAD = 100;

export type Telemetry = Awaited<ReturnType<typeof connectTelemetry>>;

/** What operators see of a process: metrics and probes. */
export async function connectTelemetry(config: Config, store: Store) {
  const lag = createEventLoopLag(START_MS);
  const metrics = createMetrics({
    turnCounts: () => store.turns.counts(),
    deadLetters: async () => (await store.turns.deadLetters(MAX_COUNTED_DEAD)).length,
    memory: async () => store.memory?.(),
    eventLoopLagMs: lag.recentMs,
    now: Date.now,
  });
  // Initialised, because a panel without data looks broken.
  for (const upstream of UPSTREAMS) metrics.breakerChanged(upstream, 'closed');
  const { OPS_HOST: host, OPS_PORT: port } = config;
  const server = port === 0 ? undefined : await startOpsServer({ host, port }, metrics);
  return {
    metrics,
    readiness: createReadiness({ check: () => store.check() }),
    health: createHealth(lag.recentMs),
    /** Counts what happens to turns. */
    tell(event: TurnEvent): void {
      if (event.kind === 'done') metrics.turnEnded(event.result, event.ms / 1000);
      else if (event.kind === 'waits') metrics.askedToWait(event.ms / 1000, toWaitedFor(event.code));
      else if (event.kind === 'fence_lost') metrics.fenceLost();
      else if (event.kind === 'feedback') metrics.feedbackGiven(event.verdict, event.reason);
      else metrics.orphanDeleted();
    },
    /** Counts our responses to Slack; `ms`: how long each took. */
    answered: (type: string, status: number, ms: number) => metrics.slackEvent(type, toResult(status), ms / 1000),
    /** Counts the changes of a circuit breaker. */
    circuitChanged: (origin: string, state: CircuitWord) => metrics.breakerChanged(toUpstream(config, origin), state),
    async close(): Promise<void> {
      lag.stop();
      await server?.close(0);
    },
  };
}

/** Logs a warning if the assistant service cannot be reached. Sends no request, and the start does not wait for it. */
export async function warnIfUnreachable(config: Config, log: Log): Promise<void> {
  const { lookAtAddress, toAssistant } = await import('../doctor/checks/services.ts');
  const { level, sentence } = await lookAtAddress(toAssistant(config), config);
  if (level !== 'ok') log.warn({ sentence }, 'assistant service not reached');
}

function toResult(status: number): EventResult {
  if (status < 400) return 'acknowledged';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}

/** The upstream that a wait is for, by the prefix of the error's code. */
function toWaitedFor(code: string): string {
  if (code === 'conversation_busy') return 'assistant';
  return UPSTREAMS.find((upstream) => code.startsWith(upstream)) ?? 'other';
}

/** Origins differ between deployments; dashboards and alerts use these names. */
function toUpstream(config: Config, origin: string): string {
  const upstreams = {
    assistant: config.ASSISTANT_BASE_URL,
    identity_provider: config.AUTH_URL,
    slack: config.SLACK_API_URL,
    admin: config.ADMIN_API_BASE_URL,
  };
  return UPSTREAMS.find((upstream) => isAt(upstreams[upstream], origin)) ?? 'other';
}

function isAt(url: string | undefined, origin: string): boolean {
  return url !== undefined && new URL(url).origin === origin;
}
