import type { ModalView } from '@slack/types';
import { MAX_INPUT_LENGTH } from '../web/limits.ts';
import { CALLBACKS } from './content.ts';

export const WEB_OFF_QUESTION_BLOCK = 'web_off_question';

/** For the command without text. The channel comes back with the modal. */
export function buildWebOffModal(channel: string): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACKS.webOffQuestion,
    private_metadata: channel,
    title: { type: 'plain_text', text: 'Ask without web' },
    submit: { type: 'plain_text', text: 'Ask' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: [
      {
        type: 'input',
        block_id: WEB_OFF_QUESTION_BLOCK,
        label: { type: 'plain_text', text: 'Your question' },
        hint: { type: 'plain_text', text: 'It is shown in the channel. Web search is off for this answer only.' },
        element: {
          type: 'plain_text_input',
          action_id: WEB_OFF_QUESTION_BLOCK,
          multiline: true,
          max_length: MAX_INPUT_LENGTH,
        },
      },
    ],
  };
}
