import type { ChatRecord } from '@assistant-bridge/sandbox/assistant/ledger.ts';
import { isStreaming } from '@assistant-bridge/sandbox/slack/messages.ts';
import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import type { Ending } from './ending.ts';
import { isEdited, readAnsweredItem } from './item.ts';
import type { Journal, Said } from './journal.ts';
import { findEnding, isShownTwice, readShown } from './shown.ts';
import { toUserId } from './signed-in-people.ts';

/** What the whole suite is about: what became of every message. Lists hold one line per offence. */
export type Tally = {
  acknowledged: number;
  /** Slack gave up on them; the app may have answered them all the same. */
  unacknowledged: number;
  /** Messages that their authors changed. */
  changes: Record<'edited' | 'deleted', number>;
  endings: Partial<Record<Ending, number>>;
  /** Acknowledged, and no terminal reply in their thread. */
  lost: string[];
  /** More than one visible message for one turn, or one that belongs to no turn. */
  duplicates: string[];
  /** Answered in a direct message: on a machine that is too slow to find out in time who reads the channel. */
  answeredPrivately: string[];
  /** Other messages of the app since the journal began, such as a call to sign in again. */
  unasked: string[];
  /** An answer under the wrong question. */
  misplaced: string[];
  /** Asked with the access of somebody else. */
  askedAsOther: string[];
  /** The service processed the same question more than once. */
  askedTwice: string[];
  /** Asked when its reply had already ended it: by a process that was frozen on its way to the service. */
  askedLate: string[];
  /** Asked as it was before its change, long after that. */
  askedUnchanged: string[];
  /** Asked after a question that came later in the same thread. */
  outOfOrder: string[];
  /** Asked while another question of the same thread was being answered. */
  parallel: string[];
  /** Threads that look busy with nothing left to be done. */
  busy: string[];
  /** Messages that Slack still takes for streamed. */
  openStreams: string[];
};

/** `messages` are all that Slack holds; `busy` are the threads that show that the app is at work. */
export function reconcile(journal: Journal, messages: readonly Message[], busy: string[] = []): Tally {
  const shown = readShown(journal, messages);
  const acknowledged = journal.all.filter(isAcknowledged);
  const threads = [...Map.groupBy(journal.all, ({ threadTs }) => threadTs).values()];
  const endings: Tally['endings'] = {};
  for (const said of acknowledged) {
    const ending = findEnding(said, shown);
    if (ending) endings[ending] = (endings[ending] ?? 0) + 1;
  }
  return {
    acknowledged: acknowledged.length,
    unacknowledged: journal.all.length - acknowledged.length,
    changes: {
      edited: journal.all.filter(({ change }) => change === 'edited').length,
      deleted: journal.all.filter(({ change }) => change === 'deleted').length,
    },
    endings,
    lost: acknowledged
      .filter((said) => !said.isDeleted && !findEnding(said, shown))
      .map((said) => describe(said, shown.of(said))),
    duplicates: [
      ...journal.all.filter((said) => isShownTwice(said, shown)).map((said) => describe(said, shown.of(said))),
      ...shown.strays.map(({ ts, threadTs, text }) => `message ${ts} in thread ${threadTs} is of no turn: ${text}`),
    ],
    answeredPrivately: acknowledged.filter((said) => shown.toAsker(said).length > 0).map((said) => describe(said, [])),
    unasked: shown.unasked.map(({ ts, channel, text }) => `message ${ts} in ${channel}: ${text}`),
    misplaced: journal.all.filter((said) => isMisplaced(said, shown.of(said))).map((said) => describe(said, [])),
    askedAsOther: journal.all
      .filter(({ author, chats }) => chats.some(({ subject }) => toUserId(subject) !== author))
      .map((said) => describe(said, [])),
    askedTwice: journal.all
      .filter(({ chats }) => chats.filter(({ isProcessed }) => isProcessed).length > 1)
      .map((said) => describe(said, shown.of(said))),
    askedLate: journal.all
      .filter((said) => said.chats.some((chat) => isLate(said, chat)))
      .map((said) => describe(said, shown.of(said))),
    askedUnchanged: journal.all.filter(isAskedUnchanged).map((said) => describe(said, [])),
    outOfOrder: threads.flatMap(findOutOfOrder),
    parallel: threads.flatMap(findParallel),
    busy: busy.map((line) => {
      const thread = journal.all.filter(({ threadTs }) => line.includes(threadTs));
      return [line, ...thread.map((said) => describe(said, shown.of(said)))].join('\n');
    }),
    openStreams: messages.filter(isStreaming).map(({ ts, channel, text }) => `message ${ts} in ${channel}: ${text}`),
  };
}

/** `of`: in its thread; `toAsker`: in the asker's direct messages instead. */
function isMisplaced(said: Said, messages: Message[]): boolean {
  const answered = messages.map(({ text }) => readAnsweredItem(text)).filter((item) => item !== undefined);
  return answered.some((item) => item !== said.number);
}

/** Order is that of acceptance, and what Slack had no acknowledgement of may have been accepted at any time. */
function findOutOfOrder(thread: Said[]): string[] {
  const asked = thread.filter(isAcknowledged).flatMap((said) => {
    const first = said.chats.find((chat) => !isLate(said, chat));
    return first ? [{ said, at: first.at, acknowledgedAt: said.acknowledgedAt }] : [];
  });
  return asked
    .filter(({ at, acknowledgedAt }) => asked.some((other) => other.acknowledgedAt > acknowledgedAt && other.at < at))
    .map(({ said }) => describe(said, []));
}

function findParallel(thread: Said[]): string[] {
  const chats = thread.flatMap((said) =>
    said.chats.filter((chat) => !isLate(said, chat)).map((chat) => ({ said, chat })),
  );
  chats.sort((a, b) => a.chat.at - b.chat.at);
  let busyUntil = 0;
  return chats.flatMap(({ said, chat }) => {
    const isParallel = chat.at < busyUntil;
    busyUntil = Math.max(busyUntil, chat.closedAt ?? Number.POSITIVE_INFINITY);
    return isParallel ? [describe(said, [])] : [];
  });
}

function isLate({ repliedAt }: Said, { at }: ChatRecord): boolean {
  return repliedAt !== undefined && at > repliedAt;
}

/** What is being sent at the time of the change goes as it was. */
const ON_ITS_WAY_MS = 1_000;

function isAskedUnchanged({ change, changedAt = Number.POSITIVE_INFINITY, chats }: Said): boolean {
  const isOutdated = ({ text }: ChatRecord) => change === 'deleted' || !isEdited(text);
  return chats.some((chat) => chat.at > changedAt + ON_ITS_WAY_MS && isOutdated(chat));
}

function isAcknowledged(said: Said): said is Said & { acknowledgedAt: number } {
  return said.acknowledgedAt !== undefined;
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
