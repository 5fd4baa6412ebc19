import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';
import {
  notInChannel,
  type ReviewNotDoneError,
  sharedChannel,
} from '../../governance/scheduled-review/review-problem.ts';
import type { Attempt } from './attempt.ts';
import { patiently } from './patiently.ts';

type ChannelPorts = Pick<ScheduledReviewPorts, 'channel' | 'channels'>;

/**
 * Throws ReviewNotDoneError where nothing may be said in the channel: other organisations read it by now, or we are not
 * in it. And a TransientError where Slack cannot be asked.
 */
export async function requireChannel(attempt: Attempt, ports: ChannelPorts): Promise<void> {
  const problem = await patiently(() => findChannelProblem(ports), attempt);
  if (problem) throw problem;
}

/** The same for once, and told. */
export async function findChannelProblem({ channel, channels }: ChannelPorts): Promise<ReviewNotDoneError | undefined> {
  const { isShared, isMember } = await channels.look(channel.team, channel.id, 'notice');
  if (isShared) return sharedChannel(channel.id);
  return isMember ? undefined : notInChannel(channel.id);
}
