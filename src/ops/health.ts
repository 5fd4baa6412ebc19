import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerProbe } from './probe.ts';

/** Standing still for longer, again and again, is a fault that a restart may end. */
const MAX_LAG_MS = 1_000;

/** `/health`: whether this process works at all. It looks at nothing outside: a restart would not mend that. */
export function createHealth(eventLoopLagMs: () => number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const isGood = eventLoopLagMs() < MAX_LAG_MS;
    answerProbe(request, response, { isGood, status: isGood ? 'ok' : 'event_loop_blocked' });
  };
}
