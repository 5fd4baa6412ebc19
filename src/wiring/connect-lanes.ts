import { runTurn } from '../conversation/run-turn.ts';
import type { Turn } from '../conversation/turn.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { RunLane } from '../delivery/dispatcher.ts';
import { createSuspects, drainLane, type RunningTurns } from '../delivery/lane.ts';
import { createSweeper, SWEEPER_LANE } from '../delivery/sweeper.ts';
import type { ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import type { Identity } from '../identity/identity.ts';
import { forgetOld } from '../storage/store.ts';
import type { Telemetry } from './connect-telemetry.ts';
import { later, REVIEW_LANE } from './later.ts';
import type { Parts } from './parts.ts';

const loadTurns = () => import('./connect-turns.ts');

/** The lanes of this process: those of questions, the sweeper's and the scheduled review's. */
export type Lanes = {
  /** Loads what a question needs to be run. The first question does so itself where it has not been done. */
  load(): Promise<unknown>;
  start(): void;
  /** Begins nothing more, and resolves when nothing runs any more or the time (ms) is up. True: nothing runs. */
  drain(deadlineMs: number): Promise<boolean>;
};

type Rest = {
  identity: Identity;
  running: RunningTurns;
  background: BackgroundWork;
  telemetry: Telemetry;
  /** Undefined where none is configured. */
  review: ScheduledReview | undefined;
  /** Ends what has ended without our hearing of it: see Installations. */
  reconcileInstallations(stopping: AbortSignal): Promise<void>;
};

/** What wakes the review's lane may be lost, as with all others; nobody waits for it to the minute. */
const REVIEW_REMINDER_MS = 10 * 60_000;

export function connectLanes(parts: Parts, rest: Rest): Lanes {
  const { dispatcher, sweepEveryMs } = parts.backend;
  const { review } = rest;
  const reminders: NodeJS.Timeout[] = [];
  let isDraining = false;
  const questions = connectQuestions(parts, rest, () => isDraining);
  const sweep = connectSweeper(parts, rest);

  async function run(lane: string, isHeld: () => boolean): Promise<number | undefined> {
    if (lane === SWEEPER_LANE) return sweep();
    // Redis may still know of a review that is not configured any more.
    if (lane === REVIEW_LANE) return review?.run(isHeld);
    return questions.run(lane, isHeld);
  }

  return {
    load: questions.load,
    start() {
      dispatcher.start(run, rest.telemetry.laneEvent);
      dispatcher.wake(SWEEPER_LANE);
      // What finds lost wake-ups must not hang on one itself.
      reminders.push(setInterval(() => dispatcher.remind(SWEEPER_LANE), 3 * sweepEveryMs));
      if (!review) return;
      dispatcher.wake(REVIEW_LANE);
      reminders.push(setInterval(() => dispatcher.remind(REVIEW_LANE), REVIEW_REMINDER_MS));
    },
    drain(deadlineMs) {
      isDraining = true;
      for (const reminder of reminders) clearInterval(reminder);
      review?.stop();
      return dispatcher.drain(deadlineMs);
    },
  };
}

function connectQuestions(
  parts: Parts,
  { identity, running, telemetry }: Rest,
  isDraining: () => boolean,
): { load(): Promise<unknown>; run: RunLane } {
  const load = later(async () => {
    const { connectTurns } = await loadTurns();
    const runPorts = connectTurns(parts, identity, telemetry.tell);
    return {
      turns: parts.backend.store.turns,
      running,
      suspects: createSuspects((lane) => void parts.backend.dispatcher.wake(lane)),
      run: (turn: Turn, signal: AbortSignal, isHeld: () => boolean) => runTurn(turn, { ...runPorts, isHeld }, signal),
      isDraining,
      now: parts.now,
    };
  });
  return { load, run: async (lane, isHeld) => drainLane(lane, isHeld, await load()) };
}

function connectSweeper(
  { backend, now, log }: Parts,
  { background, reconcileInstallations }: Rest,
): () => Promise<number> {
  const { store, dispatcher, sweepEveryMs } = backend;
  return createSweeper({
    turns: store.turns,
    isLinked: async (person) => Boolean((await store.links.get({ ...person, purpose: 'assistant' }))?.sealedTokens),
    wake: (lane) => void dispatcher.wake(lane),
    remind: dispatcher.remind,
    everyMs: sweepEveryMs,
    forgetOld() {
      // Not waited for: a Slack that hangs must not keep the sweeper from its lanes.
      background.start(() => reconcileInstallations(background.stopping));
      return forgetOld(store, now());
    },
    now,
    log,
  });
}
