import type { SharedMessage } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';
import type { ReadQuestion } from '../conversation/run.ts';
import type { Turn } from '../conversation/turn.ts';
import { type ReadMessage as Message, readMessages } from './read-pages.ts';
import type { Uses } from './services.ts';
import { readMessage } from './text-in/read-message.ts';
import { toWords } from './text-out/plain-text.ts';
import { PRIVATE_BLOCK } from './views/answer-end.ts';
import { withoutButtons } from './views/content.ts';
import { readShownQuestion } from './views/notice-message.ts';
import { isSlackError, toUnavailable } from './web/slack-errors.ts';

export type ThreadReader = ReturnType<typeof createThreadReader>;

export function createThreadReader({ call, findInstallation }: Uses<'call' | 'findInstallation'>) {
  return {
    /** Reads a question to ask it again: its text is kept only in Slack. Undefined if its message is gone. */
    async readQuestion(question: Question): Promise<ReadQuestion | undefined> {
      const ts = question.messageTs ?? question.threadTs ?? '';
      const { botUserId } = await findInstallation(question.workspace);
      const range = { channel: question.channel, ts: question.threadTs ?? '', oldest: ts, inclusive: true };
      try {
        const page = await call('conversations.replies', question.workspace, { ...range, limit: MAX_READ_ON });
        const messages: Message[] = page.messages ?? [];
        const message = findStanding(messages, ts);
        if (!message) return undefined;
        const { text, webSearch, links, unusable, uploads } = readWritten(message, { botUserId });
        const others = messages.filter((other) => (other.ts ?? '') > ts && !isAnswer(other, botUserId));
        return {
          ...{ text, webSearch, links, unusable, uploads, isByAsker: isByAsker(message, question, botUserId) },
          isFollowed: others.length > 0 || page.has_more === true,
        };
      } catch (error) {
        if (isSlackError(error, 'thread_not_found', 'message_not_found', 'channel_not_found')) return undefined;
        return throwUnavailable(error);
      }
    },
    /** The messages that a question shares, in order. Deleted ones are left out. */
    async readShared({ workspace, shares = [] }: Question): Promise<SharedMessage[]> {
      const shared: SharedMessage[] = [];
      for (const [channel, places] of Map.groupBy(shares, (place) => place.channel)) {
        const wanted = places.map(({ ts }) => ts);
        const found = await readMessages(call, workspace, { channel, purpose: 'share' }, wanted).catch(
          throwUnavailable,
        );
        shared.push(...found.map((message) => ({ text: message.text ?? '', blocks: toShownBlocks(message) })));
      }
      return shared;
    },
    /** The answer of a turn as text; for a private answer, what the asker got. Empty if nothing was posted. */
    async readAnswer({ parts, question }: Pick<Turn, 'parts' | 'question'>): Promise<string> {
      const [first, ...more] = findAnswer(parts, question);
      if (!first) return '';
      const wanted = [first, ...more].map(({ ts = '' }) => ts);
      const { channel, threadTs } = first;
      const found = await readMessages(call, question.workspace, { channel, threadTs, purpose: 'feedback' }, wanted);
      return found.map(({ blocks, text = '' }) => toWords(withoutButtons(blocks)).trim() || text).join('\n\n');
    },
  };
}

/**
 * As readMessage. Of a message of ours that shows somebody's question, only the question. Other apps may post blocks that
 * look the same.
 */
export function readWritten(message: object, { botUserId }: { botUserId: string }) {
  const { user, blocks } = message as Message;
  const shown = user === botUserId && readShownQuestion(blocks)?.text;
  return readMessage(shown ? { text: shown } : message, { botUserId });
}

/** The message that shows the question. What was typed into a window is in the first message of the reply. */
export function toAskedTs({ question, parts }: Pick<Turn, 'question' | 'parts'>): string | undefined {
  return question.messageTs ?? (question.about ? parts[0]?.ts : question.threadTs);
}

/** Without the first part where that shows the question: see toAskedTs. */
function findAnswer(parts: Turn['parts'], { channel, messageTs }: Question): Turn['parts'] {
  const posted = parts.slice(messageTs === undefined ? 1 : 0).filter(({ ts }) => ts !== undefined);
  const alone = posted.filter((part) => part.channel !== channel);
  return alone.length > 0 ? alone : posted;
}

/** Of a deleted message with replies, Slack keeps a tombstone, which has a text of its own. */
function findStanding(messages: readonly Message[], wanted: string): Message | undefined {
  return messages.find(({ ts, subtype }) => ts === wanted && subtype !== 'tombstone');
}

/** The question and the messages after it, to see whether others have written since. Slack may return fewer. */
const MAX_READ_ON = 15;

/** Our own messages, except questions that were typed into a window. */
function isAnswer({ user, blocks }: Message, botUserId: string): boolean {
  return user === botUserId && readShownQuestion(blocks) === undefined;
}

/** What was typed into a command or a window is repeated in a message of ours. */
function isWrittenByUs({ origin, about }: Question): boolean {
  return origin === 'command' || about !== undefined;
}

function isByAsker({ user, edited }: Message, question: Question, botUserId: string): boolean {
  if (isWrittenByUs(question)) return user === botUserId;
  const { asker } = question;
  return user === asker.user && (edited?.user ?? asker.user) === asker.user;
}

function throwUnavailable(error: unknown): never {
  throw toUnavailable('reading messages', error);
}

/** Slack may return other blocks than we sent. Leaves out the buttons and the reason why the message is private. */
function toShownBlocks({ blocks }: Message): unknown[] {
  return withoutButtons(blocks)
    .filter((block) => block.block_id !== PRIVATE_BLOCK)
    .map(({ block_id: _, ...block }) => block);
}
