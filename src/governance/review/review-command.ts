// `/assistant-admin review [words]`: one at a time per admin. Progress and findings are shown in their direct messages.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { buildButton, buildSection, type Content, toContent, toMrkdwnLine } from '../../slack/views/content.ts';
import { patiently, toCallCode, toRepeatable } from '../../slack/web/slack-errors.ts';
import { unlessAborted } from '../../time-limit.ts';
import type { ReadProgress } from '../plan/read-seen.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Asking, CommandWork } from '../shell/admin-shell.ts';
import { buildActions } from '../shell/blocks.ts';
import { buildAdminProblem, buildAdminText, toFailureMessage } from '../shell/failure-message.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { keepReview, showPage } from './kept-review.ts';
import { logReview, type Reviewed, type ReviewHead, type ReviewServices, runReview } from './review.ts';
import { REVIEW_ACTIONS } from './review-buttons.ts';
import { buildReviewMessage } from './review-views.ts';
import { createProgress } from './show-progress.ts';

export type SlackReviewServices = ReviewServices &
  Pick<GovernanceServices, 'audit' | 'channels' | 'log' | 'messenger' | 'once' | 'owners' | 'timeZone'>;

const BEGUN = 'I am reviewing. Follow it in our direct messages.';

const RUNS_ALREADY =
  'Your last review is still running. Follow it in our direct messages; if nothing moves there for a minute, give the command again.';

const NO_DIRECT_MESSAGE =
  'I could not write to you in our direct messages, so nothing was done. Try again in a minute.';

const EMPTY =
  'The policy is empty: nothing is approved yet, so there is nothing to compare with. Draft one from what is set now.';

const TOOK_TOO_LONG =
  'The review was given up after an hour: the administrative service answers too slowly. Nothing was changed.';

/** How long a review that was killed blocks the next one. */
const ALIVE_MS = 60_000;

/** A large tenant takes a few minutes. After an hour the first values are out of date. */
const LIMIT_MS = 60 * 60_000;

/** Long, because nobody waits for the answer to a click. */
const PATIENCE = { attempts: 5, leastMs: 1_000, longestMs: 60_000, kind: TransientError, canBeLeft: true };

/** `text`: what follows the command. `place`: the conversation that it was given in. */
export function reviewCommand(text: string, services: SlackReviewServices, place = ''): CommandWork {
  const run = (asking: Asking) => review(toSearchText(text), { ...asking, isDirect: place.startsWith('D') }, services);
  return { run, check: { forAuditors: true } };
}

async function review(
  words: string,
  { caller, openSession, say, isDirect }: Asking & { isDirect: boolean },
  services: SlackReviewServices,
): Promise<void> {
  const { once, createId, now, log } = services;
  // Also if there is nothing to compare, because the draft needs the sign-in.
  const session = await openSession();
  const { policy } = await services.policy.read();
  if (Object.keys(policy.entries).length === 0) return void (await say(buildEmpty()));
  const claim = { key: `review-run:${caller.team}:${caller.user}`, id: createId() };
  if ((await once.claim(claim.key, claim.id, now() + ALIVE_MS)) !== claim.id) {
    return void (await say(buildAdminText(RUNS_ALREADY)));
  }
  const beat = () => once.put(claim.key, claim.id, now() + ALIVE_MS);
  try {
    const message = await openMessage(caller, services);
    if (message === undefined) return void (await say(buildAdminText(NO_DIRECT_MESSAGE)));
    if (!isDirect) await say(buildAdminText(BEGUN));
    await carryOut({ caller, session, words, message, beat }, services);
  } finally {
    await once.take(claim.key).catch((error: unknown) => log.warn({ err: error }, 'review claim not released'));
  }
}

/** The progress message in the admin's direct messages. `post`: sends another message. */
type Message = {
  /** Tries once, and throws errors. */
  showProgress(content: Content): Promise<void>;
  /** Never throws. */
  change(content: Content): Promise<void>;
  post(content: Content): Promise<unknown>;
};

