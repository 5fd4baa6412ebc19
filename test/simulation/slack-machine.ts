// Slack as a state machine without sockets: channels, threads, streams and sessions. A call is applied at once; how long it
// takes to arrive, and whether its answer comes back, is the network's business.
import type { SlackMethod } from '../../src/slack/web/methods.ts';
import { SlackRefusedError } from '../../src/slack/web/slack-errors.ts';

export const TEAM = 'T1';
export const BOT = 'UBOT';
export const INSTALLATION = { workspace: TEAM, team: TEAM, botToken: 'xoxb', botId: 'B1', botUserId: BOT };

/** A message as Slack keeps it. `part`: from our metadata, which names the turn by a hash. */
export type SlackMessage = {
  channel: string;
  ts: string;
  threadTs: string;
  user: string;
  text: string;
  metadata?: { event_type: string; event_payload: { turn: string; part: number } };
  blocks?: unknown[];
  stream?: 'in_progress' | 'completed';
  isDeleted?: boolean;
};

export type SlackMachine = {
  /** What somebody writes. Returns its ts. */
  write(channel: string, user: string, text: string, threadTs?: string): string;
  find(channel: string, ts: string): SlackMessage | undefined;
  /** Throws a SlackRefusedError with Slack's code. */
  apply(method: SlackMethod, args: Record<string, unknown>): object;
  messages(): readonly SlackMessage[];
  /** Threads that show that they are worked on. */
  busy(): string[];
};

/** `now`: virtual ms since the world began. */
export function createSlackMachine(now: () => number): SlackMachine {
  const messages = new Map<string, SlackMessage>();
  const byThread = new Map<string, SlackMessage[]>();
  const sessions = new Map<string, string>();
  let count = 0;

  const refuse = (method: SlackMethod, code: string): never => {
    throw new SlackRefusedError(method, code);
  };

  function add(message: Omit<SlackMessage, 'ts' | 'threadTs'> & { threadTs?: string | undefined }): SlackMessage {
    const ts = `${Math.floor((1_800_000_000_000 + now()) / 1000)}.${String(++count).padStart(6, '0')}`;
    const threadTs = message.threadTs ?? ts;
    const added = { ...message, ts, threadTs };
    messages.set(`${message.channel} ${ts}`, added);
    const thread = `${message.channel} ${threadTs}`;
    byThread.set(thread, [...(byThread.get(thread) ?? []), added]);
    return added;
  }

  const find = (channel: string, ts: string) => {
    const found = messages.get(`${channel} ${ts}`);
    return found?.isDeleted ? undefined : found;
  };

  function change(method: SlackMethod, args: Args): object {
    const message = find(args.channel, args.ts) ?? refuse(method, 'message_not_found');
    if (message.stream === 'in_progress')
      refuse(method, method === 'chat.delete' ? 'cant_delete_message' : 'streaming_state_conflict');
    if (method === 'chat.delete') message.isDeleted = true;
    else Object.assign(message, toContent(args));
    return { ts: args.ts };
  }

  function stream(method: SlackMethod, args: Args): object {
    const message = find(args.channel, args.ts) ?? refuse(method, 'message_not_found');
    if (message.stream !== 'in_progress') refuse(method, 'message_not_in_streaming_state');
    message.text += args.markdown_text ?? '';
    if (method === 'chat.stopStream') {
      message.stream = 'completed';
      if (args.metadata) message.metadata = args.metadata;
      setSession(args.channel, message.threadTs, args.session_status ?? 'active');
    }
    return { ts: args.ts };
  }

  function setSession(channel: string, threadTs: string, status: string): void {
    if (status === 'processing') sessions.set(`${channel} ${threadTs}`, status);
    else sessions.delete(`${channel} ${threadTs}`);
  }

  function read({ channel, ts, oldest = '0' }: Args): object {
    const thread =
      ts === undefined
        ? [...messages.values()].filter((one) => one.channel === channel)
        : (byThread.get(`${channel} ${ts}`) ?? []);
    const shown = thread.filter((one) => !one.isDeleted && Number(one.ts) >= Number(oldest));
    return {
      messages: shown.map(({ ts, user, text, metadata, blocks = [], stream }) => ({
        ...{ ts, user, text, metadata, blocks },
        ...(user === BOT && { bot_id: INSTALLATION.botId }),
        ...(stream && { streaming_state: stream }),
      })),
    };
  }

  return {
    write: (channel, user, text, threadTs) => add({ channel, user, text, threadTs }).ts,
    find,
    messages: () => [...messages.values()].filter(({ isDeleted }) => !isDeleted),
    busy: () => [...sessions.keys()],
    apply(method, given) {
      const args = given as Args;
      switch (method) {
        case 'chat.postMessage':
          return { ts: add({ channel: args.channel, user: BOT, threadTs: args.thread_ts, ...toContent(args) }).ts };
        case 'chat.update':
        case 'chat.delete':
          return change(method, args);
        case 'chat.startStream': {
          const text = args.markdown_text ?? '';
          return {
            ts: add({ channel: args.channel, user: BOT, threadTs: args.thread_ts, text, stream: 'in_progress' }).ts,
          };
        }
        case 'chat.appendStream':
        case 'chat.stopStream':
          return stream(method, args);
        case 'chat.postEphemeral':
          return {};
        case 'conversations.replies':
        case 'conversations.history':
          return read(args);
        case 'conversations.open':
          return { channel: { id: `D${args.users}` } };
        case 'conversations.info':
          return { channel: { is_member: true, is_private: false } };
        case 'users.info':
          return {
            user: {
              id: args.user,
              name: args.user,
              real_name: args.user,
              team_id: TEAM,
              tz: 'Europe/Berlin',
              locale: 'en-GB',
            },
          };
        case 'agents.sessions.setStatus':
          setSession(args.channel_id ?? '', args.thread_ts ?? '', args.status ?? '');
          return {};
        default:
          return refuse(method, 'unknown_method');
      }
    },
  };
}

type Args = {
  channel: string;
  ts: string;
  thread_ts?: string;
  text?: string;
  blocks?: unknown[];
  metadata?: SlackMessage['metadata'];
  markdown_text?: string;
  session_status?: string;
  users?: string;
  user?: string;
  oldest?: string;
  channel_id?: string;
  status?: string;
};

function toContent({ text = '', blocks, metadata }: Args) {
  return { text, ...(blocks && { blocks }), ...(metadata && { metadata }) };
}
