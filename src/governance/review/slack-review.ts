// Carries out the review of one admin: its progress and what it found are shown in their direct messages.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import { retry } from '../../retry.ts';
import { type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { unlessAborted } from '../../time-limit.ts';
import type { ReadProgress } from '../plan/read-seen.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminProblem, buildAdminText, toFailureMessage } from '../shell/failure-message.ts';
import { createReviewKeeper } from './kept-review.ts';
import { buildFinished, buildInterrupted, buildProgress } from './progress-views.ts';
import type { ReviewHead } from './review.ts';
import { buildReviewMessage } from './review-views.ts';
import { type Reviewed, type ReviewServices, runReview } from './run-review.ts';
import { readPage } from './shown-review.ts';

/** `ts`: of the message in their direct messages that shows how far it is. `beat`: keeps other reviews of theirs away. */
export type BegunReview = {
  caller: Caller;
  session: AdminSession;
  words: string;
  channel: string;
  ts: string;
  beat(): Promise<void>;
};

export type SlackReviewServices = ReviewServices &
  Pick<GovernanceServices, 'audit' | 'channels' | 'log' | 'messenger' | 'once' | 'owners' | 'timeZone'>;

/** A large tenant takes a few minutes. After an hour the first values are out of date. */
const LIMIT_MS = 60 * 60_000;

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

const TOOK_TOO_LONG =
  'The review was given up after an hour: the administrative service answers too slowly. Nothing was changed.';

/** Never throws: the progress message says how it ended. */
export async function carryOutReview(begun: BegunReview, services: SlackReviewServices): Promise<void> {
  const { words, channel, ts, caller } = begun;
  const { stopping, messenger, log } = services;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LIMIT_MS).unref();
  const change = (content: Content) =>
    patiently(() => messenger.update({ workspace: caller.workspace, channel }, ts, content), services).catch((error) =>
      log.warn({ code: toCallCode(error) }, 'review message not changed'),
    );
  let progress: ReadProgress | undefined;
  const stopShowing = startShowing(begun, () => progress, services);
  try {
    const onProgress = (now: ReadProgress) => {
      progress = now;
    };
    const reviewing = runReview(begun.session, services, { words, onProgress });
    const reviewed = await unlessAborted(AbortSignal.any([stopping, late.signal]), reviewing);
    if (reviewed) await report(reviewed, begun, services);
    await stopShowing();
    await change(reviewed ? buildFinished(reviewed.head) : buildNothingFits(words));
  } catch (error) {
    await stopShowing();
    if (stopping.aborted) await change(buildInterrupted());
    else if (late.signal.aborted) await change(buildAdminProblem(TOOK_TOO_LONG));
    else await change(toFailureMessage(error, services).content);
  } finally {
    clearTimeout(timer);
  }
}

/** A message of its own: an edit notifies nobody, and a review may take long enough to be forgotten. */
async function report(
  reviewed: Reviewed,
  { caller, channel }: BegunReview,
  services: SlackReviewServices,
): Promise<void> {
  const { workspace, team, user } = caller;
  const kept = await createReviewKeeper(services.once).keep(reviewed);
  await logReview(reviewed.head, caller, services);
  const [shown, timeZone] = await Promise.all([readPage(kept, 0, caller, services), services.timeZone(caller)]);
  const content = buildReviewMessage(shown, { timeZone });
  await patiently(() => services.messenger.post({ workspace, channel }, content), services);
  const { id, at, endedAt, compared, counts } = reviewed.head;
  services.log.info({ team, user, review: id, ms: endedAt - at, compared, ...counts }, 'review ended');
}

/** Who looked at what: ids and figures. Throws StoreUnavailableError. */
export async function logReview(
  { id, words, policy, compared, counts, endedAt }: ReviewHead,
  { team, workspace, user }: Pick<Caller, 'team' | 'workspace' | 'user'>,
  { audit }: Pick<GovernanceServices, 'audit'>,
): Promise<void> {
  await audit.append({
    ...{ schema: 1, at: endedAt, what: 'review_run', who: { user }, team, workspace, subject: {}, policy },
    after: { review: id, policy, compared, ...counts, ...(words !== '' && { words }) },
    outcome: { kind: 'done' },
    requestIds: [],
  });
}

function buildNothingFits(words: string): Content {
  return buildAdminText(
    `Nothing fits “${toMrkdwnLine(words, 100)}”: no environment and no agent. Nothing was reviewed.`,
  );
}

/** Updates the progress message until the returned function is called, which resolves when the last update has ended. */
function startShowing(
  { caller: { workspace }, channel, ts, beat }: BegunReview,
  read: () => ReadProgress | undefined,
  { messenger, log }: SlackReviewServices,
): () => Promise<void> {
  const end = new AbortController();
  const waited = () => sleep(EVERY_MS, true, { signal: end.signal }).catch(() => false);
  const warn = (error: unknown) => log.warn({ code: toCallCode(error) }, 'review progress not shown');

  async function show(): Promise<void> {
    while (await waited()) {
      // The next one says more.
      const showing = messenger.update({ workspace, channel }, ts, buildProgress(read()), 'extra');
      await Promise.all([beat().catch(warn), showing.catch(warn)]);
    }
  }

  const showing = show();
  return async () => {
    end.abort();
    await showing;
  };
}

const MAX_ATTEMPTS = 5;
const MAX_WAIT_MS = 20_000;
const FIRST_WAIT_MS = 1_000;

/** Nobody waits for an answer to a click. A message whose outcome is unknown is sent again: at least once. */
export function patiently<T>(
  attempt: () => Promise<T>,
  { stopping }: Pick<GovernanceServices, 'stopping'>,
): Promise<T> {
  return retry(attempt, (error, failures) => {
    const isWorthIt = error instanceof TransientError || error instanceof OutcomeUnknownError;
    if (!isWorthIt || failures === MAX_ATTEMPTS || stopping.aborted) return undefined;
    const waitMs = error instanceof TransientError ? error.retryAfterMs : undefined;
    return Math.min(MAX_WAIT_MS, waitMs ?? FIRST_WAIT_MS * failures);
  });
}
