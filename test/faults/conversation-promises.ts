// What the app promises to everybody who asks, as predicates over what Slack and the service saw. The suites with real
// processes and the simulation fill the same records: see reconcile.ts and ../simulation/conversations.ts.
import type { Ending } from './ending.ts';

/**
 * A question to the service. `by`: with whose access; times are ms of one clock; `until`: its end, however it came; `isLate`:
 * its reply had ended it before; `isEdited`: as its author had changed it.
 */
export type Request = {
  by: string;
  at: number;
  until: number;
  isProcessed: boolean;
  isEdited: boolean;
  isLate?: boolean;
};

/** A message that is visible at rest. `answers`: the name of the question; `ending`: undefined where it ends none. */
export type Reply = { place: string; ts: string; answers: string | undefined; ending: Ending | undefined };

export type Question = {
  name: string;
  author: string;
  /** The thread. */
  place: string;
  /** Its rank among those of its thread. Undefined: nobody knows, or it had to wait for its asker. */
  rank: number | undefined;
  /** Nobody misses a reply: it was deleted or stopped, or never acknowledged. */
  isExcused: boolean;
  replies: Reply[];
  requests: Request[];
  /** For whoever reads of a breach. */
  describe(): string;
};

export type Conversations = {
  questions: Question[];
  /** Messages that belong to no question. */
  strays: string[];
  /** Threads that look busy at rest, and messages that are still written. */
  unfinished: string[];
};

/** `isTiming`: a busy machine can spoil it. */
type Kept = { name: string; isTiming?: true; judge(all: Conversations): string[] };

const each = (isBroken: (question: Question) => boolean) => (all: Conversations) =>
  all.questions.filter(isBroken).map((question) => question.describe());

const eachThread = (find: (thread: Question[]) => Question[]) => (all: Conversations) =>
  [...Map.groupBy(all.questions, ({ place }) => place).values()].flatMap(find).map((question) => question.describe());

export const CONVERSATION_PROMISES = {
  lost: {
    name: 'a visible reply for each question',
    judge: each(({ isExcused, replies }) => !isExcused && !replies.some(({ ending }) => ending)),
  },
  duplicates: { name: 'no more than one visible reply', judge: each(isRepliedTwice) },
  strays: { name: 'nothing stands in a thread that belongs to no question', judge: ({ strays }) => strays },
  misplaced: {
    name: 'a reply answers its own question',
    judge: each(({ name, replies }) => replies.some(({ answers }) => answers !== undefined && answers !== name)),
  },
  // Where a machine is too slow to find out who reads a channel, its asker gets the answer alone.
  elsewhere: {
    name: 'a reply stands in the thread of its question',
    isTiming: true,
    judge: each(({ place, replies }) => replies.some((reply) => reply.place !== place)),
  },
  askedAsOther: {
    name: 'only with the own rights of the asker',
    judge: each(({ author, requests }) => requests.some(({ by }) => by !== author)),
  },
  askedTwice: {
    name: 'asked at most once without a press of the asker',
    judge: each(({ requests }) => requests.filter(({ isProcessed }) => isProcessed).length > 1),
  },
  askedLate: {
    name: 'not asked after its end',
    isTiming: true,
    judge: each(({ requests }) => requests.some(({ isLate }) => isLate)),
  },
  outOfOrder: { name: 'in the order of the thread', judge: eachThread(findOutOfOrder) },
  parallel: { name: 'one at a time in a thread', judge: eachThread(findParallel) },
  unfinished: { name: 'no thread looks busy, no message is still written', judge: ({ unfinished }) => unfinished },
} satisfies Record<string, Kept>;

export type PromiseName = keyof typeof CONVERSATION_PROMISES;

/** What breaks each of them. */
export function judgeConversations(all: Conversations): Record<PromiseName, string[]> {
  const judged = Object.entries(CONVERSATION_PROMISES).map(([name, { judge }]) => [name, judge(all)]);
  return Object.fromEntries(judged);
}

/** An answer to the asker alone has a word beside it in the thread. */
function isRepliedTwice({ replies }: Question): boolean {
  const places = new Set(replies.map(({ place }) => place));
  return replies.length > places.size || replies.filter(({ answers }) => answers !== undefined).length > 1;
}

function findOutOfOrder(thread: Question[]): Question[] {
  const asked = thread.flatMap((question) => {
    const first = question.requests.find(({ isLate }) => !isLate);
    return first && question.rank !== undefined ? [{ question, rank: question.rank, at: first.at }] : [];
  });
  return asked
    .filter(({ rank, at }) => asked.some((other) => other.rank > rank && other.at < at))
    .map(({ question }) => question);
}

function findParallel(thread: Question[]): Question[] {
  const requests = thread.flatMap((question) =>
    question.requests.filter(({ isLate }) => !isLate).map((request) => ({ question, ...request })),
  );
  let busyUntil = 0;
  return requests
    .sort((one, other) => one.at - other.at)
    .flatMap(({ question, at, until }) => {
      const isParallel = at < busyUntil;
      busyUntil = Math.max(busyUntil, until);
      return isParallel ? [question] : [];
    });
}
