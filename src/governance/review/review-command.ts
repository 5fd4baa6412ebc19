// `/assistant-admin review`: begins a review, one at a time per admin.
import { escapeMrkdwn } from '../../slack/text-out/neutralise.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import type { Asking } from '../shell/admin-shell.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import type { TimeZones } from '../shell/respond.ts';
import { readApprovedOrSay } from './approved-views.ts';
import { type DraftPorts, draftRegister } from './draft-command.ts';
import { exportApproved } from './export-command.ts';
import { buildInterrupted, buildProgress } from './progress-views.ts';
import { type ClaimPorts, claimReview } from './review-claim.ts';
import { type DirectMessage, type DirectPorts, openDirectMessage } from './review-direct-message.ts';
import { type BegunReview, carryOutReview, type RunPorts, UNBEGUN } from './slack-review.ts';

export type ReviewCommandPorts = ClaimPorts & DirectPorts & DraftPorts & RunPorts & TimeZones;

const BEGUN = 'I am reviewing everything. Follow it in our direct messages; the report comes there, too.';

const RUNS_ALREADY =
  'A review of yours runs already. Follow it in our direct messages; if nothing moves there for a minute, give the command again.';

const NO_DIRECT_MESSAGE =
  'I could not write to you in our direct messages, so nothing was done. Try again in a minute; if it happens again, tell whoever runs this app.';

const USAGE =
  '`/assistant-admin review` compares everything with the register, `/assistant-admin review export` writes out the register with what was decided in Slack, and `/assistant-admin review draft` adds all that was found and that it does not name.';

/** `/assistant-admin review [export|draft]` */
export async function handleReviewCommand(rest: string, asking: Asking, ports: ReviewCommandPorts): Promise<void> {
  switch (rest.toLowerCase()) {
    case '':
      return review(asking, ports);
    case 'export':
      return exportApproved(asking, ports);
    case 'draft':
      return draftRegister(asking, ports);
    default:
      await asking.say(buildAdminText(escapeMrkdwn(USAGE)));
  }
}

async function review({ caller, openSession, say }: Asking, ports: ReviewCommandPorts): Promise<void> {
  const approved = await readApprovedOrSay({ say }, ports);
  if (approved === undefined) return;
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

/** Undefined if the progress message cannot be sent. */
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
