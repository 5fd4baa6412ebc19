import type { NoticeCode } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';
import type { Channels } from './channels.ts';
import type { People } from './people.ts';

/**
 * Whether this person may ask here; else the notice that says why not. Guests and people of other organisations get
 * nothing, and nothing is answered where people of other organisations read along. Throws a TransientError where Slack
 * cannot be asked: who cannot be known is not let in.
 */
export function createAdmission(
  people: People,
  channels: Channels,
): (question: Question) => Promise<NoticeCode | undefined> {
  return async ({ workspace, asker, audience, channel, isSharedChannel }) => {
    const { isMember } = await people.profile(workspace, asker.user);
    if (!isMember) return 'guest';
    if (audience === 'person') return undefined;
    return isSharedChannel || (await channels.isShared(workspace, channel)) ? 'shared_channel' : undefined;
  };
}
