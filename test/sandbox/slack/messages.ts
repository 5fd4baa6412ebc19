import type { Message } from './records.ts';
import type { Signal } from './signal.ts';
import type { Workspace } from './workspace.ts';

type Room = {
  byTs: Map<string, Message>;
  top: Set<Message>;
  replies: Map<string, Set<Message>>;
  ephemerals: Map<string, Message>;
};

/** The messages of all channels, by channel, thread and time. */
export function createMessages(signal: Signal) {
  const rooms = new Map<string, Room>();

  function room(channel: string): Room {
    let known = rooms.get(channel);
    if (!known) {
      known = { byTs: new Map(), top: new Set(), replies: new Map(), ephemerals: new Map() };
      rooms.set(channel, known);
    }
    return known;
  }

  return {
    add(message: Message): Message {
      put(room(message.channel), message);
      signal.notify();
      return message;
    },
    find: (channel: string, ts: string) => rooms.get(channel)?.byTs.get(ts),
    /** Also finds messages that only one person sees. */
    findAny: (channel: string, ts: string) =>
      rooms.get(channel)?.byTs.get(ts) ?? rooms.get(channel)?.ephemerals.get(ts),
    remove(message: Message): void {
      take(room(message.channel), message);
      signal.notify();
    },
    changed: signal.notify,
    /** Roots, and replies that were also sent to the channel, oldest first; without ephemeral ones. */
    inChannel: (channel: string) => [...room(channel).top],
    /** The root and its replies, oldest first; without ephemeral ones. */
    inThread(channel: string, rootTs: string): Message[] {
      const { byTs, replies } = room(channel);
      const root = byTs.get(rootTs);
      return root ? [root, ...(replies.get(rootTs) ?? [])] : [];
    },
    /** What was shown, or would have been, to one person only. */
    ephemerals: (channel: string) => [...room(channel).ephemerals.values()],
    all: () => [...rooms.values()].flatMap((one) => [...one.byTs.values()]),
    /** Forgets every message; for long benchmarks. */
    clear: () => rooms.clear(),
  };
}

function put(room: Room, message: Message): void {
  if (message.ephemeralFor !== undefined) {
    room.ephemerals.set(message.ts, message);
    return;
  }
  room.byTs.set(message.ts, message);
  if (message.threadTs === undefined || message.broadcast) room.top.add(message);
  if (message.threadTs === undefined) return;
  const replies = room.replies.get(message.threadTs) ?? new Set<Message>();
  replies.add(message);
  room.replies.set(message.threadTs, replies);
}

function take(room: Room, message: Message): void {
  room.ephemerals.delete(message.ts);
  room.byTs.delete(message.ts);
  room.top.delete(message);
  if (message.threadTs !== undefined) room.replies.get(message.threadTs)?.delete(message);
}

/** Observed, not documented: streams end about 5 min after their start, whatever is appended. */
const MAX_AGE_MS = 5 * 60_000;

/** Whether a message still takes text. Until then it can be neither changed nor deleted. */
export function isStreaming({ stream }: Message): boolean {
  if (stream?.state === 'streaming' && Date.now() - stream.startedAt > MAX_AGE_MS) stream.state = 'finished';
  return stream?.state === 'streaming';
}

/** Without a thread: the channel's own messages. With one: its root and replies. Oldest first, with what only they see. */
export function seenBy(
  workspace: Workspace,
  userId: string,
  place: { channel: string; threadTs?: string | undefined },
): Message[] {
  const { channel, threadTs } = place;
  requireMembership(workspace, userId, channel);
  const { messages } = workspace;
  const shared = threadTs === undefined ? messages.inChannel(channel) : messages.inThread(channel, threadTs);
  const own = messages
    .ephemerals(channel)
    .filter((message) => message.ephemeralFor === userId && !message.hidden && message.threadTs === threadTs);
  return [...shared, ...own].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

export function requireMembership(workspace: Workspace, userId: string, channel: string): void {
  if (!workspace.channel(channel).members.has(userId)) throw new Error(`${userId} is not in ${channel}.`);
}
