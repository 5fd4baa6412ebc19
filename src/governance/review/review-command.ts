// `/assistant-admin review`: runs a review, and shows its progress and report in the direct messages.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Person } from '../../conversation/question.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Log } from '../../log.ts';
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { unlessAborted } from '../../time-limit.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminSignIn, buildAdminText, type FailurePorts, toFailureMessage } from '../shell/failure-message.ts';
import type { TimeZones } from '../shell/respond.ts';
import { type ReadyRegister, readApproved } from './approved-state.ts';
import { buildRegisterProblem, type ExportPorts, exportApproved } from './export-command.ts';
import type { ReportHead, Reports } from './report.ts';
import {
  buildFinished,
  buildInterrupted,
  buildOverdue,
  buildProgress,
  buildReport,
  type ShownProgress,
} from './report-views.ts';
import { type DirectMessage, openDirectMessage } from './review-direct-message.ts';
import type { Review } from './review-summary.ts';
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
  /** Aborted when the app begins to stop: a review takes longer than a stop waits. */
  stopping: AbortSignal;
  now: () => number;
};

/** Nothing has been read. */
const UNBEGUN: ShownProgress = { environments: undefined, drifting: 0, waiting: undefined };

/** A large tenant takes a few minutes; after an hour what was read first is out of date. */
const LIMIT_MS = 60 * 60_000;

/** Never throws: whatever ends it is said in the message that tells of it. */
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

function describeEnd(
  error: unknown,
  { shown, isLate, limitMs }: { shown: ShownProgress; isLate: boolean; limitMs: number },
  ports: RunPorts,
): Content {
  if (ports.stopping.aborted) return buildInterrupted(shown);
  return isLate ? buildOverdue(limitMs, shown) : toFailureMessage(error, ports).content;
}

type Sweeping = { shown: ShownProgress; ending: AbortSignal };

