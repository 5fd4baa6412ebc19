// The lane of the scheduled review: held once for all replicas, late if it was missed, taken over if a replica died.
import { FIND_AFTER_MS } from '../../conversation/resume-turn.ts';
import { TransientError } from '../../errors.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { failed, notRead, ReviewNotDoneError, tookTooLong } from './problem-messages.ts';
import { type Attempt, attemptOnce, LaneLostError, writeWhileHeld } from './review-attempt.ts';
import { createScheduleRecords, type Outbox } from './schedule-records.ts';
import { isNotInstalled, type ScheduledServices } from './slack-delivery.ts';
import { lookAtAll, ReviewUnreadError } from './slack-look.ts';
import { sayProblem } from './slack-problem.ts';
import { sendAll, takeBack } from './slack-send.ts';

export type ScheduledReview = {
  /** Runs what is due, and returns when to look again (epoch ms; undefined: never). Never rejects. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Aborts what runs: another replica, or the next start, goes on with it. */
  stop(): void;
};

/** The pause before the next attempt after a failure. */
const RETRY_MS = 2 * 60_000;

/** How long an outage of the service or of Slack may last before people read that there is no review. */
const OUTAGE_PATIENCE_MS = 30 * 60_000;

/** A failure this long after the last one is a new outage. */
const OUTAGE_GAP_MS = 2 * 60 * 60_000;

const MOST_UNREAD = { code: 'review_unread', sentence: 'Most environments could not be read.' };

export function createScheduledReview(services: ScheduledServices): ScheduledReview {
  const { now, log, wait } = services;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  return {
    async run(isHeld) {
      const held = { ...services, once: writeWhileHeld(services.once, isHeld), isStopping };
      try {
        return await attemptOnce((attempt) => runDueReview(attempt, held), { isHeld, stopping: stopping.signal, wait });
      } catch (error) {
        if (isStopping()) return now();
        // The replica that has the lane now continues.
        if (error instanceof LaneLostError) return undefined;
        log.warn({ err: error }, 'scheduled review put off');
        return now() + RETRY_MS;
      }
    },
    stop: () => stopping.abort(),
  };
}

/**
 * One look of the lane: sends what the last run left, then runs what is due. Returns when to look again (epoch ms;
 * undefined: never). Rejects if it is to be tried again, if the lane is lost, and if the process stops.
 */
async function runDueReview(
  attempt: Attempt,
  { isStopping, ...services }: ScheduledServices & { isStopping: () => boolean },
): Promise<number | undefined> {
  const { schedule, now, log } = services;
  const records = createScheduleRecords(services);

  async function finishLeft(): Promise<void> {
    const left = await records.outbox();
    if (!left) return;
    await settleKept(left);
    // Slack may not list a message yet that was just posted.
    await attempt.wait(FIND_AFTER_MS);
    await finish(left);
  }

  /** Rejects only if it is to be tried again. */
  async function hold(due: number, holder: string): Promise<void> {
    try {
      const outbox = await lookAtAll({ due, holder }, attempt, services);
      const left = await records.outbox();
      // From here on nothing is read again: what was found is what is sent.
      await records.keep({ ...outbox, notices: [...(left?.notices ?? []), ...outbox.notices] });
    } catch (error) {
      await giveUp(error);
      return records.changeState(() => ({ settledAt: due }));
    }
    const outbox = await records.outbox();
    if (!outbox) return;
    await settleKept(outbox);
    await finish(outbox);
  }

  /** The outbox proves that its run was held, even if a replica died before this was written. */
  async function settleKept({ due }: Outbox): Promise<void> {
    await records.changeState(({ settledAt, keptAt }) =>
      keptAt === due ? {} : { settledAt: Math.max(settledAt, due), keptAt: due, unsent: [], failing: undefined },
    );
  }

  async function finish(outbox: Outbox): Promise<void> {
    const { due } = outbox;
    try {
      const sent = await sendAll(outbox, attempt, services);
      log.info({ due: new Date(due).toISOString(), ...sent }, 'scheduled review held');
      await records.changeState(() => ({ failing: undefined, said: [] }));
    } catch (error) {
      attempt.signal.throwIfAborted();
      await giveUp(error);
      await takeBack(outbox, { all: outbox.report === undefined }, services);
    }
  }

  /** Rejects if it is to be tried again, or if another replica has the lane. */
  async function giveUp(error: unknown): Promise<void> {
    if (isStopping() || error instanceof LaneLostError) throw error;
    if (!attempt.isHeld()) throw new LaneLostError();
    if (isNotInstalled(error)) return log.warn({ code: error.code }, 'no scheduled review');
    if (error instanceof TransientError && (await isPatient())) throw error;
    await sayProblem(toProblem(error), { nextAt: schedule.findNext(now()) }, services);
    await records.changeState(() => ({ failing: undefined }));
  }

  /** Counted across runs: a frequent review is due again before the patience with the last run is over. */
  async function isPatient(): Promise<boolean> {
    const failing = (await records.state())?.failing;
    const isSame = failing !== undefined && now() - failing.last < OUTAGE_GAP_MS;
    const since = isSame ? failing.since : now();
    await records.changeState(() => ({ failing: { since, last: now() } }));
    return now() - since < OUTAGE_PATIENCE_MS;
  }

  function toProblem(error: unknown): ReviewNotDoneError {
    if (error instanceof ReviewNotDoneError) return error;
    if (attempt.signal.aborted) return tookTooLong();
    const failure = error instanceof ReviewUnreadError ? MOST_UNREAD : toAdminFailure(error);
    return failure ? notRead(failure.code, failure.sentence) : failed(error);
  }

  await finishLeft();
  const state = await records.state();
  if (state === undefined) {
    await records.saveState({ settledAt: now(), keptAt: now(), unsent: [], said: [] });
    return schedule.findNext(now());
  }
  const due = schedule.findDue(state.settledAt, now());
  if (due !== undefined) await hold(due, String(state.keptAt));
  const next = schedule.findNext(now());
  if ((await records.outbox()) === undefined) return next;
  return Math.min(next ?? Number.POSITIVE_INFINITY, now() + RETRY_MS);
}
