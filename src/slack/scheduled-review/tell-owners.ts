// Owners are told, one after the other; who cannot be told now keeps nobody else waiting.
import { TransientError } from '../../errors.ts';
import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import { SlackRefusedError } from '../web/slack-errors.ts';
import type { Attempt } from './attempt.ts';
import { LaneLostError } from './lane-lost.ts';
import { patiently } from './patiently.ts';
import { postOnce } from './post-once.ts';
import type { OwnerNotice } from './review-records.ts';

export type OwnersTold = {
  told: number;
  /** What is to be tried again. */
  left: OwnerNotice[];
  /** What is not. */
  dropped: OwnerNotice[];
};

/** So long somebody is tried to be told. */
const PATIENCE_MS = 30 * 60_000;

/** Then it is not about them: Slack is away, and the others are not even tried. */
const MAX_FAILURES_IN_A_ROW = 3;

/** `workspace`: of the installation. Throws LaneLostError, and what the signal says where that says stop. */
export async function tellOwners(
  notices: readonly OwnerNotice[],
  attempt: Attempt,
  ports: ScheduledReviewPorts & { workspace: string },
): Promise<OwnersTold> {
  const told: OwnersTold = { told: 0, left: [], dropped: [] };
  let inARow = 0;
  for (const [index, notice] of notices.entries()) {
    const outcome = await tellOwner(notice, attempt, ports);
    inARow = outcome === 'failed' ? inARow + 1 : 0;
    const failingSince = notice.failingSince ?? ports.now();
    if (outcome === 'told') told.told += 1;
    else if (outcome === 'refused' || ports.now() - failingSince >= PATIENCE_MS) told.dropped.push(notice);
    else told.left.push({ ...notice, failingSince });
    if (inARow < MAX_FAILURES_IN_A_ROW) continue;
    // The next attempt begins with those.
    told.left.unshift(...notices.slice(index + 1));
    break;
  }
  return told;
}

async function tellOwner(
  { user, content, due }: OwnerNotice,
  attempt: Attempt,
  ports: ScheduledReviewPorts & { workspace: string },
): Promise<'told' | 'refused' | 'failed'> {
  const { workspace, channels, log } = ports;
  try {
    const channel = await patiently(() => channels.directMessage(workspace, user, 'notice'), attempt);
    await postOnce({ channel, content, due }, attempt, ports);
    return 'told';
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof LaneLostError) throw error;
    const isRefused = error instanceof SlackRefusedError;
    if (!(isRefused || error instanceof TransientError || error instanceof OutcomeUnknownError)) throw error;
    log.warn({ err: error }, 'an owner could not be told');
    return isRefused ? 'refused' : 'failed';
  }
}
