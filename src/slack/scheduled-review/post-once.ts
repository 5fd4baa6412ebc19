import { randomUUID } from 'node:crypto';
import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';
import type { Content } from '../views/content.ts';
import type { Attempt } from './attempt.ts';
import { LaneLostError } from './lane-lost.ts';
import { patiently } from './patiently.ts';

type Post = {
  channel: string;
  content: Content;
  /** The run that says it, which says one thing in a channel. Epoch ms. */
  due: number;
};

type PostPorts = Pick<ScheduledReviewPorts, 'messenger' | 'reviews' | 'now'> & { workspace: string };

const CLAIM_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts a message of a run, whichever replica it is that does. Who is not the first to try looks whether it is there.
 * Throws what the messenger does, and LaneLostError.
 */
export async function postOnce(
  { channel, content, due }: Post,
  attempt: Attempt,
  { workspace, messenger, reviews, now }: PostPorts,
): Promise<void> {
  const key = { workspace, turnId: `review:${due}`, part: 0 };
  const guard = {
    // Each try is one of its own: whether it is the first is what counts.
    isFirst: () => reviews.claimNotice(`post:${due}:${channel}`, now() + CLAIM_MS, randomUUID()),
    check() {
      if (!attempt.isHeld()) throw new LaneLostError();
    },
    wait: attempt.wait,
  };
  await patiently(() => messenger.postOnce({ channel, content, key, since: due }, guard), attempt);
}
