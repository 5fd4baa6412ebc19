import { readApproved } from '../../../../governance/review/approved-state.ts';
import { type ExportPorts, exportApproved } from '../../../../governance/review/export-command.ts';
import {
  type BegunReview,
  carryOutReview,
  type RunPorts,
  UNBEGUN,
} from '../../../../governance/review/review-command.ts';
import { type DirectMessage, openDirectMessage } from '../../../../governance/review/review-direct-message.ts';
import type { Asking } from '../../../../governance/shell/admin-shell.ts';
import type { TimeZones } from '../../../../governance/shell/respond.ts';
import { escapeMrkdwn } from '../../../text-out/escape-mrkdwn.ts';
import { buildAdminText } from '../../../views/admin/admin-messages.ts';
import { buildInterrupted, buildProgress } from '../../../views/admin/review/progress.ts';
import { buildRegisterProblem } from '../../../views/admin/review/register.ts';
import { toCallCode } from '../../../web/slack-errors.ts';
import { type ClaimPorts, claimReview } from './claim.ts';

const BEGUN = 'I am reviewing everything. Follow it in our direct messages; the report comes there, too.';

const RUNS_ALREADY =
  'A review of yours runs already. Follow it in our direct messages; if nothing moves there for a minute, give the command again.';

const NO_DIRECT_MESSAGE =
  'I could not write to you in our direct messages, so nothing was done. Try again in a minute; if it happens again, tell whoever runs this app.';

const USAGE =
  '`/assistant-admin review` compares everything with the register, and `/assistant-admin review export` writes out the register with what was decided in Slack.';

export type ReviewCommandPorts = ClaimPorts & ExportPorts & RunPorts & TimeZones;

/** `/assistant-admin review [export]` */
export async function obeyReview(rest: string, asking: Asking, ports: ReviewCommandPorts): Promise<void> {
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
