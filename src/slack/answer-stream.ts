import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerStream, PartKey, StreamRecord } from '../conversation/reply.ts';
import { TransientError } from '../errors.ts';
import { createGrowingMarkdown, type Growth } from './text-out/growing-markdown.ts';
import { fits, MESSAGE_BUDGET } from './text-out/message-budget.ts';
import { MAX_STREAM_BYTES, STREAM_LIFE_MS } from './web/limits.ts';
import { SlackRateLimitedError, SlackRefusedError } from './web/slack-errors.ts';

/** The calls of one stream. They throw what CallSlack throws. */
export type StreamCalls = {
  /** Returns the ts of the new message. */
  start(text: string): Promise<string>;
  append(ts: string, text: string, signal: AbortSignal): Promise<void>;
  /** Ends a message whose text goes on in another one. */
  end(ts: string, text: string, key: PartKey): Promise<void>;
};

export type StreamLimits = {
  /** Between two calls, in ms. Answers that are complete before this time are not streamed. */
  flushMs: number;
  /** Shorter pieces (in UTF-16 units) wait for more text, but no longer than `patienceMs`. */
  leastText: number;
  patienceMs: number;
  /** One message takes text for this long (ms), and at most this much of it (bytes of UTF-8). */
  lifeMs: number;
  bytes: number;
  /** At most this many messages are streamed. The complete reply may need fewer; then the surplus ones are deleted. */
  messages: number;
};

/** Slack ends a stream after five minutes, and people should not see that. */
const STREAM_LIMITS: StreamLimits = {
  flushMs: 600,
  leastText: 24,
  patienceMs: 1_800,
  lifeMs: STREAM_LIFE_MS - 70_000,
  bytes: MAX_STREAM_BYTES - 1_600,
  messages: 8,
};

/** How much of the text to write at once, in UTF-16 units. The smaller ones are for text that makes many blocks. */
const PIECES = [2_000, 500, 125, 40];

type OpenMessage = { key: PartKey; ts: string; startedAt: number; bytes: number };

type Ports = {
  calls: StreamCalls;
  record: StreamRecord;
  now(): number;
  /** Rejects once the signal is aborted. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
  /** The error that ended the stream. Nothing more is written after it. */
  onOver(error: unknown): void;
};

/**
 * Writes a growing answer into streamed messages, one call at a time. If Slack or our budget asks to wait, it waits, then
 * writes all the text that has arrived meanwhile. After any other failure it writes nothing more: the complete reply
 * replaces the streamed messages anyway.
 */
export function createAnswerStream(ports: Ports, limits: StreamLimits = STREAM_LIMITS): AnswerStream {
  const { onOver, wait = pause } = ports;
  const closing = new AbortController();
  const { signal } = closing;
  const writer = createWriter({ ...ports, signal }, limits);
  let readText = () => '';
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    try {
      // If the answer is complete before the first call, it is posted without a stream.
      await wait(limits.flushMs, signal);
      while (!signal.aborted) {
        const waitMs = await writer.writeNext(readText());
        if (waitMs === undefined) closing.abort();
        else await wait(waitMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) onOver(error);
      closing.abort();
    }
  }

  return {
    grow(read) {
      readText = read;
      if (!signal.aborted) writing ??= write();
    },
    async close() {
      closing.abort();
      await writing;
    },
  };
}

function createWriter({ calls, record, now, signal }: Ports & { signal: AbortSignal }, limits: StreamLimits) {
  const growing = createGrowingMarkdown();
  let message: OpenMessage | undefined;
  let count = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;

  async function start(text: string): Promise<void> {
    const key = await record.begin();
    const startedAt = now();
    const ts = await calls.start(text).catch((error: unknown) => {
      if (error instanceof SlackRefusedError || error instanceof TransientError) record.refused(key);
      throw error;
    });
    message = { key, ts, startedAt, bytes: Buffer.byteLength(text) };
    count += 1;
    await record.placed(key, ts);
  }

  async function append(to: OpenMessage, text: string): Promise<void> {
    await calls.append(to.ts, text, signal);
    to.bytes += Buffer.byteLength(text);
  }

  async function turnOver({ key, ts }: OpenMessage): Promise<void> {
    await calls.end(ts, growing.closing(), key);
    record.ended(key);
    growing.turnOver();
    message = undefined;
  }

  function hasRoom({ text, size }: Growth): boolean {
    if (message && now() - message.startedAt > limits.lifeMs) return false;
    return (message?.bytes ?? 0) + Buffer.byteLength(text) <= limits.bytes && fits(size, MESSAGE_BUDGET);
  }

  /** The next piece of text that still has room in the message. */
  function readNext(source: string): Growth | undefined {
    let next: Growth | undefined;
    for (const most of message ? PIECES.slice(0, 2) : PIECES) {
      const growth = growing.next(source, most);
      // Smaller pieces would end inside something that can only be shown whole.
      if (growth.text === '') break;
      next = growth;
      if (hasRoom(next)) return next;
    }
    if (!message && next) throw new Error('the text cannot be divided small enough for a stream');
    return next;
  }

  function isTooEarly(text: string): boolean {
    return text.trim() === '' || (text.length < limits.leastText && now() - writtenAt < limits.patienceMs);
  }

  async function write(next: Growth): Promise<void> {
    if (message && !hasRoom(next)) return turnOver(message);
    await (message ? append(message, next.text) : start(next.text));
    growing.shown();
    writtenAt = now();
  }

  /** Returns how long to wait before the next call, in ms; undefined: there is no room for more. */
  async function writeNext(source: string): Promise<number | undefined> {
    const next = readNext(source);
    if (!next || isTooEarly(next.text)) return limits.flushMs;
    if (count >= limits.messages && !hasRoom(next)) return undefined;
    try {
      await write(next);
      return limits.flushMs;
    } catch (error) {
      // The first message is started at once or not at all.
      if (!(error instanceof SlackRateLimitedError) || count === 0) throw error;
      return Math.max(limits.flushMs, error.retryAfterMs ?? 0);
    }
  }

  return { writeNext };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
