// Short histories that the simulation and the real app both play, and what people then see. They say what the simulation's
// histories say, only that most of it happens at a step of a turn instead of at a time.
import type { Act } from '../simulation/history.ts';
import type { Step } from './steps.ts';

type Timeless<One> = One extends Act ? Omit<One, 'at'> : never;

export type Doing = Timeless<Act>;

/** How a single call fails, as the sandbox calls it. */
export type Failure = 'rateLimited' | 'status' | 'resetAfterProcessing' | '503-retry-after' | '504-html';

/** Happens at the first such step that comes after those before it in the list. */
export type Strike = { at: Step; acts: Doing[]; failure?: Failure };

export type ShortHistory = {
  name: string;
  /** Two have one store together. */
  replicas: 1 | 2;
  begins: Doing[];
  strikes?: Strike[];
  /** In the order in which it stands in the thread. */
  sees: string[];
};

const user = 'UANA';

const ask = (question: number, asker = user, inThreadOf?: number): Doing => ({
  ...{ kind: 'ask', question, user: asker, channel: 'C0HALL', inThreadOf },
});
const kill = (replica = 0, downMs = 2_000): Doing => ({ kind: 'kill', replica, downMs });
const at = (step: Step, ...acts: Doing[]) => ({ at: step, acts });

const play = (name: string, begins: Doing[], sees: string, more: Partial<ShortHistory> = {}): ShortHistory => ({
  ...{ name, begins, replicas: 1, sees: [`q0: ${sees}`], ...more },
});

/** One question, and what happens at one step of it. */
const strike = (name: string, step: Step, act: Doing, sees: string) =>
  play(name, [ask(0)], sees, { strikes: [at(step, act)] });

const fail = (name: string, step: Step, failure: Failure, sees = 'answer') =>
  play(name, [ask(0)], sees, { strikes: [{ at: step, acts: [], failure }] });

/** A second question comes while the first is asked, and then something happens to it. */
const behind = (name: string, acts: Doing[], sees: string[]) =>
  play(name, [ask(0)], '', { strikes: [at('service asked', ask(1, 'UBEN', 0), ...acts)], sees });

/** The only one dies at a step, and one that was down before is started. */
const takeOver = (name: string, step: Step, sees: string) =>
  play(name, [kill(1, 5_000), ask(0)], sees, { replicas: 2, strikes: [at(step, kill(0, 60_000))] });

export const SHORT_HISTORIES: readonly ShortHistory[] = [
  play('all is well', [ask(0)], 'answer'),
  play('the app is down when it is asked', [kill(), ask(0)], 'answer'),
  play(
    'Slack sends it again: the process stands still',
    [{ kind: 'freeze', replica: 0, forMs: 8_000 }, ask(0)],
    'answer',
  ),
  play('the store is away', [{ kind: 'power_cut', downMs: 2_000 }, ask(0)], 'answer', { replicas: 2 }),
  play('signed out', [{ kind: 'sign_out', user }, ask(0), { kind: 'sign_in', user }], 'answer'),
  strike('killed between accepting and asking', 'service created', kill(), 'answer'),
  strike('killed while it asks', 'service asked', kill(), 'interrupted'),
  strike('killed before the answer is stored', 'service answered', kill(), 'interrupted'),
  strike('killed before the reply is posted', 'slack called chat.postMessage', kill(), 'answer'),
  strike('killed once the reply is posted', 'slack processed chat.postMessage', kill(), 'answer'),
  takeOver('another replica takes over before it is asked', 'service created', 'answer'),
  takeOver('another replica takes over while it is asked', 'service asked', 'interrupted'),
  fail('Slack says 429', 'slack called chat.postMessage', 'rateLimited'),
  fail('Slack says 503', 'slack called chat.postMessage', 'status'),
  fail("Slack's answer is lost", 'slack processed chat.postMessage', 'resetAfterProcessing'),
  fail('the service says 503', 'service asked', '503-retry-after'),
  fail('the service does not answer in time', 'service answered', '504-html', 'outcome_unknown'),
  strike('edited while it is asked', 'service asked', { kind: 'edit', of: 0 }, 'answer'),
  strike('stopped while it is asked', 'service asked', { kind: 'stop', of: 0 }, 'stopped'),
  play('deleted while it is asked', [ask(0)], 'answer', {
    strikes: [
      at('slack processed chat.postMessage', ask(1, 'UBEN', 0)),
      at('service asked', { kind: 'delete', of: 1 }),
    ],
  }),
  behind('two in one thread', [], ['q0: answer', 'q1: answer']),
  behind('edited while it waits', [{ kind: 'edit', of: 1 }], ['q0: answer', 'q1: answer, as edited']),
  behind('deleted while it waits', [{ kind: 'delete', of: 1 }], ['q0: answer']),
  behind('killed while one waits', [kill()], ['q0: interrupted', 'q1: answer']),
];
