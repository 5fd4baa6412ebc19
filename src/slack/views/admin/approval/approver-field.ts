// Who approves a change that loosens something: asked for on the last look at it, below the reason.
import type { InputBlock } from '@slack/types';
import { buildPlainText } from '../../content.ts';

/** The block id. */
export const APPROVER_FIELD = 'approver';

const VALUE = 'value';

const OF_CHANGE =
  'The change allows more than before, or it cannot be told whether it does. It is made once another administrator approves it, with their rights; they have 24 hours.';

/** `hint`: why somebody else is needed, and what happens then; of a change, where it is left out. */
export function buildApproverInput(hint = OF_CHANGE): InputBlock {
  return {
    type: 'input',
    block_id: APPROVER_FIELD,
    label: buildPlainText('Who approves?'),
    hint: buildPlainText(hint),
    element: { type: 'users_select', action_id: VALUE, placeholder: buildPlainText('Another administrator') },
  };
}

type ViewValues = Record<string, Record<string, { selected_user?: string | null }>>;

/** A Slack user id. 'not_asked': the modal had no such field. */
export function readApprover(values: ViewValues): string | undefined | 'not_asked' {
  const field = values[APPROVER_FIELD];
  return field === undefined ? 'not_asked' : (field[VALUE]?.selected_user ?? undefined);
}
