import type { Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { english } from '../../src/languages/english.ts';
import { type Ending, toEnding } from './ending.ts';
import { readAnsweredItem } from './item.ts';
import type { Journal, Said } from './journal.ts';
import { readTurn } from './watch-replies.ts';

/** What the app shows, by the turn that its messages' metadata name. */
export type Shown = {
  /** In the thread of the question. */
  of(said: Said): Message[];
  /** In the asker's direct messages, instead of a channel. */
  toAsker(said: Said): Message[];
  /** In one of the threads, and of no turn of it. */
  strays: Message[];
  /** Elsewhere, and of no turn. */
  unasked: Message[];
};

/** To ask an edited question again: no reply to it. */
const OFFERS = [english.edits.editedAfterAnswer, english.edits.editedTooLate];

export function readShown(journal: Journal, messages: readonly Message[]): Shown {
  const threads = new Set(journal.all.map(({ threadTs }) => threadTs));
  const inThreads = new Map<Said, Message[]>();
  const toAskers = new Map<Said, Message[]>();
  const strays: Message[] = [];
  const unasked: Message[] = [];
  for (const message of messages) {
    const { botId, ts, channel, threadTs = '', text, metadata } = message;
    if (!botId || Number(ts) * 1000 <= journal.startedAt || OFFERS.some((words) => text.startsWith(words))) continue;
    const said = journal.ofTurn(readTurn(metadata));
    if (said?.threadTs === threadTs) add(inThreads, said, message);
    else if (said && said.channel !== channel) add(toAskers, said, message);
    else if (threads.has(threadTs)) strays.push(message);
    else unasked.push(message);
  }
  return { of: (said) => inThreads.get(said) ?? [], toAsker: (said) => toAskers.get(said) ?? [], strays, unasked };
}

function add(to: Map<Said, Message[]>, said: Said, message: Message): void {
  to.set(said, [...(to.get(said) ?? []), message]);
}

/** How the turn ended, as far as people see. */
export function findEnding(said: Said, { of, toAsker }: Shown): Ending | undefined {
  for (const message of [...of(said), ...toAsker(said)]) {
    const ending = toEnding(message);
    if (ending) return ending;
  }
  return undefined;
}

/** An answer to the asker has a word beside it in the thread. */
export function isShownTwice(said: Said, { of, toAsker }: Shown): boolean {
  const answers = [...of(said), ...toAsker(said)].filter(({ text }) => readAnsweredItem(text) !== undefined);
  return of(said).length > 1 || toAsker(said).length > 1 || answers.length > 1;
}
