import { setTimeout as pause } from 'node:timers/promises';
import { forgetOld, type Store } from '../backend/store.ts';
import { acceptTurn, type PlaceForTurn } from '../conversation/accept-turn.ts';
import { type Person, toPersonKey } from '../conversation/question.ts';
import { FAILED_RUN_MS, type RunLane } from '../delivery/dispatcher.ts';
import { drainLane } from '../delivery/lane.ts';
import { createScheduledQuestions, SCHEDULE_LANE, type ScheduledQuestions } from '../delivery/scheduled-questions.ts';
import { createShares, type Shares } from '../delivery/shares.ts';
import { createSweeper, SWEEPER_LANE } from '../delivery/sweeper.ts';
import type { LaneJob } from '../governance/schedule/lane-job.ts';
import { CONSUMPTION_LANE, later, REVIEW_LANE, RUN_LANE } from './later.ts';
import type { Services } from './services.ts';

const loadTurns = () => import('./connect-turns.ts');

/** The jobs besides questions. Undefined: not configured. */
type Jobs = {
  review: LaneJob | undefined;
  /** Records the consumption. */
  consumption: LaneJob | undefined;
  /** Carries out plans in the background. */
  runs: LaneJob | undefined;
};

/** How late the review and the consumption record may be after a lost wake-up. */
const REVIEW_REMINDER_MS = 10 * 60_000;

/** The same for runs, which an admin waits for, and for scheduled questions. */
const RUN_REMINDER_MS = 30_000;

export type Lanes = ReturnType<typeof connectLanes>;

/** The lanes of this process: questions, also scheduled ones, sweeper, scheduled review, consumption and runs of plans. */
export function connectLanes(services: Services, { review, consumption, runs }: Jobs) {
  const { backend, scheduling, telemetry, waitClock } = services;
  const { dispatcher, store, keepsWakeUps, sweepEveryMs, lookEveryMs } = backend;
  const jobs: Record<string, { job: LaneJob | undefined; remindEveryMs: number }> = {
    [REVIEW_LANE]: { job: review, remindEveryMs: REVIEW_REMINDER_MS },
    [CONSUMPTION_LANE]: { job: consumption, remindEveryMs: REVIEW_REMINDER_MS },
    [RUN_LANE]: { job: runs, remindEveryMs: RUN_REMINDER_MS },
    [SCHEDULE_LANE]: { job: scheduling, remindEveryMs: RUN_REMINDER_MS },
  };
  const timers: NodeJS.Timeout[] = [];
  let isDraining = false;
  const shares = createShares((lane) => void dispatcher.wake(lane));
  const questions = connectQuestions(services, shares, () => isDraining);
  const sweep = connectSweeper(services);

  /**
   * Begins lanes that are due at `at` because a wake-up was lost or a process died. False: the store cannot be read,
   * and the next look comes soon.
   */
  async function look(at: number, begin = dispatcher.remind): Promise<boolean> {
    const due = await store.turns.dueLanes(at, dispatcher.holder(), Object.keys(jobs)).catch(() => undefined);
    for (const lane of due ?? []) {
      if (!shares.isWaiting(lane) && begin(lane)) telemetry.metrics.laneRewoken();
    }
    return due !== undefined;
  }

  /** If wake-ups do not survive the process, wakes all lanes: each then sets its time again. */
  async function lookFirst(): Promise<void> {
    const wake = (lane: string) => {
      void dispatcher.wake(lane);
      return true;
    };
    const lookOnce = () => (keepsWakeUps ? look(waitClock()) : look(Number.MAX_SAFE_INTEGER, wake));
    while (!isDraining && !(await lookOnce())) await pause(FAILED_RUN_MS);
  }

  const run: RunLane = async (lane, isHeld, taken) => {
    if (lane === SWEEPER_LANE) return sweep();
    // Redis may still have a wake-up of a job that is no longer configured.
    if (Object.hasOwn(jobs, lane)) return jobs[lane]?.job?.run(isHeld);
    return questions.run(lane, isHeld, taken);
  };

  return {
    /** See AcceptPorts. */
    reserve(lane: string, asker: Person): PlaceForTurn | undefined {
      // A lane that waits for the share of somebody else has a turn, and would lose its place in that share.
      const place = shares.isWaiting(lane) ? undefined : dispatcher.reserve(lane);
      const person = toPersonKey(asker);
      if (!place || !shares.enter(lane, person)) {
        place?.release();
        return undefined;
      }
      const release = () => {
        shares.leave(person);
        place.release();
      };
      return { ...place, release };
    },
    /** Starts to run lanes. Resolves once all code for them is loaded. */
    async start(): Promise<void> {
      if (isDraining) return;
      const started = dispatcher.start(run, telemetry.metrics.laneStalled);
      dispatcher.wake(SWEEPER_LANE);
      void started.then(lookFirst);
      timers.push(setInterval(() => look(waitClock()), lookEveryMs));
      timers.push(setInterval(() => dispatcher.remind(SWEEPER_LANE), 3 * sweepEveryMs));
      for (const [lane, { job, remindEveryMs }] of Object.entries(jobs)) {
        if (!job) continue;
        dispatcher.wake(lane);
        timers.push(setInterval(() => dispatcher.remind(lane), remindEveryMs));
      }
      await Promise.all([started, questions.load()]);
    },
    /** Starts no more runs. Resolves with true when none is left, or with false after `deadlineMs`. */
    drain(deadlineMs: number): Promise<boolean> {
      isDraining = true;
      for (const timer of timers) clearInterval(timer);
      for (const { job } of Object.values(jobs)) job?.stop();
      const drained = dispatcher.drain(deadlineMs);
      shares.release();
      return drained;
    },
  };
}

