import type { ChatRecord } from '@assistant-bridge/sandbox/assistant/ledger.ts';
import { isStreaming } from '@assistant-bridge/sandbox/slack/messages.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { english } from '../../src/languages/english.ts';
import { type Conversations, judgeConversations, type PromiseName, type Reply } from './conversation-promises.ts';
import { type Ending, toEnding } from './ending.ts';
import { isEdited, readAnsweredItem } from './item.ts';
import type { Journal, Said } from './journal.ts';
import { toUserId } from './signed-in-people.ts';
import { readTurn } from './watch-replies.ts';

/** What the whole suite is about: what became of every message. Lists hold one line per offence. */
export type Tally = Record<PromiseName, string[]> & {
  conversations: Conversations;
  acknowledged: number;
  /** Slack gave up on them; the app may have answered them all the same. */
  unacknowledged: number;
  /** Messages that their authors changed. */
  changes: Record<'edited' | 'deleted', number>;
  endings: Partial<Record<Ending, number>>;
  /** Messages of the app elsewhere since the journal began, such as a call to sign in again. */
  unasked: string[];
  /** Asked as it was before its change, long after that. */
  askedUnchanged: string[];
};

/** To ask an edited question again: no reply to it. */
const OFFERS = [english.edits.editedAfterEnd, english.edits.editedTooLate];

/** `messages` are all that Slack holds; `busy` are the threads that show that the app is at work. */
export function reconcile(journal: Journal, messages: readonly Message[], busy: string[] = []): Tally {
  const { startedAt, all } = journal;
  const threads = new Set(all.map(({ threadTs }) => threadTs));
  const isOurs = ({ botId, ts, text }: Message) =>
    botId && Number(ts) * 1000 > startedAt && !OFFERS.some((words) => text.startsWith(words));
  const shown = Map.groupBy(messages.filter(isOurs), (message) => findSaid(journal, message));
  const toLine = (said: Said) => describe(said, shown.get(said) ?? []);
  const [strays = [], unasked = []] = [true, false].map((isInThread) =>
    (shown.get(undefined) ?? [])
      .filter(({ threadTs = '' }) => threads.has(threadTs) === isInThread)
      .map(({ ts, channel, threadTs, text }) => `message ${ts} in ${channel} ${threadTs}: ${text}`),
  );
  const conversations: Conversations = {
    questions: all.map((said) => ({
      ...toQuestion(said),
      replies: (shown.get(said) ?? []).map(toReply),
      describe: () => toLine(said),
    })),
    strays,
    unfinished: [
      ...busy.map((line) => [line, ...all.filter(({ threadTs }) => line.includes(threadTs)).map(toLine)].join('\n')),
      ...messages.filter(isStreaming).map(({ ts, channel, text }) => `message ${ts} in ${channel}: ${text}`),
    ],
  };
  const acknowledged = conversations.questions.filter(({ rank }) => rank !== undefined);
  const endings = acknowledged.flatMap(({ replies }) => replies.find(({ ending }) => ending)?.ending ?? []);
  const count = (change: 'edited' | 'deleted') => all.filter((said) => said.change === change).length;
  return {
    ...judgeConversations(conversations),
    conversations,
    acknowledged: acknowledged.length,
    unacknowledged: all.length - acknowledged.length,
    changes: { edited: count('edited'), deleted: count('deleted') },
    endings: Object.fromEntries(
      [...Map.groupBy(endings, (ending) => ending)].map(([name, { length }]) => [name, length]),
    ),
    unasked,
    askedUnchanged: all.filter(isAskedUnchanged).map(toLine),
  };
}

/** Whose turn the message belongs to: in the thread of that, or in its asker's direct messages instead. */
function findSaid(journal: Journal, { channel, threadTs, metadata }: Message): Said | undefined {
  const said = journal.ofTurn(readTurn(metadata));
  return said && (said.threadTs === threadTs || said.channel !== channel) ? said : undefined;
}

/** Order is that of acknowledgement: what Slack had none of may have been accepted at any time. */
function toQuestion({
  number,
  author,
  channel,
  threadTs,
  acknowledgedAt,
  isDeleted,
  chats,
  repliedAt = Infinity,
}: Said) {
  return {
    name: String(number),
    author,
    place: `${channel} ${threadTs}`,
    rank: acknowledgedAt,
    isExcused: isDeleted === true || acknowledgedAt === undefined,
    requests: chats.map(({ subject, text, at, closedAt: until = Infinity, isProcessed }) => ({
      ...{ by: toUserId(subject), at, until, isProcessed, isEdited: isEdited(text), isLate: at > repliedAt },
    })),
  };
}

function toReply({ channel, threadTs, ts, text, blocks }: Message): Reply {
  const answers = readAnsweredItem(text)?.toString();
  return { place: `${channel} ${threadTs}`, ts, answers, ending: toEnding({ text, blocks }) };
}

/** What is being sent at the time of the change goes as it was. */
const ON_ITS_WAY_MS = 1_000;

function isAskedUnchanged({ change, changedAt = Number.POSITIVE_INFINITY, chats }: Said): boolean {
  const isOutdated = ({ text }: ChatRecord) => change === 'deleted' || !isEdited(text);
  return chats.some((chat) => chat.at > changedAt + ON_ITS_WAY_MS && isOutdated(chat));
}

function describe(said: Said, messages: Message[]): string {
  const { number, ts, threadTs, author, chats, acknowledgedBy, repliedAt, change = 'unchanged' } = said;
  const texts = messages.map(({ ts, text }) => `${ts} “${text.slice(0, 50)}”`).join(', ') || 'nothing';
  const asked = chats.map(({ at, closedAt = at, subject, conversation, status, isProcessed, isCut }) => {
    const end = isCut ? 'cut' : isProcessed ? status : `${status}, refused`;
    return `${at} +${closedAt - at} ms by ${subject} in ${conversation.slice(0, 4)}: ${end}`;
  });
  return `item ${number} (of ${author}, ${ts} in ${threadTs}, by ${acknowledgedBy ?? 'nobody'}, ${change}), asked [${asked.join('; ')}], shown at ${repliedAt}: ${texts}`;
}
