// The last step of a chat: one processed turn goes to the wire, whole, odd, or not at all.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { TakenFault } from '../loopback/fault-queue.ts';
import { noteSent, sendReply, waitWhileConnected } from '../loopback/reply.ts';
import { cutHalfway, drip, hang, type Payload, resetConnection } from '../loopback/wire-faults.ts';
import { ANSWER_ODDITIES } from './answer-oddities.ts';
import { type Turn, toConversationBody } from './conversation.ts';
import {
  type Fault,
  type FaultOptions,
  isAnswerOddity,
  isStreamOddity,
  LOST_ANSWERS,
  type LossKind,
} from './faults.ts';
import { STREAM_ODDITIES } from './stream-oddities.ts';
import { buildStreamScript, type StreamScript } from './stream-script.ts';

export type Delivery = {
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
  readonly stepMs: number;
  readonly taken: TakenFault<Fault, FaultOptions> | undefined;
};

const DEFAULT_SILENCE_MS = 200;
const DEFAULT_DRIP_MS = 5;

/** The turn as the client is to see it: an answer oddity changes it before anything is sent. */
export function applyAnswerOddity(turn: Turn, fault: Fault | undefined): Turn {
  return isAnswerOddity(fault) ? ANSWER_ODDITIES[fault](turn) : turn;
}

export async function sendAnswer(turn: Turn, delivery: Delivery): Promise<void> {
  const { response, isStreamed, taken } = delivery;
  const fault = taken?.fault;
  const script = isStreamed ? buildScript(turn, delivery) : undefined;
  if (isLoss(fault)) {
    const payload: Payload = script
      ? { contentType: script.contentType, text: script.steps.map((step) => step.text).join('') }
      : { contentType: 'application/json', text: JSON.stringify(toConversationBody(turn)) };
    return loseAnswer(fault, payload, { response, ms: taken?.options.ms ?? DEFAULT_DRIP_MS });
  }
  if (script) return playScript(script, response);
  sendReply(response, { status: 200, headers: { 'request-id': randomUUID() }, body: toConversationBody(turn) });
}

function buildScript(turn: Turn, { taken, stepMs }: Delivery): StreamScript {
  if (!isStreamOddity(taken?.fault)) return buildStreamScript(turn, stepMs);
  return STREAM_ODDITIES[taken.fault](turn, { stepMs, silenceMs: taken.options.ms ?? DEFAULT_SILENCE_MS });
}

function isLoss(fault: Fault | undefined): fault is LossKind {
  return typeof fault === 'string' && !isAnswerOddity(fault) && !isStreamOddity(fault);
}

async function loseAnswer(
  kind: LossKind,
  payload: Payload,
  to: { response: ServerResponse; ms: number },
): Promise<void> {
  const reply = LOST_ANSWERS[kind]?.();
  if (reply) return sendReply(to.response, reply);
  if (kind === 'reset-after-body') return resetConnection(to.response);
  if (kind === 'cut-answer') return cutHalfway(to.response, payload);
  if (kind === 'hang') return hang(to.response);
  if (kind === 'drip') return drip(to.response, payload, to.ms);
  to.response.writeHead(200, { 'content-type': payload.contentType }).end('<html>This is not what you asked for');
}

async function playScript(script: StreamScript, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    'content-type': script.contentType,
    'cache-control': 'no-cache',
    'request-id': randomUUID(),
  });
  response.flushHeaders();
  let sent = '';
  for (const step of script.steps) {
    if (!(await waitWhileConnected(response, step.waitMs))) return;
    response.write(step.text);
    sent += step.text;
    noteSent(response, sent);
  }
  if (script.end === 'finish') response.end();
  else response.write('data:{"id":"', () => response.destroy());
}