function connectQuestions(
  services: Services,
  shares: Shares,
  isDraining: () => boolean,
): { load(): Promise<unknown>; run: RunLane } {
  const load = later(async () => {
    const { connectTurns } = await loadTurns();
    const { backend, running, waitClock } = services;
    const { store, dispatcher } = backend;
    return {
      turns: store.turns,
      running,
      suspects: createShares((lane) => void dispatcher.wake(lane), 1),
      shares,
      run: connectTurns(services),
      holder: dispatcher.holder,
      isDraining,
      waitClock,
    };
  });
  return {
    load,
    async run(lane, isHeld, taken) {
      const waitMs = await drainLane(lane, isHeld, await load(), taken);
      return waitMs === undefined ? undefined : services.now() + waitMs;
    },
  };
}

/** Scheduled questions. */
export function connectScheduling({
  backend,
  people,
  channels,
  now,
  log,
}: Omit<Services, 'scheduling'>): ScheduledQuestions {
  const { store, dispatcher } = backend;
  const wake = (lane: string) => void dispatcher.wake(lane);
  return createScheduledQuestions({
    schedules: store.schedules,
    accept: (id, question) => acceptTurn(id, question, { ...store, reserve: () => undefined, wake, now }),
    isLinked: (person) => isLinked(person, store),
    ...people,
    ...channels,
    wake,
    now,
    log,
  });
}

async function isLinked(person: Person, { links }: Pick<Store, 'links'>): Promise<boolean> {
  return Boolean((await links.get({ ...person, purpose: 'assistant' }))?.sealedTokens);
}

function connectSweeper({
  config,
  backend,
  identity,
  leavers,
  background,
  installations,
  now,
  log,
}: Services): () => Promise<number> {
  const { store, dispatcher, sweepEveryMs } = backend;
  return createSweeper({
    turns: store.turns,
    isLinked: (person) => isLinked(person, store),
    wake: (lane) => void dispatcher.wake(lane),
    everyMs: sweepEveryMs,
    lookForLeavers: () => background.start(() => leavers.sweep(background.stopping)),
    forgetOld() {
      // Not awaited: a slow Slack must not delay the sweeper.
      background.start(() => installations.reconcile(background.stopping));
      const { RETENTION_DAYS: days, LINK_RETENTION_DAYS: linkDays } = config;
      return forgetOld(store, now(), { days, linkDays, onForgotten: identity.directory.forget });
    },
    now,
    log,
  });
}
