import type { PartKey, Reply, ReplyMessage } from '../../conversation/reply.ts';
import type { Uses } from '../services.ts';
import { buildToolAnswer, type ToolAnswer } from './tool-answer.ts';

/** Used as the channel: Slackbot gets its answer in the reply to its call. No Slack id looks like this. */
export const SLACKBOT = 'slackbot';

/** How long an answer is kept, for a call that still waits or is repeated. */
const KEPT_MS = 10 * 60_000;

/**
 * As `reply`, but answers to Slackbot are written to the store. The waiting call finds them there, on any replica.
 * Writing an answer again changes nothing.
 */
export function withToolReply(reply: Reply, { once, now }: Uses<'once' | 'now'>): Reply {
  async function put({ content }: ReplyMessage, key: PartKey): Promise<string> {
    const ts = `${key.turnId} ${key.part}`;
    await once.put(toKey(ts), JSON.stringify(content), now() + KEPT_MS);
    return ts;
  }
  return {
    ...reply,
    async compose(turn) {
      if (!isTool(turn.question)) return reply.compose(turn);
      const content = await buildToolAnswer(turn);
      return content ? [{ channel: SLACKBOT, content }] : [];
    },
    create: (message, key) => (isTool(message) ? put(message, key) : reply.create(message, key)),
    async edit(message, ts, key) {
      if (!isTool(message)) return reply.edit(message, ts, key);
      await put(message, key);
      return 'edited';
    },
    async find(part, key, known) {
      if (!isTool(part)) return reply.find(part, key, known);
      const ts = `${key.turnId} ${key.part}`;
      return (await once.peek(toKey(ts))) === undefined ? [] : [ts];
    },
    async remove(channel, ts, ...rest) {
      if (channel === SLACKBOT) await once.take(toKey(ts));
      else await reply.remove(channel, ts, ...rest);
    },
    stream: (turn, record) => (isTool(turn.question) ? undefined : reply.stream(turn, record)),
    startWorking: (turn) => (isTool(turn.question) ? undefined : reply.startWorking(turn)),
    stopWorking: async (turn) => (isTool(turn.question) ? undefined : reply.stopWorking(turn)),
    whisper: async (turn, notice) => (isTool(turn.question) ? undefined : reply.whisper(turn, notice)),
  };
}

/** The answer to a turn of Slackbot. Undefined: there is none yet. */
export async function readToolAnswer(turnId: string, { once }: Uses<'once'>): Promise<ToolAnswer | undefined> {
  const found = await once.peek(toKey(`${turnId} 0`));
  return found === undefined ? undefined : JSON.parse(found);
}

/** Forgets what these turns were answered. */
export async function forgetToolAnswers(turnIds: readonly string[], { once }: Uses<'once'>): Promise<void> {
  for (const id of turnIds) await once.take(toKey(`${id} 0`));
}

function isTool({ channel }: { channel: string }): boolean {
  return channel === SLACKBOT;
}

function toKey(ts: string): string {
  return `slackbot-answer:${ts}`;
}
