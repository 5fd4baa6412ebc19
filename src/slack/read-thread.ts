import { setImmediate } from 'node:timers/promises';
import type { SharedMessage } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';

import type { Log } from '../log.ts';
import type { FindInstallation } from './installation.ts';
import { type ReadMessage as Message, readPages } from './read-pages.ts';
import { readMessage } from './text-in/read-message.ts';
import { QUESTION_BLOCK } from './views/notice-message.ts';
import type { CallSlack, Importance } from './web/methods.ts';
import { isSlackError, toUnavailable } from './web/slack-errors.ts';

type Read = Pick<Question, 'text' | 'links' | 'unusable'>;

export type ThreadReader = {
  /** The question that a turn asks again; it is kept in Slack only. Undefined: it is gone. */
  readQuestion(question: Question): Promise<Read | undefined>;
  /** The messages that a question shares, in order, without those that are gone. */
  readShared(question: Question): Promise<SharedMessage[]>;
  /** Links shared in the thread before this question. Best effort: none if they cannot be read. */
  earlierLinks(question: Question): Promise<string[]>;
};

/** A thread is read once, when we are first asked in it. Of a longer one only the beginning is read. */
const THREAD_LIMIT = 100;

export function createThreadReader(ports: {
  call: CallSlack;
  findInstallation: FindInstallation;
  log: Log;
}): ThreadReader {
  const { call, findInstallation, log } = ports;

  async function read(
    question: Question,
    range: { oldest?: string; latest: string; limit: number },
    importance?: Importance,
  ): Promise<Message[]> {
    const { workspace, channel, threadTs = '' } = question;
    const { botToken } = await findInstallation(workspace);
    const args = { channel, ts: threadTs, inclusive: true, ...range };
    const answer = await call('conversations.replies', botToken, args, importance);
    return answer.messages ?? [];
  }

  return {
    async readQuestion(question) {
      const ts = question.messageTs ?? question.threadTs ?? '';
      const { botUserId } = await findInstallation(question.workspace);
      try {
        const messages = await read(question, { oldest: ts, latest: ts, limit: 2 });
        const message = messages.find((candidate) => candidate.ts === ts);
        if (!message) return undefined;
        const root = readRoot(message);
        return readMessage(root ? { text: root } : message, { botUserId });
      } catch (error) {
        if (isSlackError(error, 'thread_not_found', 'message_not_found', 'channel_not_found')) return undefined;
        return throwUnavailable(error);
      }
    },
    async readShared({ workspace, shares = [] }) {
      const { botToken } = await findInstallation(workspace);
      const shared: SharedMessage[] = [];
      for (const [channel, places] of Map.groupBy(shares, (place) => place.channel)) {
        const wanted = places.map(({ ts }) => ts).sort();
        // In one call: Slack may let us read only once a minute.
        const range = { channel, oldest: wanted[0] ?? '', latest: wanted.at(-1) ?? '', inclusive: true };
        const isEnough = (messages: Message[]) => wanted.every((ts) => messages.some((message) => message.ts === ts));
        const reading = { ...range, purpose: 'share', isEnough };
        const messages = await readPages(call, botToken, reading).catch(throwUnavailable);
        const found = wanted.flatMap((ts) => messages.find((message) => message.ts === ts) ?? []);
        shared.push(...found.map((message) => ({ text: message.text ?? '', blocks: toShownBlocks(message) })));
      }
      return shared;
    },
    async earlierLinks(question) {
      const { messageTs = '' } = question;
      try {
        const { botUserId } = await findInstallation(question.workspace);
        const messages = await read(question, { latest: messageTs, limit: THREAD_LIMIT }, 'extra');
        // Nobody shared the links in our own answers.
        const earlier = messages.filter(({ ts, bot_id }) => ts !== messageTs && !bot_id);
        const links: string[] = [];
        for (const message of earlier) {
          links.push(...readMessage(message, { botUserId }).links);
          // Long messages take tens of milliseconds each: serve others in between.
          await setImmediate();
        }
        return links;
      } catch (error) {
        log.debug({ err: error }, 'earlier links not read');
        return [];
      }
    },
  };
}

function throwUnavailable(error: unknown): never {
  throw toUnavailable('reading messages', error);
}

/** Slack may return other blocks than we sent. Buttons are left out: they belong to the private message. */
function toShownBlocks({ blocks }: Message): unknown[] {
  if (!Array.isArray(blocks)) return [];
  return blocks
    .filter((block) => block?.type !== 'actions' && block?.type !== 'context_actions')
    .map(({ block_id: _, ...block }) => block);
}

/** The root of a command's thread is our message, with the question in sections of its own. */
function readRoot({ blocks }: Message): string {
  if (!Array.isArray(blocks)) return '';
  return blocks
    .filter((block) => String(block?.block_id).startsWith(QUESTION_BLOCK))
    .map((block) => String(block?.text?.text ?? ''))
    .join('');
}
