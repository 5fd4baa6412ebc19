import { TransientError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SlackApp } from './bolt-app.ts';
import { UnknownWorkspaceError } from './installation.ts';
import type { IntakeWatch } from './intake-watch.ts';
import { isSlackPayload } from './slack-request.ts';

export type Payload = Record<string, unknown>;

/**
 * Called after every payload with its type (`message`, `command`, `block_actions` …; else `other`), the HTTP status of
 * the answer (over Socket Mode: the one it would have), and the time it took (ms).
 */
export type OnAnswered = (type: string, status: number, ms: number) => void;

/** Answers a click or command without a listener, and returns the acknowledgement. Must not throw. */
type AnswerRetired = (body: Payload) => Promise<object | undefined>;

/** Slack's fields for a payload that it sends again. */
type Resent = { retryNum?: number | undefined; retryReason?: string | undefined };

/** `status`: only 200 is an acknowledgement. `type`: of the payload, for the metrics. */
type Taken = { type: string; status: number; acknowledgement?: unknown };

/** Passes a payload, from HTTP or Socket Mode, to the listeners. Resolves after they are done; never rejects. */
export type Intake = (body: Payload, resent: Resent) => Promise<Taken>;

type IntakePorts = { app: SlackApp['interactions']; log: Log; answerRetired: AnswerRetired; watch: IntakeWatch };

export function createIntake(ports: IntakePorts): Intake {
  const { log, watch } = ports;
  return async (body, resent) => {
    // Slack drops our events for a minute: https://docs.slack.dev/apis/events-api/#rate_limiting
    if (body.type === 'app_rate_limited') {
      const { minute_rate_limited, team_id: team } = body;
      log.warn({ minute_rate_limited, team }, 'slack drops events: there are too many');
      return { type: 'app_rate_limited', status: 200 };
    }
    if (!isSlackPayload(body)) {
      watch.refused('payload');
      return { type: 'other', status: 400 };
    }
    return { type: toType(body), ...(await process(ports, body, resent)) };
  };
}

async function process({ app, log, answerRetired, watch }: IntakePorts, body: Payload, resent: Resent) {
  let acknowledgement: unknown;
  let isAcknowledged = false;
  const ack = async (answer: unknown) => {
    acknowledgement = answer;
    isAcknowledged = true;
  };
  try {
    await app.processEvent({ body, ack, ...resent });
  } catch (error) {
    return { status: toStatus(error, log, watch) };
  }
  // Not for events: nobody waits for their answer.
  if (!isAcknowledged && !('event' in body)) acknowledgement = await answerRetired(body);
  return { status: 200, acknowledgement };
}

/** Slack resends an event after 503 and 500. It never resends clicks and commands: their listeners answer errors. */
function toStatus(error: unknown, log: Log, watch: IntakeWatch): number {
  if (error instanceof TransientError) return 503;
  if (isUnknownWorkspace(error)) {
    watch.refused('unknown_workspace');
    return 403;
  }
  log.error({ err: error }, 'listener failed');
  return 500;
}

function toType({ type, command, event }: Payload): string {
  if (typeof command === 'string') return 'command';
  const isEvent = typeof event === 'object' && event !== null && 'type' in event;
  return String(isEvent ? event.type : type);
}

/** Bolt wraps what `authorize` throws. */
function isUnknownWorkspace(error: unknown): boolean {
  if (error instanceof UnknownWorkspaceError) return true;
  return error instanceof Error && 'original' in error && error.original instanceof UnknownWorkspaceError;
}
