// What the app promises, as predicates over what is left of a world at rest: Slack's messages, the service's requests and the
// store. Each returns a sentence for every breach.
import { createHash } from 'node:crypto';
import { GOVERNANCE_PROMISES } from './governance-promises.ts';
import { isTroubled, mayLoseLanes } from './history.ts';
import { toTurnId, type Written } from './people.ts';
import { BOT, type SlackMessage, TEAM } from './slack-machine.ts';
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
    name: 'one visible reply for each question',
    judge: (rest) =>
      rest.written.flatMap((one) => {
        const replies = findReplies(rest, one);
        const isExcused = one.isDeleted || one.isStopped;
        if (replies.length > 1) return [`q${one.question} has ${replies.length} replies`];
        return replies.length === 0 && !isExcused ? [`q${one.question} has no reply`] : [];
      }),
  },
  {
    name: 'a reply answers its own question, in its own thread',
    judge: (rest) =>
      rest.written.flatMap((one) =>
        findReplies(rest, one).flatMap(({ text, threadTs, channel }) => {
          const answered = /answer to q(\d+) .*for (\w+)/.exec(text);
          const isOther = answered && (Number(answered[1]) !== one.question || answered[2] !== one.user);
          const question = rest.slack.find(one.channel, one.ts);
          const isElsewhere = channel !== one.channel || (question && question.threadTs !== threadTs);
          return isOther || isElsewhere
            ? [`q${one.question} is answered with “${text}” in ${channel} ${threadTs}`]
            : [];
        }),
      ),
  },
  {
    name: 'nothing stands in a thread that belongs to no question',
    judge({ slack, written }) {
      const known = new Set(written.map((one) => toHash(one)));
      const own = slack.messages().filter(({ user, channel }) => user === BOT && channel.startsWith('C'));
      const strays = own.filter(({ metadata }) => !metadata || !known.has(metadata.event_payload.turn));
      return strays.map(({ channel, ts, text }) => `${channel} ${ts} says “${text.slice(0, 60)}”`);
    },
  },
  {
    name: 'asked at most once without a press of the asker',
    judge({ service }) {
      const times = Map.groupBy(service.asked, ({ text }) => text.trim().split(' ')[0] ?? '');
      return [...times]
        .filter(([, all]) => all.length > 1)
        .map(([text, all]) => `${text} was asked ${all.length} times`);
    },
  },
  {
    name: 'only with the own rights of the asker',
    judge: ({ service }) =>
      service.asked
        .filter(({ owner, person }) => person !== `${TEAM}:${owner}`)
        .map(({ text, owner, person }) => `“${text}” of ${person} was asked with the rights of ${owner}`),
  },
  {
    name: 'in the order of the thread',
    judge({ service, store, written }) {
      const names = new Map(written.map(({ question, channel, ts }) => [`${channel} ${ts}`, `q${question}`]));
      const askedAt = new Map(service.asked.map(({ text, at }) => [text.trim().split(' ')[0] ?? '', at]));
      const last = new Map<string, { at: number; name: string }>();
      const breaches: string[] = [];
      for (const { lane, question, hasPrompted } of store.all()) {
        const name = names.get(`${question.channel} ${question.messageTs}`) ?? '';
        const at = askedAt.get(name);
        // What waited for a sign-in comes after those that did not.
        if (at === undefined || hasPrompted !== undefined) continue;
        const before = last.get(lane);
        if (before && at < before.at) breaches.push(`${name} was asked before ${before.name}, which came first`);
        last.set(lane, { at, name });
      }
      return breaches;
    },
  },
  {
    name: 'one at a time in a thread',
    judge({ service, written, history }) {
      const threads = new Map(
        written.map(({ question, channel, threadTs }) => [`q${question}`, `${channel} ${threadTs}`]),
      );
      const threadOf = (text: string) => threads.get(text.trim().split(' ')[0] ?? '');
      return service.asked.flatMap(({ text, beside, at }) =>
        beside
          .filter((other) => threadOf(other) === threadOf(text) && !mayLoseLanes(history, at - BEGIN))
          .map((other) => `“${text}” was asked beside “${other}”`),
      );
    },
  },
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
    name: 'no thread looks busy, no message is still written',
    judge: ({ slack }) => [
      ...slack.busy().map((thread) => `${thread} looks busy`),
      ...slack
        .messages()
        .filter(({ stream }) => stream === 'in_progress')
        .map(({ channel, ts }) => `${channel} ${ts} is still streamed`),
    ],
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
    name: 'nobody is signed out because two refreshed at once',
    judge: ({ service }) =>
      service.replays
        .filter(({ afterMs, isFirstWell }) => afterMs < LOCKED_MS && isFirstWell)
        .map(({ person, afterMs }) => `the refresh token of ${person} was used again after ${afterMs} ms`),
  },
];

/** All breaches of a world. */
export function judge(rest: Rest): Breach[] {
  return [...PROMISES, ...GOVERNANCE_PROMISES].flatMap(({ name, judge }) =>
    judge(rest).map((what) => ({ promise: name, what })),
  );
}

/** The messages that reply to a question, wait lines included: at rest there is one. */
function findReplies({ slack }: Rest, one: Written): SlackMessage[] {
  const byTurn = REPLIES.get(slack) ?? Map.groupBy(slack.messages().filter(isOurs), toTurnHash);
  REPLIES.set(slack, byTurn);
  return byTurn.get(toHash(one)) ?? [];
}

/** Read once for each world. */
const REPLIES = new WeakMap<object, Map<string | undefined, SlackMessage[]>>();

function isOurs({ user }: SlackMessage): boolean {
  return user === BOT;
}

function toTurnHash({ metadata }: SlackMessage): string | undefined {
  return metadata?.event_payload.turn;
}

/** As find-message.ts names a turn in the metadata of a message. */
function toHash(one: Written): string {
  return createHash('sha256').update(toTurnId(one)).digest('base64url').slice(0, 22);
}