/** Undefined if it cannot be sent. If the outcome is unknown, it is sent again, so it may arrive twice. */
async function openMessage(
  { workspace, user }: Caller,
  { channels, messenger, log }: SlackReviewServices,
): Promise<Message | undefined> {
  try {
    const place = { workspace, channel: await channels.directMessage(workspace, user) };
    const send = <T>(call: () => Promise<T>) =>
      patiently(async () => {
        try {
          return await call();
        } catch (error) {
          throw toRepeatable('a review message', error);
        }
      }, PATIENCE);
    const post = (content: Content) => send(() => messenger.post(place, content));
    const ts = await post(buildProgress(undefined));
    return {
      showProgress: async (content) => void (await messenger.update(place, ts, content, 'extra')),
      async change(content) {
        await send(() => messenger.update(place, ts, content)).catch((error) =>
          log.warn({ code: toCallCode(error) }, 'review message not changed'),
        );
      },
      post,
    };
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'review not begun');
    return undefined;
  }
}

function buildEmpty(): Content {
  const button = { ...buildButton(REVIEW_ACTIONS.draft, 'Draft a policy…', 'draft'), style: 'primary' as const };
  return toContent([buildSection(EMPTY), ...buildActions([button])]);
}

/** `beat`: keeps the claim alive that blocks other reviews of this admin. */
type BegunReview = { caller: Caller; session: AdminSession; words: string; message: Message; beat(): Promise<void> };

/** Never throws: the progress message says how it ended. */
async function carryOut(begun: BegunReview, services: SlackReviewServices): Promise<void> {
  const { words, message, beat } = begun;
  const { stopping, log } = services;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LIMIT_MS).unref();
  const warn = (error: unknown) => log.warn({ code: toCallCode(error) }, 'review progress not shown');
  // If an update is not shown, the next one replaces it anyway.
  const { onProgress, end } = createProgress(
    (progress) => Promise.all([beat().catch(warn), message.showProgress(buildProgress(progress)).catch(warn)]),
    services,
  );
  try {
    const reviewing = runReview(begun.session, services, { words, onProgress });
    const reviewed = await unlessAborted(AbortSignal.any([stopping, late.signal]), reviewing);
    if (reviewed) await report(reviewed, begun, services);
    await end();
    await message.change(reviewed ? buildFinished(reviewed.head) : buildNothingFits(words));
  } catch (error) {
    await end();
    if (stopping.aborted) await message.change(buildInterrupted());
    else if (late.signal.aborted) await message.change(buildAdminProblem(TOOK_TOO_LONG));
    else await message.change(toFailureMessage(error, services).content);
  } finally {
    clearTimeout(timer);
  }
}

/** Posts a new message, because an edit notifies nobody, and a review may take so long that it is forgotten. */
async function report(
  reviewed: Reviewed,
  { caller, message }: BegunReview,
  services: SlackReviewServices,
): Promise<void> {
  const { team, user } = caller;
  const kept = await keepReview(reviewed, services);
  await logReview(reviewed.head, caller, services);
  const [shown, timeZone] = await Promise.all([showPage(kept, 0, caller, services), services.timeZone(caller)]);
  await message.post(buildReviewMessage(shown, { timeZone }));
  const { id, at, endedAt, compared, counts } = reviewed.head;
  services.log.info({ team, user, review: id, ms: endedAt - at, compared, ...counts }, 'review ended');
}

const BAR_LENGTH = 20;

/** `progress`: undefined while the inventory is read. */
export function buildProgress(progress: ReadProgress | undefined): Content {
  if (progress === undefined) return buildAdminText(':mag: *Review*: reading the inventory…');
  const { done, total } = progress;
  const filled = total === 0 ? BAR_LENGTH : Math.floor((done / total) * BAR_LENGTH);
  const bar = `${'▰'.repeat(filled)}${'▱'.repeat(BAR_LENGTH - filled)}`;
  const stuck = '_If this does not move for a minute, give the command again._';
  return buildAdminText(
    `:mag: *Review* ${bar} ${formatCredits(done)} of ${formatCount(total, 'environment')}\n${stuck}`,
  );
}

export function buildFinished({ at, endedAt, environments, agents }: ReviewHead): Content {
  const seconds = Math.max(1, Math.round((endedAt - at) / 1000));
  const read = `${formatCount(environments, 'environment')} and ${formatCount(agents, 'agent')}`;
  return buildAdminText(`:mag: *Review*: read ${read} in ${formatCount(seconds, 'second')}.`);
}

/** Nothing was changed: a review only reads. */
export function buildInterrupted(): Content {
  return buildAdminText(':x: *Review*: interrupted, because the app was stopped. Give the command again.');
}

function buildNothingFits(words: string): Content {
  return buildAdminText(
    `Nothing fits “${toMrkdwnLine(words, 100)}”: no environment and no agent. Nothing was reviewed.`,
  );
}
