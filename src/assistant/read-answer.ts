import type { Source } from '../conversation/outcome.ts';
import type { Trace } from '../errors.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { OutcomeUnknownError, readTrace } from '../http/http-errors.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { AssistantOutcomeUnknownError } from './assistant-errors.ts';
import { dropUnfinishedMarker } from './citation-markers.ts';
import { citeSources } from './citations.ts';
import { isIntermediateJson, parseConversation, readText, type ServiceMessage } from './conversation-body.ts';
import { createEventReader } from './event-reader.ts';
import { toAskFailure, toReportedFailure } from './refusal.ts';

export type AnswerReading = {
  /** The question as it was asked: the answer repeats it. */
  text: string;
  signal?: AbortSignal | undefined;
  /**
   * Called while the answer grows. `readText` returns what has arrived by the time it is called, as Markdown with numbered
   * citations. The service may rewrite what it has shown before.
   */
  onProgress?: ((readText: () => string) => void) | undefined;
};

/** Reads a 2xx response, whole or as a stream, whichever was requested. */
export async function readAnswer(response: HttpResponse, call: AnswerReading): Promise<AssistantAnswer> {
  if (isEventStream(response)) return readStream(response, response.chunks(), call);
  try {
    const body = await response.text();
    // A stream with another content type.
    if (/^\s*(?:data|id|event|retry)?:/.test(body)) return await readStream(response, [body], call);
    return parseWholeAnswer(body, call.text, readTrace(response));
  } catch (error) {
    throw toAskFailure(error, call.signal);
  }
}

/** Older deployments send `event/stream`. */
function isEventStream(response: HttpResponse): boolean {
  const type = [response.headers['content-type']].flat()[0] ?? '';
  return /^\s*(?:text\/event-stream|event\/stream)\b/i.test(type);
}

type Chunks = AsyncIterable<string> | Iterable<string>;

async function readStream(response: HttpResponse, chunks: Chunks, call: AnswerReading): Promise<AssistantAnswer> {
  const streamed = createStreamedAnswer(call.text);
  let cut: OutcomeUnknownError | undefined;
  try {
    for await (const chunk of chunks) {
      streamed.push(chunk);
      if (streamed.hasFailed()) break;
      if (streamed.isGrowing()) call.onProgress?.(streamed.readText);
    }
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || error.reason === 'aborted') throw toAskFailure(error, call.signal);
    cut = error;
  }
  const { answer, failure } = streamed.finish(cut !== undefined);
  if (answer) return answer;
  if (cut) throw toAskFailure(cut, call.signal);
  const trace = readTrace(response, failure);
  throw failure ? toReportedFailure(failure, trace) : new AssistantOutcomeUnknownError('ended', trace);
}

/** Reads a 2xx body that came in one piece. Throws AssistantOutcomeUnknownError if it has no conversation. */
export function parseWholeAnswer(body: string, question: string, trace: Trace): AssistantAnswer {
  const value = parseJson(body);
  if (isObject(value) && isObject(value.error)) throw toReportedFailure(value.error, trace);
  const conversation = parseConversation(value);
  if (!conversation?.messages) throw new AssistantOutcomeUnknownError('unreadable', trace);
  const context = { question, isIntermediate: conversation.isIntermediate, seen: new Set<string>() };
  const { replies } = dropEcho(conversation.messages, context);
  return toAnswer({ ...conversation, replies, partial: false });
}

/** The most characters of all replies that are read before the answer is complete. More would not be shown. */
const MAX_GROWING = 150_000;

/**
 * A stream repeats the whole conversation in each event, so the latest event replaces all before. `question`: as it was
 * asked, because the answer repeats it.
 */
export function createStreamedAnswer(question: string) {
  const reader = createEventReader(read, isIntermediateJson);
  const seen = new Set<string>();
  let replies: readonly ServiceMessage[] = [];
  let isClosed = false;
  let turnCount: number | undefined;
  /** Whether the text may still lack something. `final`: complete, even if the connection breaks afterwards. */
  let completeness: 'none' | 'growing' | 'unmarked' | 'final' = 'none';
  let wasGrowing = false;
  /** The replies are the answer, not an echo of the question: an event says so, or their text has grown. */
  let isAnswer = false;
  /** The last result of `readText` and the replies that it is of: a cache until there is more text. */
  let begun: { of: typeof replies; text: string } | undefined;
  /** The error that the stream reported. */
  let failure: JsonObject | undefined;

  function read(event: JsonObject): void {
    if (failure) return;
    if (isObject(event.error)) {
      failure = event.error;
      return;
    }
    const snapshot = parseConversation(event);
    if (!snapshot) return;
    // What was said before the service closed the conversation is no answer any more.
    if (snapshot.isClosed && !isClosed) replies = [];
    isClosed ||= snapshot.isClosed;
    turnCount = snapshot.turnCount ?? turnCount;
    wasGrowing ||= snapshot.isIntermediate;
    // Events without messages only show that the service is at work.
    if (!snapshot.messages?.length || (completeness === 'final' && snapshot.isIntermediate)) return;
    readMessages(snapshot.messages, snapshot.isIntermediate);
  }

  function readMessages(messages: ServiceMessage[], isIntermediate: boolean): void {
    const { replies: latest, hasEcho } = dropEcho(messages, { question, isIntermediate, seen });
    if (isIntermediate) completeness = 'growing';
    else completeness = hasEcho && wasGrowing ? 'final' : 'unmarked';
    if (isIntermediate || hasGrown(replies, latest)) noteAnswer(latest);
    // An event with only the echo does not clear earlier replies.
    if (latest.some(({ text }) => text.trim() !== '')) replies = latest;
  }

  function noteAnswer(latest: ServiceMessage[]): void {
    isAnswer ||= latest.length > 0;
    for (const { id } of latest) if (id !== undefined) seen.add(id);
  }

  /** `answer`: undefined if the stream had none. `isCut`: the connection broke. */
  function finish(isCut: boolean) {
    reader.end();
    const isComplete = completeness === 'final' || (completeness === 'unmarked' && !isCut && !failure);
    const answer = toAnswer({ replies, isClosed, turnCount, partial: !isComplete });
    const hasAnswer = isComplete || answer.text !== '' || answer.disengaged;
    return { answer: hasAnswer ? answer : undefined, failure };
  }

  /** The beginning of the text so far, without a marker that is half received. Empty once the conversation is closed. */
  function readText(): string {
    reader.catchUp();
    if (isClosed) return '';
    if (begun?.of !== replies) {
      const parts = { replies: takeBeginning(replies), isClosed, turnCount, partial: true };
      begun = { of: replies, text: toAnswer(parts).text };
    }
    return begun.text;
  }

  return {
    push: reader.push,
    /** Text of the answer has arrived, and more may follow. */
    isGrowing: () => completeness !== 'final' && (isAnswer || reader.isBehind()),
    readText,
    /** The stream reported a failure: nothing useful follows. */
    hasFailed: () => failure !== undefined,
    finish,
  };
}

