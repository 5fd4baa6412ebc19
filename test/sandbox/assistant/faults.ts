// The faults and oddities that a test can ask for by name, what each does, and when it is played.
import type { ServerResponse } from 'node:http';
import type { FaultQueue } from '../loopback/fault-queue.ts';
import { type Reply, sendReply } from '../loopback/reply.ts';
import { cutHalfway, drip, hang, type Payload, resetConnection, toRetryDate } from '../loopback/wire-faults.ts';
import { type Answer, buildMessage, type Conversation, type ConversationBody, type Turn } from './conversation.ts';
import { buildClaimsChallenge, buildError, buildHtml, buildUnlicensed } from './error-replies.ts';
import type { ChatRecord } from './ledger.ts';
import { CONFIDENTIAL, PERSON_TAGS, REFERENCED, TWO_SOURCES } from './odd-answers.ts';
import * as odd from './odd-streams.ts';
import type { StreamScript } from './stream-script.ts';

type Subject = { readonly conversation: Conversation | undefined; readonly retryAfterS: number };

/** What one of them does, at the one moment that it has. */
type Play = {
  /** The connection is reset before the request body is read. */
  readonly arrives?: (response: ServerResponse) => void;
  /** Answered instead of asking the assistant: the turn does not count. */
  readonly refuses?: (subject: Subject) => Reply;
  /** The assistant did process the question, and the answer is lost on the way: the turn counts. */
  readonly loses?: (response: ServerResponse, payload: Payload, ms: number | undefined) => void | Promise<void>;
  /** A processed turn is changed, for chat and stream alike. */
  readonly changes?: (turn: Turn) => Turn;
  /** The steps of an odd stream, from a processed turn. */
  readonly streams?: (turn: Turn, timing: odd.StreamTiming) => StreamScript;
};

const refuse = (...error: Parameters<typeof buildError>) => ({ refuses: () => buildError(...error) });
const lose = (build: () => Reply): Play => ({ loses: (response) => sendReply(response, build()) });
const change = (parts: Partial<Answer>): Play => ({ changes: (turn) => changeReplies(turn, () => parts) });

/** Later questions in it are refused in the same way. */
const forget = (status: number, code: string, message: string): Play => ({
  refuses({ conversation }) {
    if (conversation) conversation.goneWith = status;
    return buildError(status, code, message);
  },
});

const throttle = (toRetryAfter: (seconds: number) => string): Play => ({
  refuses: ({ retryAfterS }) => buildError(429, 'UnknownError', '', { 'retry-after': toRetryAfter(retryAfterS) }),
});

