// Everything that is done with turns, threads and leases, as commands: a store and its model are given the same ones.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Person } from '../../src/conversation/question.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { ThreadStore, TurnStore } from '../../src/conversation/stores.ts';
import type { ThreadChange, Turn } from '../../src/conversation/turn.ts';
import type { LeaseStore } from '../../src/delivery/leases.ts';
import type { PersonalRecords } from '../../src/identity/personal-data.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aConversation, engage, keep } from './change-thread.ts';

/** `runs`: the turns as each run took them, also those that are fenced off by now. */
export type Side = {
  turns: Omit<TurnStore, 'forget'>;
  threads: Omit<ThreadStore, 'forget'>;
  personal: PersonalRecords;
  purge(workspace: string): Promise<number>;
  leases: LeaseStore | undefined;
  runs: Turn[];
  /** Epoch ms, by the clock of whoever asks. */
  now: number;
};

export type Real = Side & {
  /** What is open now is closed, and opened again as the next process finds it. */
  restart(): Promise<void>;
};

/** The replicas: one that renews its leases, and one that is gone. */
export const ALIVE = '00000000-0000-4000-8000-00000000000a';
const GONE = '00000000-0000-4000-8000-00000000000d';

const HOUR_MS = 3_600_000;

type Command = fc.AsyncCommand<Side, Real, false>;

const same = (text: string, ask: (side: Side) => Promise<unknown>): Command => ({
  check: () => true,
  async run(model, real) {
    expect(withoutRuns(await ask(real)), text).toEqual(withoutRuns(await ask(model)));
  },
  toString: () => text,
});

/** Each store makes its own random ones. */
function withoutRuns(said: unknown): unknown {
  return JSON.parse(JSON.stringify([said], (key, value) => (key === 'run' ? undefined : value)));
}

const pass = (ms: number): Command => ({
  check: () => true,
  async run(...sides) {
    for (const side of sides) side.now += ms;
  },
  toString: () => `${ms} ms`,
});

const restart: Command = { check: () => true, run: (_model, real) => real.restart(), toString: () => 'restart' };

const LANES = ['lane 1', 'lane 2'];
const USERS = ['UANA', 'UBEN'];
const IDS = ['a', 'b', 'c', 'd', 'e'];
/** Of one organisation, whose people and threads are in both. */
export const WORKSPACES = ['T1', 'T2'];
const THREAD = 'E1:t';

const toPerson = (one: string) => ({ team: 'E1', user: one });

const [lane, user, id, workspace] = [LANES, USERS, IDS, WORKSPACES].map((some) => fc.constantFrom(...some)) as [
  ...[Text, Text, Text, Text],
];
type Text = fc.Arbitrary<string>;

const holder = fc.constantFrom(...[ALIVE, GONE].flatMap((token) => [`${token}1`, `${token}2`]));
const token = fc.constantFrom(ALIVE, GONE);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

const conversation = fc
  .record({
    user,
    workspace,
    number: fc.constantFrom(1, 2),
    isOwn: fc.boolean(),
    secrecy: fc.constantFrom(...Object.values(SECRECY)),
  })
  .map(({ user: owner, workspace, number, isOwn, secrecy }) =>
    aConversation({
      ...{ owner, workspace, secrecy },
      heldBy: isOwn ? 'person' : 'thread',
      id: `${isOwn ? owner : 'ours'} ${number}`,
    }),
  );

const change: fc.Arbitrary<ThreadChange> = fc.oneof(
  fc.tuple(user, workspace).map(([one, place]) => engage(THREAD, one, place)),
  fc.tuple(conversation, fc.constantFrom(undefined, 1, 2)).map(([one, former]) => {
    return keep(THREAD, one, former && one.id.replace(/\d$/, String(former)));
  }),
  fc.tuple(fc.constantFrom('update', 'drop'), conversation).map(([kind, one]): ThreadChange => {
    return { kind: kind as 'update' | 'drop', thread: THREAD, conversation: one };
  }),
);
const changes = fc.array(change, { maxLength: 2 });

/** What a run makes of its turn. */
const progress: fc.Arbitrary<Partial<Turn>> = fc.constantFrom<Partial<Turn>[]>(
  { stage: 'asking' },
  { stage: 'waiting', waitedMs: 1 },
  { stage: 'parked' },
  { stage: 'answered', outcome: { kind: 'notice', code: 'empty' } },
  { stage: 'done', result: 'answer' },
  { stage: 'done', result: 'failed' },
  { lane: 'lane 2' },
);

/** An id is of one message: it has one author, in one workspace, also when it is accepted again after a purge. */
function toTurn(turnId: string, rest: Partial<Turn>): Turn {
  const place = IDS.indexOf(turnId);
  const [one, workspace] = [USERS[place % 2], WORKSPACES[place < 2 ? 0 : 1]] as [string, string];
  return aTurn({ id: turnId, question: aQuestion({ asker: toPerson(one), workspace }), ...rest });
}

const accept = fc
  .record({ id, lane, waitMs: maybe(fc.constantFrom(3, 8)), holder: maybe(holder), changes })
  .map(({ id: one, lane, waitMs, holder, changes: some }) =>
    same(`accept ${JSON.stringify({ one, lane, waitMs, holder, some })}`, async ({ turns, runs, now }) => {
      const notBefore = waitMs && { notBefore: now + waitMs };
      const turn = toTurn(one, { lane, acceptedAt: now, run: `accepted ${runs.length}`, ...notBefore });
      const accepted = await turns.accept(turn, some, holder);
      if (accepted === 'taken') runs.push({ ...turn, fence: 1 });
      return accepted;
    }),
  );

