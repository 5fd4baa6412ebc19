import { forgetOld } from '../backend/store.ts';
import type { BackgroundWork } from '../delivery/background-work.ts';
import type { RunLane } from '../delivery/dispatcher.ts';
import { createSuspects, drainLane, type RunningTurns } from '../delivery/lane.ts';
import { createShares, type Shares } from '../delivery/shares.ts';
import { createSweeper, SWEEPER_LANE } from '../delivery/sweeper.ts';
import type { BulkRuns } from '../governance/bulk/slack-bulk-run.ts';
import type { ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';
import type { Identity } from '../identity/identity.ts';
import type { Leavers } from '../identity/leavers.ts';
import type { Telemetry } from './connect-telemetry.ts';
import { BULK_LANE, CONSUMPTION_LANE, later, REVIEW_LANE } from './later.ts';
import type { Parts } from './parts.ts';

const loadTurns = () => import('./connect-turns.ts');

/** The lanes of this process: questions, sweeper, scheduled review, consumption and bulk changes. */
export type Lanes = {
  /** Starts to run what is waiting. Resolves once all code for it is loaded. */
  start(): Promise<unknown>;
  /** Starts no more runs. Resolves with true when none is left, with false after the time (ms). */
  drain(deadlineMs: number): Promise<boolean>;
};

type Rest = {
  identity: Identity;
  leavers: Leavers;
  running: RunningTurns;
  background: BackgroundWork;
  telemetry: Telemetry;
  /** Undefined where none is configured. */
  review: ScheduledReview | undefined;
  /** Records what was used; undefined where no review is configured. */
  consumption: ScheduledReview | undefined;
  /** See Governance.settleChanges. */
  settleChanges(stopping: AbortSignal): Promise<void>;
  /** Undefined where there is no administrative interface. */
  bulk: BulkRuns | undefined;
  /** See Installations.reconcile. */
  reconcileInstallations(stopping: AbortSignal): Promise<void>;
};

/** How late the review and the record of consumption may be if a wake-up was lost. */
const REVIEW_REMINDER_MS = 10 * 60_000;

/** The same of a bulk change, which an admin waits for. */
const BULK_REMINDER_MS = 30_000;

export function connectLanes(parts: Parts, rest: Rest): Lanes {
  const { dispatcher, sweepEveryMs } = parts.backend;
  const { review, consumption, bulk } = rest;
  const jobs: Record<string, { job: BulkRuns | undefined; remindEveryMs: number }> = {
    [REVIEW_LANE]: { job: review, remindEveryMs: REVIEW_REMINDER_MS },
    [CONSUMPTION_LANE]: { job: consumption, remindEveryMs: REVIEW_REMINDER_MS },
    [BULK_LANE]: { job: bulk, remindEveryMs: BULK_REMINDER_MS },
  };
  const reminders: NodeJS.Timeout[] = [];
  let isDraining = false;
  const shares = createShares((lane) => void dispatcher.wake(lane));
  const questions = connectQuestions(parts, { ...rest, shares }, () => isDraining);
  const sweep = connectSweeper(parts, { ...rest, shares });

  async function run(lane: string, isHeld: () => boolean): Promise<number | undefined> {
    if (lane === SWEEPER_LANE) return sweep();
    // Redis may still know of one that is not configured any more.
    if (Object.hasOwn(jobs, lane)) return jobs[lane]?.job?.run(isHeld);
    return questions.run(lane, isHeld);
  }

  return {
    async start() {
      if (isDraining) return;
      const started = dispatcher.start(run, rest.telemetry.laneEvent);
      dispatcher.wake(SWEEPER_LANE);
      // The sweeper finds lost wake-ups, so its own must not depend on one.
      reminders.push(setInterval(() => dispatcher.remind(SWEEPER_LANE), 3 * sweepEveryMs));
      for (const [lane, { job, remindEveryMs }] of Object.entries(jobs)) {
        if (!job) continue;
        dispatcher.wake(lane);
        reminders.push(setInterval(() => dispatcher.remind(lane), remindEveryMs));
      }
      await Promise.all([started, questions.load()]);
    },
    drain(deadlineMs) {
      isDraining = true;
      for (const reminder of reminders) clearInterval(reminder);
      for (const { job } of Object.values(jobs)) job?.stop();
      const drained = dispatcher.drain(deadlineMs);
      shares.release();
      return drained;
    },
  };
}

function connectQuestions(
  parts: Parts,
  { identity, running, telemetry, shares }: Rest & { shares: Shares },
  isDraining: () => boolean,
): { load(): Promise<unknown>; run: RunLane } {
  const load = later(async () => {
    const { connectTurns } = await loadTurns();
    return {
      turns: parts.backend.store.turns,
      running,
      suspects: createSuspects((lane) => void parts.backend.dispatcher.wake(lane)),
      shares,
      run: connectTurns(parts, identity, telemetry.tell),
      isDraining,
      now: parts.now,
    };
  });
  return { load, run: async (lane, isHeld) => drainLane(lane, isHeld, await load()) };
}

function connectSweeper(
  { config, backend, now, log }: Parts,
  { identity, leavers, background, settleChanges, reconcileInstallations, shares }: Rest & { shares: Shares },
): () => Promise<number> {
  const { store, dispatcher, sweepEveryMs } = backend;
  return createSweeper({
    turns: store.turns,
    isLinked: async (person) => Boolean((await store.links.get({ ...person, purpose: 'assistant' }))?.sealedTokens),
    wake: (lane) => void dispatcher.wake(lane),
    remind(lane) {
      if (!shares.isWaiting(lane)) dispatcher.remind(lane);
    },
    everyMs: sweepEveryMs,
    settleChanges: () => background.start(() => settleChanges(background.stopping)),
    lookForLeavers: () => background.start(() => leavers.sweep(background.stopping)),
    forgetOld() {
      // Not awaited: a slow Slack must not delay the sweeper.
      background.start(() => reconcileInstallations(background.stopping));
      const { RETENTION_DAYS: days, LINK_RETENTION_DAYS: linkDays } = config;
      return forgetOld(store, now(), { days, linkDays, onForgotten: identity.directory.forget });
    },
    now,
    log,
  });
}