export const PLAYS = {
  'reset-before-body': { arrives: resetConnection },

  '400-authentication': refuse(400, 'AuthenticationError', 'Error authenticating with resource'),
  '400-reused': forget(400, 'BadRequest', 'The conversation cannot be continued.'),
  '401-claims': { refuses: buildClaimsChallenge },
  '402': refuse(402, 'PaymentRequired', 'Not enough prepaid capacity was available.'),
  '403-scopes': refuse(403, 'Forbidden', 'Required scopes = [Agent.Ask]'),
  '403-licence': { refuses: ({ conversation }: Subject) => buildUnlicensed(conversation?.id ?? '') },
  '403-credits': refuse(403, 'EnforcementMessageC2', 'Not enough prepaid capacity was available.'),
  '403-policy': refuse(403, 'DataLossPreventionViolation', 'There was a data policy violation.'),
  '403-consent': refuse(403, 'MODEL_CONSENT_DENIED', 'The model is not enabled for your organization.'),
  '404-reused': forget(404, 'NotFound', 'Conversation not found.'),
  // It is busy, and not dead.
  '409-reused': refuse(409, 'Conflict', 'The conversation is busy.'),
  '410-reused': forget(410, 'Gone', 'The conversation has expired.'),
  '413': refuse(413, 'RequestEntityTooLarge', 'The request is too large.'),
  '429-seconds': throttle(String),
  '429-date': throttle(toRetryDate),
  '429-quota': refuse(429, 'QUOTA_EXCEEDED', 'The quota of your organization is used up.'),
  '500-wrapped-403': refuse(500, 'InternalServerError', 'Got Non-2xx response from IC3. Status = 403 (Forbidden)'),
  '503': refuse(503, 'ServiceUnavailable', 'The service is unavailable.'),
  '503-retry-after': {
    refuses: ({ retryAfterS }) =>
      buildError(503, 'ServiceUnavailable', 'Try again later.', { 'retry-after': String(retryAfterS) }),
  },

  '500': lose(() => buildError(500, 'InternalServerError', 'An unexpected error occurred.')),
  '502': lose(() => buildHtml(502, 'Bad Gateway')),
  '504-json': lose(() => buildError(504, 'UnknownError', 'upstream request timeout')),
  '504-html': lose(() => buildHtml(504, 'Gateway Time-out')),
  'reset-after-body': { loses: resetConnection },
  'cut-answer': { loses: cutHalfway },
  hang: { loses: hang },
  drip: { loses: drip },
  'not-json': {
    loses: (response, { status, contentType }) =>
      void response.writeHead(status, { 'content-type': contentType }).end('<html>This is not what you asked for'),
  },

  'echo-only': { changes: (turn) => ({ ...turn, replies: [] }) },
  'rewritten-echo': { changes: (turn) => ({ ...turn, echo: { ...turn.echo, text: rewrite(turn.echo.text) } }) },
  'two-replies': {
    changes: (turn) => ({ ...turn, replies: [buildMessage({ text: 'Let me look that up.' }), ...turn.replies] }),
  },
  'all-null-label': { changes: (turn) => turn },
  labelled: change({ sensitivityLabel: CONFIDENTIAL }),
  references: change(REFERENCED),
  attributions: change(TWO_SOURCES),
  'external-marker': {
    changes: (turn) =>
      changeReplies(turn, ({ text }) => ({ text: `${text} A public page says the same.[^external^]` })),
  },
  'person-tags': change(PERSON_TAGS),
  'empty-text': change({ text: '' }),
  'huge-body': change({ text: 'A very long answer. '.repeat(225_000) }),
  disengaged: {
    changes: (turn) => ({
      ...changeReplies(turn, () => ({
        text: 'I cannot talk about this. Please start over with another topic.',
        attributions: [],
      })),
      state: 'disengagedForRai',
    }),
  },

  'stream-prefix-rewrite': { streams: odd.rewritePrefix },
  'stream-raw-newlines': { streams: odd.keepRawNewlines },
  'stream-missing-blank-line': { streams: odd.dropBlankLines },
  'stream-no-final': { streams: odd.leaveOpen },
  'stream-error-event': { streams: odd.endWithError },
  'stream-unmarked': { streams: odd.leaveUnmarked },
  'stream-crlf': { streams: odd.endLinesWithCrlf },
  'stream-old-content-type': { streams: odd.useOldContentType },
  'stream-cut': { streams: odd.cutOff },
  'stream-silence': { streams: odd.fallSilent },
  'stream-delta': { streams: odd.sendDeltas },
} satisfies Record<string, Play>;

export type FaultKind = keyof typeof PLAYS;

/** What a fault function gets. It answers itself; `process` asks the assistant, counts the turn, returns the body. */
type Exchange = {
  readonly chat: ChatRecord;
  readonly response: ServerResponse;
  process(): Promise<ConversationBody>;
};

export type Fault = FaultKind | ((exchange: Exchange) => void | Promise<void>);

export type FaultOptions = {
  /** Which requests it fits: chats (the default; both ways), streamed or synchronous ones only, or conversation creation. */
  readonly on?: 'chat' | Occasion['on'];
  readonly times?: number;
  /** Silence of `stream-silence`, pace of `drip`; default 200 and 5. */
  readonly ms?: number;
  /** Seconds of `Retry-After`; default 1. */
  readonly retryAfterS?: number;
};

export type AssistantFaults = FaultQueue<Fault, FaultOptions>;

export function toPlay(fault: Fault | undefined): Play {
  return typeof fault === 'string' ? PLAYS[fault] : {};
}

export type Occasion = { readonly on: 'create' | 'stream' | 'sync'; readonly turnCount: number };

/** Whether a waiting fault fits this request: stream oddities need a stream, `…-reused` a conversation with turns. */
export function fitsOccasion(fault: Fault, { on = 'chat' }: FaultOptions, occasion: Occasion): boolean {
  const isWanted = on === 'chat' ? occasion.on !== 'create' : on === occasion.on;
  if (!isWanted) return false;
  if (toPlay(fault).streams) return occasion.on === 'stream';
  return typeof fault !== 'string' || !fault.endsWith('-reused') || occasion.turnCount > 0;
}

function rewrite(text: string): string {
  return ` ${text.replace(/\s+/g, '  ').toUpperCase()} `;
}

function changeReplies(turn: Turn, toParts: (reply: Turn['replies'][number]) => Partial<Answer>): Turn {
  return { ...turn, replies: turn.replies.map((reply) => ({ ...reply, ...toParts(reply) })) };
}
