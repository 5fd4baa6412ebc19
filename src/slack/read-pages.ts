import { LRUCache } from 'lru-cache';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import { MAX_PAGE } from './web/limits.ts';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, SlackRateLimitedError, SlackUnavailableError } from './web/slack-errors.ts';

/** The fields of a message that we read. */
export type ReadMessage = {
  ts?: string;
  subtype?: string;
  text?: string;
  /** The bot user, if an app wrote the message. */
  user?: string;
  /** Who changed it last. */
  edited?: { user?: string };
  bot_id?: string;
  blocks?: unknown;
  metadata?: unknown;
  /** Only streamed messages have it, also once they have ended: `in_progress`, `completed` or `errored`. */
  streaming_state?: string;
};

type Range = { channel: string; oldest?: string; latest?: string; inclusive?: boolean; include_all_metadata?: boolean };

export type Reading = Range & {
  /** The root of the thread to read; without it the channel is read. */
  threadTs?: string | undefined;
  /** Distinguishes readings of the same range. */
  purpose: string;
  /** Whether these are enough, so that no more pages have to be read. */
  isEnough?(messages: ReadMessage[]): boolean;
};

/** Where the reading of a list goes on. `limit`: entries per page; `cursor`: none at the beginning and at the end. */
export type ListPosition = { limit: number; cursor?: string | undefined; pages: number };

export type Page = { limit: number; cursor?: string };

type Answer = { response_metadata?: { next_cursor?: string } };

/**
 * Reads the next page of a list. Slack does not limit the size of a page, but http-client.ts limits what we read: a page
 * that is too large is requested again with half as many entries, and so are those after it.
 */
export async function readPage<A extends Answer>(position: ListPosition, read: (page: Page) => Promise<A>): Promise<A> {
  try {
    const answer = await read({ limit: position.limit, ...(position.cursor && { cursor: position.cursor }) });
    position.cursor = answer.response_metadata?.next_cursor || undefined;
    position.pages += 1;
    return answer;
  } catch (error) {
    const isTooLarge = error instanceof OutcomeUnknownError && error.reason === 'too_large';
    if (!isTooLarge || position.limit === 1) throw error;
    position.limit = Math.ceil(position.limit / 2);
    return readPage(position, read);
  }
}

/** Enough, even for a busy thread or channel. */
const MAX_MESSAGES = 2_000;
/** Pages may be empty. */
const MAX_PAGES = 200;

type Progress = ListPosition & { messages: ReadMessage[] };

const MAX_INTERRUPTED = 200;
const KEPT_MS = 15 * 60_000;

/** By client: all who use the same client can continue a reading. */
const interrupted = new WeakMap<CallSlack, LRUCache<string, Progress>>();

/**
 * Reads messages page by page. If Slack asks to wait in between, it throws, and the next call for the same reading
 * continues from there: at one page per minute it would never end otherwise.
 */
export async function readPages(call: CallSlack, workspace: string, reading: Reading): Promise<ReadMessage[]> {
  const { threadTs, purpose, isEnough = () => false, ...range } = reading;
  const kept = interrupted.get(call) ?? new LRUCache({ max: MAX_INTERRUPTED, ttl: KEPT_MS });
  interrupted.set(call, kept);
  const key = JSON.stringify([workspace, threadTs, range, purpose]);
  const progress = kept.get(key) ?? { messages: [], limit: MAX_PAGE, pages: 0 };
  kept.delete(key);
  try {
    do {
      const answer = await readPage(progress, (page) =>
        threadTs
          ? call('conversations.replies', workspace, { ...range, ...page, ts: threadTs })
          : call('conversations.history', workspace, { ...range, ...page }),
      );
      progress.messages.push(...((answer.messages ?? []) as ReadMessage[]));
    } while (progress.cursor && !isEnough(progress.messages) && !isTooMuch(progress));
    return progress.messages;
  } catch (error) {
    if (error instanceof SlackRateLimitedError) kept.set(key, progress);
    // We kept the cursor for too long: the next attempt starts from the beginning.
    if (isSlackError(error, 'invalid_cursor')) throw new SlackUnavailableError('reading messages', { cause: error });
    throw error;
  }
}

/**
 * The messages with these ts, oldest first, without those that are gone. In one call if possible: Slack may allow only one
 * a minute.
 */
export async function readMessages(
  call: CallSlack,
  workspace: string,
  place: Pick<Reading, 'channel' | 'threadTs' | 'purpose'>,
  ts: readonly string[],
): Promise<ReadMessage[]> {
  const wanted = ts.toSorted();
  const range = { oldest: wanted[0] ?? '', latest: wanted.at(-1) ?? '', inclusive: true };
  const isEnough = (read: ReadMessage[]) => wanted.every((one) => read.some((message) => message.ts === one));
  const read = await readPages(call, workspace, { ...place, ...range, isEnough });
  return wanted.flatMap((one) => read.find((message) => message.ts === one) ?? []);
}

function isTooMuch({ messages, pages }: Progress): boolean {
  return messages.length >= MAX_MESSAGES || pages >= MAX_PAGES;
}
