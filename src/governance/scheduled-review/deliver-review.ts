// What a review found is said: in the channel, and to owners. Whoever takes this over goes on where it was left.

import type { Attempt } from '../../slack/scheduled-review/attempt.ts';
import { postOnce } from '../../slack/scheduled-review/post-once.ts';
import { requireChannel } from '../../slack/scheduled-review/require-channel.ts';
import { createReviewRecords, type Outbox, type OutboxReport } from '../../slack/scheduled-review/review-records.ts';
import { tellOwners } from '../../slack/scheduled-review/tell-owners.ts';
import type { Content } from '../../slack/views/content.ts';
import { SlackRefusedError } from '../../slack/web/slack-errors.ts';
import type { ScheduledReviewPorts } from './review-attempt.ts';
import { notPosted } from './review-problem.ts';

/** How many owners were told, how many are to be tried again, and how many cannot be told. */
export type Told = { told: number; left: number; refused: number };

type TellPorts = ScheduledReviewPorts & { workspace: string };

/**
 * Only once its channel has the message is a review the one that the next is compared with. Throws ReviewNotDoneError
 * where nothing can be said there, UnknownWorkspaceError where the app is not installed any more, LaneLostError, and a
 * TransientError where it is to be tried again. What owners could not be told now is kept.
 */
export async function tellAll(outbox: Outbox, attempt: Attempt, ports: ScheduledReviewPorts): Promise<Told> {
  const records = createReviewRecords(ports);
  const { workspace } = await ports.findInstallation(ports.channel.team);
  const tellPorts = { ...ports, workspace };
  if (outbox.report) {
    await tellReport(outbox.report, { due: outbox.due, attempt }, tellPorts);
    await records.keep({ ...outbox, report: undefined });
  }
  const { told, left, dropped } = await tellOwners(outbox.notices, attempt, tellPorts);
  if (dropped.length > 0) {
    const about = dropped.flatMap((notice) => notice.about);
    await records.changeState(({ untold }) => ({ untold: [...new Set([...untold, ...about])] }));
    for (const claim of dropped.flatMap(({ claims }) => claims)) await ports.reviews.releaseNotice(claim);
  }
  if (left.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: left });
  return { told, left: left.length, refused: dropped.length };
}

/** What could not be said is another run's again: nothing of it is claimed any more. `all`: also what was found before. */
export async function takeBack(outbox: Outbox, { all }: { all: boolean }, ports: ScheduledReviewPorts): Promise<void> {
  const { due, report, notices } = outbox;
  const records = createReviewRecords(ports);
  const kept = all ? [] : notices.filter((notice) => notice.due !== due);
  const gone = notices.filter((notice) => !kept.includes(notice));
  for (const claim of [...(report?.claims ?? []), ...gone.flatMap(({ claims }) => claims)]) {
    await ports.reviews.releaseNotice(claim);
  }
  await records.changeState(({ untold }) => ({ untold: [...new Set([...untold, ...(report?.untold ?? [])])] }));
  if (kept.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: kept });
}

async function tellReport(
  { post, isTruncated, isUnread, snapshot, replaces }: OutboxReport,
  { due, attempt }: { due: number; attempt: Attempt },
  ports: TellPorts,
): Promise<void> {
  if (post) await tellChannel({ content: post, due }, attempt, ports);
  if (!(await ports.reviews.saveSnapshot(snapshot, replaces))) {
    ports.log.warn({ due: new Date(due).toISOString() }, 'another review was told meanwhile');
  }
  if (post) await createReviewRecords(ports).saveLastWord({ at: ports.now(), isTruncated, isUnread });
}

async function tellChannel(
  { content, due }: { content: Content; due: number },
  attempt: Attempt,
  ports: TellPorts,
): Promise<void> {
  const { id: channel } = ports.channel;
  // It may have been shared since the review was read, and an outbox may be a day old.
  await requireChannel(attempt, ports);
  try {
    await postOnce({ channel, content, due }, attempt, ports);
  } catch (error) {
    throw error instanceof SlackRefusedError ? notPosted(channel, error.slackError, { cause: error }) : error;
  }
}
