// An answer repeats the question before the reply, in messages that carry no role. The echo is never the answer.
import type { ServiceMessage } from './conversation-body.ts';

export type EchoContext = {
  question: string;
  /** An event before the end of a stream carries the reply alone. */
  isIntermediate: boolean;
  /** Ids of messages that earlier events showed as the reply: those are no echo. */
  seen: ReadonlySet<string>;
};

/**
 * The messages after the echo of the question. It is found by its text, whatever its spaces and case; where no text
 * matches and there are several messages, the first is taken for a rewritten echo.
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

/** More accents on one letter than any writing has: to put so many in order takes the square of their number. */
const MANY_MARKS = /\p{M}{64}/u;

/** Spares the comparison for the long texts that a stream repeats hundreds of times. */
function isComparable(text: string, question: string): boolean {
  return text.length <= question.length * 4 + 64;
}

function normalise(text: string): string {
  const composed = MANY_MARKS.test(text) ? text : text.normalize('NFC');
  return composed.replace(/\s+/g, ' ').trim().toLowerCase();
}
