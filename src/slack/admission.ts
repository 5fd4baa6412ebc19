import type { NoticeCode } from '../conversation/outcome.ts';
import type { Question } from '../conversation/question.ts';
import type { Channels } from './channels.ts';
import type { People } from './people.ts';

/**
 * Whether this person may ask here; else the notice that says why not. Guests and people of other organisations get
 * nothing, nothing is answered where people of other organisations read along, and nothing is asked whose answer could
 * not be posted. Throws a TransientError where Slack cannot be asked: who cannot be known is not let in.
 */
export function createAdmission(
  people: People,
  channels: Channels,
): (question: Question) => Promise<NoticeCode | undefined> {
  return async ({ workspace, asker, audience, channel, origin, isSharedChannel }) => {
    const { isMember } = await people.profile(workspace, asker.user);
    if (!isMember) return 'guest';
    if (audience === 'person') {
      // Slack delivers us messages of our own direct messages only; a command works in those between people, too.
      const isOurs = origin === 'message' || (await channels.directMessage(workspace, asker.user)) === channel;
      return isOurs ? undefined : 'cannot_post';
    }
    if (isSharedChannel) return 'shared_channel';
    const look = await channels.look(workspace, channel);
    if (look.isShared) return 'shared_channel';
    return look.isMember ? undefined : 'cannot_post';
  };
}
