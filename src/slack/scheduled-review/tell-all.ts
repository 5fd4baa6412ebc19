// What a review found is said: in the channel, and to owners. Whoever takes this over goes on where it was left.
import type { Installation } from '../installation.ts';
import { SlackRefusedError } from '../slack-errors.ts';
import { postOnce } from './post-once.ts';
import type { Attempt, ScheduledReviewPorts } from './review-ports.ts';
import { notPosted } from './review-problem.ts';
import { createReviewRecords, type Outbox, type OwnerNotice } from './review-records.ts';

/** How many owners were told, and how many Slack did not let us tell. */
export type Told = { told: number; refused: number };

/**
 * Only once its channel has the message is a review the one that the next is compared with. Throws ReviewNotDoneError
 * where Slack refuses the message, UnknownWorkspaceError where the app is not installed any more, LaneLostError, and a
 * TransientError where it is to be tried again.
 */
export async function tellAll(outbox: Outbox, attempt: Attempt, ports: ScheduledReviewPorts): Promise<Told> {
  const { due, report, notices } = outbox;
  const { channel, reviews, once, now } = ports;
  const records = createReviewRecords(once, now);
  const installation = await ports.findInstallation(channel.team);
  if (report) {
    const { post, isTruncated, snapshot } = report;
    if (post) await tellChannel({ ...outbox, post }, { attempt, installation }, ports);
    await reviews.saveSnapshot(snapshot);
    if (post) await records.saveLastWord({ at: now(), isTruncated });
    await records.keep({ ...outbox, report: undefined });
  }
  let refused = 0;
  for (const notice of notices) {
    if (!(await tellOwner({ ...notice, due }, { attempt, installation }, ports))) refused += 1;
  }
  await records.drop();
  return { told: notices.length - refused, refused };
}

type Way = { attempt: Attempt; installation: Installation };

async function tellChannel(
  { due, post: content, notices }: Outbox & { post: OwnerNotice['content'] },
  { attempt, installation: { workspace } }: Way,
  ports: ScheduledReviewPorts,
): Promise<void> {
  const { id: channel } = ports.channel;
  try {
    await postOnce({ channel, content, due }, attempt, { ...ports, workspace });
  } catch (error) {
    if (!(error instanceof SlackRefusedError)) throw error;
    for (const notice of notices) await release(notice, ports);
    await createReviewRecords(ports.once, ports.now).drop();
    throw notPosted(channel, error.slackError, { cause: error });
  }
}

/** False: Slack does not let us. */
async function tellOwner(
  notice: OwnerNotice & { due: number },
  { attempt, installation: { workspace } }: Way,
  ports: ScheduledReviewPorts,
): Promise<boolean> {
  try {
    await postOnce(notice, attempt, { ...ports, workspace });
    return true;
  } catch (error) {
    if (!(error instanceof SlackRefusedError)) throw error;
    ports.log.warn({ err: error }, 'an owner could not be told');
    await release(notice, ports);
    return false;
  }
}

async function release({ claims }: OwnerNotice, { reviews }: ScheduledReviewPorts): Promise<void> {
  for (const claim of claims) await reviews.releaseNotice(claim);
}
