import type { z } from 'zod';
import type { Json, Message } from '../records.ts';
import { toSlackChannel, toSlackMessage } from '../slack-message.ts';
import type { World } from '../world.ts';
import { dmWith, knownChannel, memberChannel, requireChannelScope } from './membership.ts';
import { flag, type Method, method, number, SlackApiError, text } from './method.ts';

export const PAGE = { cursor: text.optional(), limit: number.optional() };
const WINDOW = {
  oldest: text.optional(),
  latest: text.optional(),
  inclusive: flag.optional(),
  include_all_metadata: flag.optional(),
};
type Page = z.infer<z.ZodObject<typeof PAGE>>;
type Window = z.infer<z.ZodObject<typeof WINDOW>>;

export const CONVERSATIONS: Record<string, Method> = {
  'conversations.open': method(
    ['im:write', 'mpim:write', 'channels:manage'],
    {
      users: text.optional(),
      channel: text.optional(),
      return_im: flag.optional(),
      prevent_creation: flag.optional(),
    },
    (given, world) => {
      if ((given.users === undefined) === (given.channel === undefined)) throw new SlackApiError('invalid_arguments');
      if (given.users?.includes(',')) throw new SlackApiError('method_not_supported_for_channel_type');
      const channel = given.users === undefined ? knownChannel(world, given.channel ?? '') : dmWith(world, given.users);
      const full = given.return_im ? toSlackChannel(channel, world.workspace) : { id: channel.id };
      return { no_op: true, already_open: true, channel: full };
    },
  ),

  'conversations.info': method(
    [],
    { channel: text, include_locale: flag.optional(), include_num_members: flag.optional() },
    (given, world) => {
      const channel = knownChannel(world, given.channel);
      requireChannelScope(world, channel, 'read');
      return { channel: toSlackChannel(channel, world.workspace) };
    },
  ),

  'conversations.members': method([], { ...PAGE, channel: text }, (given, world) => {
    const channel = knownChannel(world, given.channel);
    requireChannelScope(world, channel, 'read');
    const { items, response_metadata } = paginate([...channel.members], belowThousand(given), 100);
    return { members: items, response_metadata };
  }),

  'conversations.replies': method([], { ...PAGE, ...WINDOW, channel: text, ts: text }, (given, world) => {
    const channel = memberChannel(world, given.channel);
    requireChannelScope(world, channel, 'history');
    const found = world.workspace.messages.find(channel.id, given.ts);
    if (!found) throw new SlackApiError('thread_not_found');
    const thread = found.threadTs === undefined ? world.workspace.messages.inThread(channel.id, found.ts) : [found];
    const inWindow = thread.filter((message, index) => (index === 0 && !given.cursor) || isInWindow(message, given));
    const { items, ...rest } = paginate(inWindow, shorten(given, world), 1000);
    return { messages: items.map((message) => describe(message, thread, given)), ...rest };
  }),

  'conversations.history': method([], { ...PAGE, ...WINDOW, channel: text }, (given, world) => {
    const channel = memberChannel(world, given.channel);
    requireChannelScope(world, channel, 'history');
    const messages = world.workspace.messages.inChannel(channel.id).filter((message) => isInWindow(message, given));
    const { items, ...rest } = paginate(messages.reverse(), shorten(given, world), 100);
    return { messages: items.map((message) => describe(message, threadOf(world, message), given)), ...rest };
  }),
};

/** A page that is larger than the app may read is cut, and goes on with a cursor. */
function shorten(page: Page, { rateLimits }: World): Page {
  if (rateLimits.page === undefined) return page;
  return { ...page, limit: Math.min(page.limit || rateLimits.page, rateLimits.page) };
}

function threadOf(world: World, message: Message): Message[] {
  return world.workspace.messages.inThread(message.channel, message.ts);
}

function isInWindow(message: Message, window: Window): boolean {
  if (window.oldest !== undefined && compare(message.ts, window.oldest, window.inclusive) < 0) return false;
  return window.latest === undefined || compare(window.latest, message.ts, window.inclusive) >= 0;
}

/** Negative where `ts` lies before the bound, or on it while the bound is exclusive. */
function compare(ts: string, bound: string, inclusive: boolean | undefined): number {
  const difference = Number(ts) - Number(bound);
  return difference === 0 ? (inclusive ? 0 : -1) : difference;
}

/** A root with replies names its thread, their count and the newest. */
function describe(message: Message, thread: Message[], window: Window): Json {
  const slack = toSlackMessage(message, { withMetadata: window.include_all_metadata === true });
  const replies = thread.length - 1;
  if (thread[0] !== message || replies === 0) return slack;
  return { ...slack, thread_ts: message.ts, reply_count: replies, latest_reply: thread.at(-1)?.ts };
}

/** Lists of people take a limit under 1000: https://docs.slack.dev/reference/methods/conversations.members */
export function belowThousand(page: Page): Page {
  if (page.limit !== undefined && (page.limit < 1 || page.limit > 999)) throw new SlackApiError('invalid_limit');
  return page;
}

export function paginate<T>(all: T[], page: Page, defaultLimit: number) {
  const start = page.cursor ? Number(Buffer.from(page.cursor, 'base64').toString('utf8').replace('next:', '')) : 0;
  if (Number.isNaN(start)) throw new SlackApiError('invalid_cursor');
  const limit = page.limit || defaultLimit;
  if (limit > 1000) throw new SlackApiError('invalid_limit');
  const end = start + limit;
  const more = end < all.length;
  const cursor = more ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { items: all.slice(start, end), has_more: more, response_metadata: { next_cursor: cursor } };
}
