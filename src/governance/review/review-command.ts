// `/assistant-admin review [words]`: begins a review, one at a time per admin.
import { buildButton, buildSection, type Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Asking, CommandWork } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { toSearchText } from '../shell/typed-text.ts';
import { buildProgress } from './progress-views.ts';
import { REVIEW_ACTIONS } from './review-buttons.ts';
import { carryOutReview, patiently, type SlackReviewServices } from './slack-review.ts';

const BEGUN = 'I am reviewing. Follow it in our direct messages.';

const RUNS_ALREADY =
  'A review of yours runs already. Follow it in our direct messages; if nothing moves there for a minute, give the command again.';

const NO_DIRECT_MESSAGE =
  'I could not write to you in our direct messages, so nothing was done. Try again in a minute.';

const EMPTY =
  'The policy is empty: nothing is approved yet, so there is nothing to compare with. Draft one from what is set now.';

/** A review that was killed keeps the next one away for so long. */
const ALIVE_MS = 30_000;

/** `text`: behind the command. `place`: the conversation that it was given in. */
export function reviewCommand(text: string, services: SlackReviewServices, place = ''): CommandWork {
  const run = (asking: Asking) => review(toSearchText(text), { ...asking, isDirect: place.startsWith('D') }, services);
  return { run, forAuditors: true };
}

async function review(
  words: string,
  { caller, openSession, say, isDirect }: Asking & { isDirect: boolean },
  services: SlackReviewServices,
): Promise<void> {
  const { once, createId, now, log } = services;
  // Also where there is nothing to compare: what comes next needs the sign-in.
  const session = await openSession();
  const { policy } = await services.policy.read();
  if (Object.keys(policy.entries).length === 0) return void (await say(buildEmpty()));
  const claim = { key: `review-run:${caller.team}:${caller.user}`, id: createId() };
  if ((await once.claim(claim.key, claim.id, now() + ALIVE_MS)) !== claim.id) {
    return void (await say(buildAdminText(RUNS_ALREADY)));
  }
  const beat = () => once.put(claim.key, claim.id, now() + ALIVE_MS);
  try {
    const message = await postProgress(caller, services);
    if (message === undefined) return void (await say(buildAdminText(NO_DIRECT_MESSAGE)));
    if (!isDirect) await say(buildAdminText(BEGUN));
    await carryOutReview({ caller, session, words, ...message, beat }, services);
  } finally {
    await once.take(claim.key).catch((error: unknown) => log.warn({ err: error }, 'review claim not released'));
  }
}

/** Undefined if it cannot be sent. */
async function postProgress({ workspace, user }: Caller, services: SlackReviewServices) {
  try {
    const channel = await services.channels.directMessage(workspace, user);
    const content = buildProgress(undefined);
    return { channel, ts: await patiently(() => services.messenger.post({ workspace, channel }, content), services) };
  } catch (error) {
    services.log.warn({ code: toCallCode(error) }, 'review not begun');
    return undefined;
  }
}

function buildEmpty(): Content {
  const button = { ...buildButton(REVIEW_ACTIONS.draft, 'Draft a policy…', 'draft'), style: 'primary' as const };
  return { text: EMPTY, blocks: [buildSection(EMPTY), { type: 'actions', elements: [button] }] };
}
