import { askSlack } from '../ask-slack.ts';
import { type Check, type Found, type Sight, speak } from '../check.ts';
import { openToken } from './slack-tokens.ts';

const { words, say } = speak({
  fine: '✓ The app can post to FEEDBACK_CHANNEL.',
  unknown: '! Slack does not say whether the app can post to FEEDBACK_CHANNEL{why}. Look again later.',
  outside: '! The app is not in FEEDBACK_CHANNEL ({id}): feedback is not posted. Invite it, or correct the value.',
  archived: '! FEEDBACK_CHANNEL ({id}) is archived: feedback is not posted. Restore it, or name another one.',
  shared: '! FEEDBACK_CHANNEL ({id}) is shared with other organisations: feedback is not posted. Name another.',
  notInstalled:
    '! FEEDBACK_CHANNEL is in {team}, where the app is not installed: install it there, or correct the value.',
});

/** Whether feedback can be posted to FEEDBACK_CHANNEL. */
export const FEEDBACK_CHANNEL: Check = {
  name: 'FEEDBACK_CHANNEL',
  section: 'Slack',
  words,
  async look(sight) {
    const { FEEDBACK_CHANNEL: place, SLACK_BOT_TOKEN } = sight.config;
    if (!place) return undefined;
    if (SLACK_BOT_TOKEN) return lookWith(SLACK_BOT_TOKEN, place.id, sight);
    const { reader } = await sight.store();
    const stored = await reader?.installations.get(place.team);
    if (reader && !stored) return say('notInstalled', place);
    const token = stored && openToken(sight.config, stored);
    return token ? lookWith(token, place.id, sight) : undefined;
  },
};

async function lookWith(token: string, id: string, sight: Sight): Promise<Found> {
  const answer = await askSlack(sight, { token, method: 'conversations.info', args: { channel: id } });
  if (answer.kind === 'unreachable') return say('unknown', { why: '' });
  if (answer.kind === 'accepted') {
    const { is_member, is_archived, is_ext_shared, is_pending_ext_shared } = answer.body.channel ?? {};
    if (is_member === false) return say('outside', { id });
    if (is_archived) return say('archived', { id });
    return is_ext_shared || is_pending_ext_shared ? say('shared', { id }) : say('fine');
  }
  if (answer.code === 'channel_not_found') return say('outside', { id });
  // Another check reports problems of the token.
  return /auth|token|account/.test(answer.code) ? undefined : say('unknown', { why: ` (${answer.code})` });
}
