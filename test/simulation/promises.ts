// What the app promises besides what ../faults/conversation-promises.ts says of its conversations, as predicates over what is
// left of a world at rest. Each returns a sentence for every breach.
import { CONVERSATION_PROMISES } from '../faults/conversation-promises.ts';
import { readConversations } from './conversations.ts';
import { GOVERNANCE_PROMISES } from './governance-promises.ts';
import { isTroubled } from './history.ts';
import { BEGIN } from './virtual-time.ts';
import type { Rest } from './world.ts';

/** While somebody refreshes, others wait; the lock ends by itself after 30 s. */
const LOCKED_MS = 25_000;

/** What was on its way when somebody signed out, in a process that stood still meanwhile. */
const UNDERWAY_MS = 40_000;

export type Breach = { promise: string; what: string };

/** `judge`: what breaks it. */
export type Rule = { name: string; judge(rest: Rest): string[] };

const PROMISES: readonly Rule[] = [
  {
    name: 'what is due begins at once, as long as nothing is broken',
    judge: ({ store, history }) =>
      store.late
        .filter(({ at }) => !history.isBusy && !isTroubled(history, at - BEGIN))
        .map(({ id, ms }) => `${id} waited for ${ms} ms`),
  },
  {
    name: 'what was stopped gets no answer',
    judge: ({ store }) =>
      store
        .all()
        .filter(({ id, result }) => store.ended.has(id) && result === 'answer')
        .map(({ id }) => `${id} was answered all the same`),
  },
  {
    name: 'nothing is asked for somebody who has signed out',
    judge: ({ service }) =>
      service.asked
        .filter(({ signedOutMs }) => signedOutMs > UNDERWAY_MS)
        .map(({ text, owner, signedOutMs }) => `“${text}” was asked ${signedOutMs} ms after ${owner} had signed out`),
  },
  {
    name: 'nothing is left in doubt',
    judge: ({ store, isAtRest }) => [
      ...store
        .all()
        .filter(({ stage }) => stage !== 'done')
        .map(({ id, stage }) => `${id} is ${stage}`),
      ...(isAtRest ? [] : ['something still goes on']),
    ],
  },
  {
    name: 'no text is kept once a question is done',
    judge: ({ store }) =>
      store
        .all()
        .filter(({ stage, question, outcome }) => stage === 'done' && (question.text !== '' || outcome !== undefined))
        .map(({ id }) => `${id} still has its text`),
  },
  {
    name: 'no bug is met',
    judge: ({ bugs }) => [...new Set(bugs)],
  },
  {
    name: 'nobody is signed out because two refreshed at once',
    judge: ({ service }) =>
      service.replays
        .filter(({ afterMs, isFirstWell }) => afterMs < LOCKED_MS && isFirstWell)
        .map(({ person, afterMs }) => `the refresh token of ${person} was used again after ${afterMs} ms`),
  },
];

/** All breaches of a world. */
export function judge(rest: Rest): Breach[] {
  const conversations = readConversations(rest);
  return [
    ...Object.values(CONVERSATION_PROMISES).map(({ name, judge }) => ({ name, found: judge(conversations) })),
    ...[...PROMISES, ...GOVERNANCE_PROMISES].map(({ name, judge }) => ({ name, found: judge(rest) })),
  ].flatMap(({ name, found }) => found.map((what) => ({ promise: name, what })));
}
