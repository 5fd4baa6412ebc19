// Carries out the review of one admin: its progress and its report are shown in their direct messages.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Log } from '../../log.ts';
import type { Content } from '../../slack/views/content.ts';
import { unlessAborted } from '../../time-limit.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminSignIn, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import type { ReadyRegister } from './approved-state.ts';
import { buildFinished, buildInterrupted, buildOverdue, buildProgress, type ShownProgress } from './progress-views.ts';
import type { ReportHead, Reports } from './report.ts';
import { buildReport } from './report-views.ts';
import type { ReviewClaim } from './review-claim.ts';
import type { DirectMessage } from './review-direct-message.ts';
import { isInOrderAsTold, type Review } from './review-summary.ts';
import { openLimits, runReview } from './run-review.ts';

export type BegunReview = {
  caller: Caller;
  session: AdminSession;
  approved: ReadyRegister;
  claim: ReviewClaim;
  direct: DirectMessage;
  /** The message that tells of it. */
  ts: string;
  timeZone: string;
};

export type RunPorts = FailurePorts & {
  changes: Pick<ChangeStore, 'lastSet'>;
  reports: Reports;
  /** The credit currency that agents use. */
  currency: string;
  /** See JudgeOptions. */
  limitStaleMs: number;
  /** Aborted when the app begins to stop: a review takes longer than a stop waits. */
  stopping: AbortSignal;
  now: () => number;
};

/** Nothing has been read. */
export const UNBEGUN: ShownProgress = { environments: undefined, drifting: 0, waiting: undefined };

/** A large tenant takes a few minutes. After an hour the first values are out of date. */
const LIMIT_MS = 60 * 60_000;

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

const SIGN_IN_ENDED =
  'The administrative service did not accept your sign-in any more, so the review could not read everything. Sign in again, and give the command again.';

const FORBIDDEN =
  'The administrative service does not let your account list everything, so the review is not complete. Ask for the administrator role there, or sign in with an account that has it.';

/** Never throws: the progress message says how it ended. */
export async function carryOutReview(
  begun: BegunReview,
  ports: RunPorts,
  { limitMs = LIMIT_MS }: { limitMs?: number } = {},
): Promise<void> {
  const { caller, approved, direct, ts } = begun;
  const shown = { ...UNBEGUN };
  const stopTelling = startTelling({ ...begun, read: () => shown }, ports);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  try {
    const ending = AbortSignal.any([ports.stopping, late.signal]);
    const review = await unlessAborted(ending, sweep(begun, { shown, ending }, ports));
    const head = await ports.reports.keep(review, approved);
    await ports.reports.remember(caller, head.id);
    await report(head, begun, ports);
    await stopTelling();
    await direct.change(ts, buildFinished(head.endedAt - head.at));
    logEnd(caller, head, ports);
  } catch (error) {
    await stopTelling();
    await direct.change(ts, describeEnd(error, { shown, isLate: late.signal.aborted, limitMs }, ports));
  } finally {
    clearTimeout(timer);
  }
}

type Told = {
  direct: DirectMessage;
  /** The message that tells of the review. */
  ts: string;
  claim: ReviewClaim;
  timeZone: string;
  /** As it is when it is asked for. */
  read(): ShownProgress;
};

/**
 * Updates the progress message and keeps the claim until the returned function is called, which resolves when the last
 * update has finished.
 */
function startTelling(
  { direct, ts, claim, timeZone, read }: Told,
  { now, log }: { now: () => number; log: Log },
): () => Promise<void> {
  const end = new AbortController();
  const keepClaim = () => claim.beat(ts).catch((error: unknown) => log.warn({ err: error }, 'review claim not kept'));

  async function tell(): Promise<void> {
    await keepClaim();
    while (await waited(end.signal)) {
      await Promise.all([keepClaim(), direct.touch(ts, buildProgress(read(), { now: now(), timeZone }))]);
    }
  }

  const telling = tell();
  return async () => {
    end.abort();
    await telling;
  };
}

/** False: it was ended. */
function waited(signal: AbortSignal): Promise<boolean> {
  return sleep(EVERY_MS, true, { signal }).catch(() => false);
}

type Sweeping = { shown: ShownProgress; ending: AbortSignal };

function sweep({ session, approved }: BegunReview, { shown, ending }: Sweeping, ports: RunPorts): Promise<Review> {
  const { changes, currency, limitStaleMs, now, log } = ports;
  const { register, registerHash } = approved;
  let unexpected = 0;
  const reading = { ...session, openLimits: () => openLimits({ session, changes, now }) };
  const reviewing = runReview(reading, {
    ...{ register, registerHash, currency, limitStaleMs, now },
    signal: ending,
    async wait(ms, signal, cause) {
      shown.waiting = { until: now() + ms, cause };
      await sleep(ms, undefined, { signal });
    },
    onProgress({ environments, drifting }) {
      Object.assign(shown, { environments, drifting });
    },
    onUnexpected(error) {
      // Logged once: if the store fails, it fails for each of 20,000 agents.
      if (unexpected === 0) log.error({ err: error }, 'review could not read');
      unexpected += 1;
    },
  });
  return reviewing.finally(() => {
    if (unexpected > 1) log.error({ count: unexpected }, 'review could not read, again and again');
  });
}

/** A message of its own: an edit notifies nobody, and a review may take long enough to be forgotten. */
async function report(head: ReportHead, { direct, timeZone }: BegunReview, ports: RunPorts): Promise<void> {
  const first = head.pageCount === 0 ? undefined : await ports.reports.read(head.id, 0);
  const shown = first && { page: first.page, number: 0 };
  await direct.post(buildReport({ head, shown }, { timeZone }));
  const why = findSignInReason(head);
  if (why !== undefined) await direct.post(buildAdminSignIn(why));
}

function findSignInReason({ summary, gaps }: ReportHead): string | undefined {
  const reasons = [gaps.environments, gaps.agents];
  if ('admin_unauthorized' in summary.unreadable || reasons.includes('admin_unauthorized')) return SIGN_IN_ENDED;
  return reasons.includes('admin_forbidden') ? FORBIDDEN : undefined;
}

function describeEnd(
  error: unknown,
  { shown, isLate, limitMs }: { shown: ShownProgress; isLate: boolean; limitMs: number },
  ports: RunPorts,
): Content {
  if (ports.stopping.aborted) return buildInterrupted(shown);
  return isLate ? buildOverdue(limitMs, shown) : toFailureMessage(error, ports).content;
}

function logEnd({ team, user }: Caller, { id, at, endedAt, summary }: ReportHead, { log }: FailurePorts): void {
  const { isComplete, isCompliant, drifts } = summary;
  const isAsFarAsTold = isInOrderAsTold(summary);
  log.info(
    { team, user, report: id, ms: endedAt - at, isComplete, isCompliant, isAsFarAsTold, drifts },
    'review ended',
  );
}
