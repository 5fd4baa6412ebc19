// The lane of the scheduled review: held once for all replicas, late if it was missed, taken over if a replica died.
import { FIND_AFTER_MS } from '../../conversation/resume-turn.ts';
import { TransientError } from '../../errors.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { type Attempt, createLaneJob, type LaneJob, LaneLostError } from './lane-job.ts';
import { notDone, notRead, ReviewNotDoneError, UNREAD } from './problem-messages.ts';
import { type Outbox, openProgress } from './schedule-state.ts';
import { isNotInstalled, type ScheduledServices } from './slack-delivery.ts';
import { lookAtAll } from './slack-look.ts';
import { sayProblem, sendAll } from './slack-send.ts';

/** The pause before the next attempt after a failure. */
const RETRY_MS = 2 * 60_000;

/** How long an outage of the service or of Slack may last before people read that there is no review. */
const OUTAGE_PATIENCE_MS = 30 * 60_000;

/** A failure this long after the last one is a new outage. */
const OUTAGE_GAP_MS = 2 * 60 * 60_000;

export function createScheduledReview(services: ScheduledServices): LaneJob {
  const options = { ...services, retryMs: RETRY_MS, failed: 'scheduled review put off' };
  return createLaneJob((attempt) => runDueReview(attempt, services), options);
}

/**
 * One look of the lane: sends what the last run left, then runs what is due. Returns when to look again (epoch ms;
 * undefined: never). Rejects if it is to be tried again, if the lane is lost, and if the process stops.
 */
async function runDueReview(attempt: Attempt, services: ScheduledServices): Promise<number | undefined> {
  const { schedule, now, log } = services;
  const progress = await openProgress(services, attempt);
  if (progress.isFirst) return schedule.findNext(now());
  if (progress.state.outbox) {
    // Slack may not list a message yet that was just posted.
    await attempt.wait(FIND_AFTER_MS);
    await finish();
  }
  const due = schedule.findDue(progress.state.settledAt, now());
  if (due !== undefined) await hold(due);
  const next = schedule.findNext(now());
  if (progress.state.outbox === undefined) return next;
  return Math.min(next ?? Number.POSITIVE_INFINITY, now() + RETRY_MS);

  /** Rejects only if it is to be tried again. */
  async function hold(due: number): Promise<void> {
    try {
      const found = await lookAtAll(due, progress.state, attempt, services);
      const notices = [...(progress.state.outbox?.notices ?? []), ...found.notices];
      // From here on, nothing is read again: exactly this is sent.
      const outbox = { ...found, notices };
      await progress.change({ outbox, settledAt: due, failing: undefined });
    } catch (error) {
      await giveUp(error);
      return progress.change({ settledAt: due });
    }
    await finish();
  }

  async function finish(): Promise<void> {
    try {
      const sent = await sendAll(progress, attempt, services);
      log.info(sent, 'scheduled review held');
    } catch (error) {
      attempt.signal.throwIfAborted();
      await giveUp(error);
      await progress.change({ outbox: takeBack(progress.state.outbox) });
    }
  }

  /** Rejects if it is to be tried again, or if another replica has the lane. */
  async function giveUp(error: unknown): Promise<void> {
    if (attempt.isStopping() || error instanceof LaneLostError) throw error;
    if (!attempt.isHeld()) throw new LaneLostError();
    if (isNotInstalled(error)) return log.warn({ code: error.code }, 'no scheduled review');
    if (error instanceof TransientError && (await isPatient())) throw error;
    const said = await sayProblem(toProblem(error), progress.state.said, services);
    await progress.change({ said, failing: undefined });
  }

  /** Counted across runs: a frequent review is due again before the patience with the last run is over. */
  async function isPatient(): Promise<boolean> {
    const { failing } = progress.state;
    const isSame = failing !== undefined && now() - failing.last < OUTAGE_GAP_MS;
    const since = isSame ? failing.since : now();
    await progress.change({ failing: { since, last: now() } });
    return now() - since < OUTAGE_PATIENCE_MS;
  }

  function toProblem(error: unknown): ReviewNotDoneError {
    if (error instanceof ReviewNotDoneError) return error;
    if (attempt.signal.aborted) return notDone('took_too_long');
    if (error instanceof TransientError && error.code === UNREAD) return notDone(UNREAD);
    const failure = toAdminFailure(error);
    return failure ? notRead(failure) : notDone('failed', [], { cause: error });
  }
}

/** Drops what this run found, because the next one finds it again. Keeps what earlier runs still have to send. */
function takeBack({ due, report, notices }: Outbox = { due: 0, notices: [] }): Outbox | undefined {
  const earlier = report === undefined ? [] : notices.filter((notice) => notice.due !== due);
  return earlier.length === 0 ? undefined : { due, notices: earlier };
}
