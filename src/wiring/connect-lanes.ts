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

/** The lanes of this process: questions, sweeper and scheduled review. */
export type Lanes = {
  /** Preloads the code that runs questions. Otherwise the first question loads it. */
  load(): Promise<unknown>;
  start(): void;
  /** Starts no more runs. Resolves with true when none is left, with false after the time (ms). */
  drain(deadlineMs: number): Promise<boolean>;
};

type Rest = {
  identity: Identity;
  running: RunningTurns;
  background: BackgroundWork;
  telemetry: Telemetry;
  /** Undefined where none is configured. */
  review: ScheduledReview | undefined;
  /** See Installations.reconcile. */
  reconcileInstallations(stopping: AbortSignal): Promise<void>;
};

/** How late the review may be if its wake-up was lost. */
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
      // The sweeper finds lost wake-ups, so its own must not depend on one.
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
      // Not awaited: a slow Slack must not delay the sweeper.
      background.start(() => reconcileInstallations(background.stopping));
      return forgetOld(store, now());
    },
    now,
    log,
  });
}