function sweep({ session, approved }: BegunReview, { shown, ending }: Sweeping, ports: RunPorts): Promise<Review> {
  const { changes, currency, now, log } = ports;
  const { register, registerHash } = approved;
  let unexpected = 0;
  const reading = { ...session, openLimits: () => openLimits({ session, changes, now }) };
  const reviewing = runReview(reading, {
    ...{ register, registerHash, currency, now },
    signal: ending,
    async wait(ms, signal, cause) {
      shown.waiting = { until: now() + ms, cause };
      await sleep(ms, undefined, { signal });
    },
    onProgress({ environments, drifting }) {
      Object.assign(shown, { environments, drifting });
    },
    onUnexpected(error) {
      // Where the store fails it fails for each of 20,000 agents alike.
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
  if (why !== undefined) await direct.post(buildAdminSignIn(ports.signInVariant, why));
}

const SIGN_IN_ENDED =
  'The administrative service did not accept your sign-in any more, so the review could not read everything. Sign in again, and give the command again.';

const FORBIDDEN =
  'The administrative service does not let your account list everything, so the review is not complete. Ask for the administrator role there, or sign in with an account that has it.';

function findSignInReason({ summary, gaps }: ReportHead): string | undefined {
  const reasons = [gaps.environments, gaps.agents];
  if ('admin_unauthorized' in summary.unreadable || reasons.includes('admin_unauthorized')) return SIGN_IN_ENDED;
  return reasons.includes('admin_forbidden') ? FORBIDDEN : undefined;
}

function logEnd({ team, user }: Caller, { id, at, endedAt, summary }: ReportHead, { log }: FailurePorts): void {
  const { isComplete, isCompliant, drifts } = summary;
  log.info({ team, user, report: id, ms: endedAt - at, isComplete, isCompliant, drifts }, 'review ended');
}

const BEGUN = 'I am reviewing everything. Follow it in our direct messages; the report comes there, too.';

const RUNS_ALREADY =
  'A review of yours runs already. Follow it in our direct messages; if nothing moves there for a minute, give the command again.';

const NO_DIRECT_MESSAGE =
  'I could not write to you in our direct messages, so nothing was done. Try again in a minute; if it happens again, tell whoever runs this app.';

const USAGE =
  '`/assistant-admin review` compares everything with the register, and `/assistant-admin review export` writes out the register with what was decided in Slack.';

export type ReviewCommandPorts = ClaimPorts & ExportPorts & RunPorts & TimeZones;

/** `/assistant-admin review [export]` */
export async function handleReviewCommand(rest: string, asking: Asking, ports: ReviewCommandPorts): Promise<void> {
  switch (rest.toLowerCase()) {
    case '':
      return review(asking, ports);
    case 'export':
      return exportApproved(asking, ports);
    default:
      await asking.say(buildAdminText(escapeMrkdwn(USAGE)));
  }
}

async function review({ caller, openSession, say }: Asking, ports: ReviewCommandPorts): Promise<void> {
  const approved = await readApproved(ports);
  if (approved.kind === 'unreadable_file') ports.log.error({ err: approved.error }, 'register not read');
  if (approved.kind !== 'ready') return void (await say(buildRegisterProblem(approved)));
  const [session, timeZone] = await Promise.all([openSession(), ports.timeZone(caller)]);
  const claim = await claimReview(caller, ports);
  if (claim === undefined) return void (await say(buildAdminText(RUNS_ALREADY)));
  try {
    const begun = await begin({ caller, session, approved, claim, timeZone }, ports);
    if (begun === undefined) return void (await say(buildAdminText(NO_DIRECT_MESSAGE)));
    await say(buildAdminText(BEGUN));
    await carryOutReview(begun, ports);
  } finally {
    await claim.release().catch((error: unknown) => ports.log.warn({ err: error }, 'review claim not released'));
  }
}

/** Undefined where the message that is to tell of it cannot be sent. */
async function begin(
  prepared: Omit<BegunReview, 'direct' | 'ts'>,
  ports: ReviewCommandPorts,
): Promise<BegunReview | undefined> {
  const { caller, claim, timeZone } = prepared;
  const content = buildProgress(UNBEGUN, { now: ports.now(), timeZone });
  try {
    const direct: DirectMessage = await openDirectMessage(caller, ports);
    if (claim.abandonedTs !== undefined) await direct.change(claim.abandonedTs, buildInterrupted());
    return { ...prepared, direct, ts: await direct.post(content) };
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'review not begun');
    return undefined;
  }
}

/** One review at a time per admin, across replicas. A killed one blocks the next for half a minute at most. */
export type ReviewClaim = {
  /** The progress message of an earlier review that was killed: it still says that it runs. */
  abandonedTs: string | undefined;
  /** Heartbeat, every few seconds. `messageTs`: of the progress message. */
  beat(messageTs: string): Promise<void>;
  release(): Promise<void>;
};

export type ClaimPorts = {
  /** Which reviews run, and the messages that tell of them. */
  reviewRuns: ExpiringStore;
  exclusively: WithLock;
  now: () => number;
};

/** `aliveAt`: epoch ms. */
type Run = { aliveAt: number; messageTs?: string | undefined };

/** Past this without a word it was killed. */
const ALIVE_MS = 30_000;

/** How long the message of one that was killed can still be put right. */
const KEPT_MS = 24 * 60 * 60_000;

/** Undefined: one runs. Throws where the store fails. */
export async function claimReview(
  { team, user }: Person,
  { reviewRuns, exclusively, now }: ClaimPorts,
): Promise<ReviewClaim | undefined> {
  const key = `review-run:${team}:${user}`;
  const put = (run: Run) => reviewRuns.put(key, JSON.stringify(run), run.aliveAt + KEPT_MS);
  return exclusively(key, async () => {
    const stored = await reviewRuns.peek(key);
    const before = stored === undefined ? undefined : (JSON.parse(stored) as Run);
    if (before !== undefined && now() - before.aliveAt < ALIVE_MS) return undefined;
    await put({ aliveAt: now() });
    return {
      abandonedTs: before?.messageTs,
      beat: (messageTs) => put({ aliveAt: now(), messageTs }),
      async release() {
        await reviewRuns.take(key);
      },
    };
  });
}

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

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