const takeHead = fc.tuple(lane, maybe(fc.constantFrom(1, 2)), maybe(token)).map(([lane, deaths, holder]) =>
  same(`take the head ${JSON.stringify({ lane, deaths, holder })}`, async ({ turns, runs, now }) => {
    const taken = await turns.takeHead(lane, now, deaths, holder);
    if (taken?.isTaken) runs.push(taken.turn);
    return taken;
  }),
);

/** The last run mostly, and one before it now and then. */
const save = fc
  .tuple(fc.constantFrom(1, 1, 1, 2, 3), progress, fc.boolean(), changes, fc.boolean())
  .map(([back, next, isSettled, some, mayBeLost]) =>
    same(`save ${JSON.stringify({ back, next, isSettled, some, mayBeLost })}`, async ({ turns, runs, now }) => {
      const run = runs.at(-back);
      if (!run) return 'nothing runs';
      const notBefore = next.stage === 'waiting' || next.stage === 'parked' ? now + 8 : undefined;
      // What is done is only written once more.
      const moved = run.stage === 'done' ? run : { ...run, ...next, notBefore };
      const saved = isSettled ? { ...moved, settled: run.fence } : moved;
      const isSaved = await turns.save(saved, some, mayBeLost);
      if (isSaved) runs[runs.length - back] = saved;
      return isSaved;
    }),
  );

/** A lane that is named too early is looked at in vain; one that is not named waits. */
function lookForDue(token: string | undefined): Command {
  const text = `due lanes, for ${token}`;
  return {
    check: () => true,
    async run(model, real) {
      const wanted = await model.turns.dueLanes(model.now, token, LANES);
      expect(await real.turns.dueLanes(real.now, token, LANES), text).toEqual(expect.arrayContaining(wanted));
    },
    toString: () => text,
  };
}

const inOrder = (lanes: string[]) => lanes.toSorted();

/** Half of all that is done moves a turn on. */
const all: fc.Arbitrary<Command>[] = [
  ...[accept, accept, takeHead, takeHead, takeHead, save, save, save],
  fc
    .tuple(id, fc.constantFrom('stopped', 'cancelled'))
    .map(([one, stage]) => same(`end ${one} as ${stage}`, ({ turns }) => turns.end(one, stage as 'stopped'))),
  fc
    .tuple(id, fc.constantFrom('one', 'another'))
    .map(([one, text]) => same(`revise ${one} to ${text}`, ({ turns }) => turns.revise(one, { ...SAID, text }))),
  user.map((one) => same(`unpark ${one}`, async ({ turns }) => inOrder(await turns.unpark(toPerson(one))))),
  maybe(token).map(lookForDue),
  fc.constant(
    same('look at all', async ({ turns, threads, personal, now }) => ({
      turns: await Promise.all(IDS.map((one) => turns.get(one))),
      heads: await Promise.all(LANES.map((one) => turns.head(one))),
      inLane: await Promise.all(LANES.map((one) => turns.inLane(one))),
      parked: [await turns.parked(), ...(await Promise.all(USERS.map((one) => turns.parked(toPerson(one)))))],
      dead: [await turns.deadLetters(1), await turns.deadLetters(10)],
      engaged: await Promise.all(USERS.map((one) => threads.isEngaged(THREAD, one))),
      conversations: await Promise.all([...USERS, 'UKIM'].map((one) => threads.conversation(THREAD, one))),
      counts: await turns
        .counts()
        .then(({ byStage, oldestAcceptedAt = 0 }) => [byStage, Math.min(oldestAcceptedAt, now)]),
      ofPeople: await Promise.all(USERS.map((one) => lookAt(toPerson(one), personal))),
    })),
  ),
  fc
    .tuple(lane, holder)
    .map(([lane, holder]) => same(`${holder} takes ${lane}`, async ({ leases }) => leases?.take(lane, holder))),
  fc
    .tuple(lane, holder)
    .map(([lane, holder]) =>
      same(`${holder} releases ${lane}`, async ({ leases }) => leases?.release([{ lane, holder }])),
    ),
  fc.oneof(
    workspace.map((one) => same(`purge ${one}`, ({ purge }) => purge(one))),
    user.map((one) => same(`forget ${one}`, ({ personal }) => personal.forget(toPerson(one)))),
  ),
  // Now and then the clock is set back.
  fc.constantFrom(5, 5, 5, -HOUR_MS).map(pass),
  fc.constant(restart),
];

/** By their time; of one moment in any order. */
async function lookAt(person: Person, personal: PersonalRecords) {
  const { spokenIn, conversations } = await personal.threads(person);
  const times = (await personal.turns(person)).map(({ id: one, acceptedAt, stage }) => ({ acceptedAt, one, stage }));
  return {
    ...{ spokenIn, conversations: conversations.map(({ conversation: { id: one } }) => one).toSorted() },
    ...{ times: times.map(({ acceptedAt }) => acceptedAt), turns: times.map((one) => JSON.stringify(one)).toSorted() },
  };
}

const SAID = { webSearch: true, links: [], unusable: [] };

export const turnCommands = fc.commands<Side, Real, false>(all, { maxCommands: 60, size: 'max' });
