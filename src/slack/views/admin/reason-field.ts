// Where an admin says why: asked for on the last look at a change, whichever way led there.
import type { InputBlock } from '@slack/types';
import { buildPlainText } from '../content.ts';

/** The block id. */
export const REASON_FIELD = 'reason';

const VALUE = 'value';

/** More than parseReason takes: it says itself what is too long. */
const MAX_TYPED = 1_000;

export function buildReasonInput(initial?: string): InputBlock {
  return {
    type: 'input',
    block_id: REASON_FIELD,
    label: buildPlainText('Reason'),
    hint: buildPlainText('Kept in the audit log, beside who changed what.'),
    element: {
      type: 'plain_text_input',
      action_id: VALUE,
      multiline: true,
      max_length: MAX_TYPED,
      ...(initial === undefined ? {} : { initial_value: initial.slice(0, MAX_TYPED).toWellFormed() }),
    },
  };
}

type ViewValues = Record<string, Record<string, { value?: string | null }>>;

/** As typed: parseReason says whether it will do. */
export function readReason(values: ViewValues): string {
  return values[REASON_FIELD]?.[VALUE]?.value ?? '';
}
