import type { Turn } from '../../conversation/turn.ts';
import { ACTIONS, type Content } from './content.ts';

/** Why a question waits, by the code of the error that it waits for. */
const REASONS: Record<string, string> = {
  assistant_throttled: 'The assistant is busy and asks me to wait.',
  conversation_busy: 'The assistant is still busy with an earlier question of this thread.',
  identity_provider_unavailable: 'The sign-in service cannot be reached at the moment.',
  slack_reading_limited: 'Slack lets me read messages only now and then, and asks me to wait.',
  token_key_unknown: 'I cannot open your sign-in at the moment.',
};

const UNREACHABLE = 'The assistant cannot be reached at the moment.';

/** What a thread is told while its question waits. The reply takes its place. */
export function buildWaiting({ id, waitingFor = '' }: Turn): Content {
  const text = `${REASONS[waitingFor] ?? UNREACHABLE} Your question is kept, and I answer it here as soon as that is over; after ten minutes I stop trying.`;
  return {
    text,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `:hourglass_flowing_sand: ${text}` } },
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: ACTIONS.cancelWaiting,
            text: { type: 'plain_text', text: 'Cancel the question' },
            value: id,
          },
        ],
      },
    ],
  };
}
