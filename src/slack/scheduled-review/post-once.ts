import { randomUUID } from 'node:crypto';
import { FIND_AFTER_MS } from '../../conversation/resume-turn.ts';
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import { findMessage } from '../find-message.ts';
import { toMetadata } from '../message-key.ts';
import type { Content } from '../views/content.ts';
import type { Attempt } from './attempt.ts';
import { LaneLostError } from './lane-lost.ts';
import { patiently } from './patiently.ts';
import type { ScheduledReviewPorts } from './review-ports.ts';

type Post = {
  channel: string;
  content: Content;
  /** The run that says it, which says one thing in a channel. Epoch ms. */
  due: number;
};

type PostPorts = Pick<ScheduledReviewPorts, 'call' | 'findInstallation' | 'reviews' | 'now'> & { workspace: string };

const CLAIM_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts a message of a run, whichever replica it is that does. Who is not the first to try looks whether it is there.
 * Throws what the caller of Slack does, and LaneLostError.
 */
export async function postOnce(post: Post, attempt: Attempt, ports: PostPorts): Promise<void> {
  const { workspace, reviews, now } = ports;
  const { channel, due } = post;
  const key = { workspace, turnId: `review:${due}`, part: 0 };
  const isThere = () => findMessage(ports, { step: 'placing', channel, placingAt: due }, key);
  await patiently(async () => {
    // Each try is one of its own: whether it is the first is what counts.
    const isFirst = await reviews.claimNotice(`post:${due}:${channel}`, now() + CLAIM_MS, randomUUID());
    if (!isFirst && (await isThere()) !== undefined) return;
    if (!attempt.isHeld()) throw new LaneLostError();
    await create(post, { ...ports, metadata: toMetadata(key) }, attempt);
  }, attempt);
}

type Create = PostPorts & { metadata: ReturnType<typeof toMetadata> };

async function create({ channel, content }: Post, { metadata, ...ports }: Create, { wait }: Attempt): Promise<void> {
  const { botToken } = await ports.findInstallation(ports.workspace);
  const message = { channel, ...content, metadata, unfurl_links: false, unfurl_media: false };
  try {
    await ports.call('chat.postMessage', botToken, message, 'notice');
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    // A message that was just made may not be found yet. The next attempt looks.
    await wait(FIND_AFTER_MS);
    throw new TransientError('part_in_doubt', 'a message of the review may or may not exist', { cause: error });
  }
}