function takeBeginning(replies: readonly ServiceMessage[]): ServiceMessage[] {
  let room = MAX_GROWING;
  return replies.map((reply) => {
    const text = reply.text.slice(0, room);
    room -= text.length;
    return { ...reply, text };
  });
}

/** Whether an earlier text has become longer. An echo of the question does not grow. */
function hasGrown(before: readonly ServiceMessage[], latest: readonly ServiceMessage[]): boolean {
  const join = (replies: readonly ServiceMessage[]) => replies.map(({ text }) => text).join('\n\n');
  const [one, more] = [join(before), join(latest)];
  return one.trim() !== '' && more.length > one.length && more.startsWith(one);
}

/** Answers repeat the question before the reply. Their messages have no role that would tell them apart. */
export type EchoContext = {
  question: string;
  /** An event before the end of a stream, which has the reply alone. */
  isIntermediate: boolean;
  /** Ids of messages that were the reply in earlier events: they are no echo. */
  seen: ReadonlySet<string>;
};

/**
 * The messages after the echo of the question. The echo is found by its text, ignoring whitespace and case. If no text
 * matches and there are several messages, the first one counts as a rewritten echo.
 */
export function dropEcho(
  messages: ServiceMessage[],
  context: EchoContext,
): { replies: ServiceMessage[]; hasEcho: boolean } {
  const echo = findEcho(messages, context.question);
  if (echo !== -1) return { replies: messages.slice(echo + 1), hasEcho: true };
  const first = messages[0]?.id;
  const isKnownReply = first !== undefined && context.seen.has(first);
  if (messages.length < 2 || context.isIntermediate || isKnownReply) return { replies: messages, hasEcho: false };
  return { replies: messages.slice(1), hasEcho: true };
}

function findEcho(messages: ServiceMessage[], question: string): number {
  const wanted = normalise(question);
  const isEcho = (message: ServiceMessage) =>
    isComparable(message.text, question) && normalise(message.text) === wanted;
  const last = messages.findLastIndex(isEcho);
  if (last !== messages.length - 1) return last;
  // "Hello" may be answered with "Hello": the last message is the echo only if no earlier one is.
  const earlier = messages.slice(0, -1).findLastIndex(isEcho);
  return earlier === -1 ? last : earlier;
}

/** More combining marks than any script uses. Normalising them would take quadratic time. */
const MANY_MARKS = /\p{M}{64}/u;

/** Skips the comparison for long texts, which a stream repeats hundreds of times. */
function isComparable(text: string, question: string): boolean {
  return text.length <= question.length * 4 + 64;
}

function normalise(text: string): string {
  const composed = MANY_MARKS.test(text) ? text : text.normalize('NFC');
  return composed.replace(/\s+/g, ' ').trim().toLowerCase();
}

export type AssistantAnswer = {
  /** Markdown, with private markers turned into `[1]`. Empty if the service answered with nothing. Untrusted. */
  text: string;
  sources: Source[];
  turnCount?: number | undefined;
  /** The service closed the conversation: it refuses every further question there. */
  disengaged: boolean;
  /** The stream broke off: the text may be incomplete. */
  partial: boolean;
  /** The name of the answer's sensitivity label. */
  sensitivity?: string | undefined;
  /** The service's id of the request. */
  requestId?: string | undefined;
};

type AnswerParts = {
  /** Without the echo of the question. */
  replies: readonly ServiceMessage[];
  isClosed: boolean;
  turnCount: number | undefined;
  partial: boolean;
};

function toAnswer({ replies, isClosed, turnCount, partial }: AnswerParts): AssistantAnswer {
  // A broken stream may end in half a marker.
  const whole = partial ? replies.map((reply) => ({ ...reply, text: dropUnfinishedMarker(reply.text) })) : replies;
  const shown = whole.filter(({ text }) => text.trim() !== '');
  const { text, sources } = citeSources(shown);
  return {
    text,
    sources: text === '' ? [] : sources,
    turnCount,
    disengaged: isClosed,
    partial,
    sensitivity: readSensitivity(shown),
  };
}

/** The label with the highest priority. Unlabelled content has an empty label. */
function readSensitivity(replies: readonly ServiceMessage[]): string | undefined {
  let name: string | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { sensitivityLabel: label } of replies) {
    if (!isObject(label)) continue;
    const priority = typeof label.priority === 'number' ? label.priority : 0;
    const displayName = readText(label, 'displayName');
    if (displayName === undefined || priority < highest) continue;
    name = displayName;
    highest = priority;
  }
  return name;
}
