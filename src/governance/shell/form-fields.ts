// The fields of administrators' forms: how they are built, and how they are read.
import type { InputBlock } from '@slack/types';
import { buildPlainText } from '../../slack/views/content.ts';

/** Every field's element has this action_id: fields differ by their block. */
const VALUE = 'value';

/** `view.state.values` of a submission, as far as these forms need it. */
export type FormValues = Record<
  string,
  Record<
    string,
    {
      value?: string | null;
      selected_date?: string | null;
      selected_option?: { value: string } | null;
      selected_options?: { value: string }[] | null;
      selected_user?: string | null;
      selected_users?: string[] | null;
    }
  >
>;

type Words = { initial?: string | undefined; hint?: string | undefined };

export function buildTextInput(
  blockId: string,
  label: string,
  { initial, hint, isOptional = false }: Words & { isOptional?: boolean },
): InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    ...(isOptional ? { optional: true } : {}),
    label: buildPlainText(label),
    ...(hint === undefined ? {} : { hint: buildPlainText(hint) }),
    element: {
      type: 'plain_text_input',
      action_id: VALUE,
      max_length: 60,
      ...(initial === undefined ? {} : { initial_value: initial }),
    },
  };
}

/** As typed; '' where nothing was. */
export function readText(values: FormValues, blockId: string): string {
  return values[blockId]?.[VALUE]?.value ?? '';
}

export function buildCheckbox(blockId: string, label: string, text: string, isTicked: boolean): InputBlock {
  const option = { text: buildPlainText(text), value: 'yes' };
  return {
    type: 'input',
    block_id: blockId,
    // An input that is not optional would have to be ticked.
    optional: true,
    label: buildPlainText(label),
    element: {
      type: 'checkboxes',
      action_id: VALUE,
      options: [option],
      ...(isTicked ? { initial_options: [option] } : {}),
    },
  };
}

export function isTicked(values: FormValues, blockId: string): boolean {
  return (values[blockId]?.[VALUE]?.selected_options ?? []).length > 0;
}

/** `options`: the text of each by its value. Without `initial` nothing is chosen beforehand. */
export function buildRadioButtons<Value extends string>(
  blockId: string,
  label: string,
  options: Record<Value, string>,
  { initial, hint }: Words & { initial?: Value | undefined } = {},
): InputBlock {
  return buildChoice('radio_buttons', { blockId, label, options, initial, hint });
}

/** The same as a menu, which takes less room. */
export function buildSelect<Value extends string>(
  blockId: string,
  label: string,
  options: Record<Value, string>,
  { initial, hint }: Words & { initial?: Value | undefined } = {},
): InputBlock {
  return buildChoice('static_select', { blockId, label, options, initial, hint });
}

type Choosing<Value extends string> = Words & {
  blockId: string;
  label: string;
  options: Record<Value, string>;
  initial?: Value | undefined;
};

function buildChoice<Value extends string>(
  type: 'radio_buttons' | 'static_select',
  { blockId, label, options, initial, hint }: Choosing<Value>,
): InputBlock {
  const toOption = (value: Value) => ({ text: buildPlainText(options[value]), value });
  return {
    type: 'input',
    block_id: blockId,
    label: buildPlainText(label),
    ...(hint === undefined ? {} : { hint: buildPlainText(hint) }),
    element: {
      type,
      action_id: VALUE,
      options: (Object.keys(options) as Value[]).map(toOption),
      ...(initial === undefined ? {} : { initial_option: toOption(initial) }),
    },
  };
}

/** The value that was chosen. Undefined if there is none, or if it is not one of these. */
export function readChoice<Value extends string>(
  values: FormValues,
  blockId: string,
  allowed: readonly Value[],
): Value | undefined {
  const chosen = values[blockId]?.[VALUE]?.selected_option?.value;
  return allowed.find((one) => one === chosen);
}

/** For `response_action: 'errors'`: each sentence at its field. */
export function toFieldErrors<Name extends string>(
  errors: { [name in Name]?: string },
  toBlockId: (name: Name) => string,
): Record<string, string> {
  const entries = Object.entries(errors) as [Name, string][];
  return Object.fromEntries(entries.map(([name, sentence]) => [toBlockId(name), sentence]));
}

/** The block id of *Reason*, which is asked for on the last look at a change. */
export const REASON_FIELD = 'reason';

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

/** As typed: parseReason says whether it will do. */
export function readReason(values: FormValues): string {
  return readText(values, REASON_FIELD);
}

/** The block id of *Who approves?*, below the reason, if a second admin has to approve. */
export const APPROVER_FIELD = 'approver';

const OF_CHANGE =
  'The change allows more than before, or may. It is made once another administrator approves it, with their rights; they have 24 hours.';

/** `hint`: why somebody else is needed, and what happens then. `isOptional`: it may turn out that nobody is. */
export function buildApproverInput(hint = OF_CHANGE, isOptional = false): InputBlock {
  return {
    type: 'input',
    block_id: APPROVER_FIELD,
    ...(isOptional ? { optional: true } : {}),
    label: buildPlainText('Who approves?'),
    hint: buildPlainText(hint),
    element: { type: 'users_select', action_id: VALUE, placeholder: buildPlainText('Another administrator') },
  };
}

/** A Slack user id. 'not_asked': the modal had no such field. */
export function readApprover(values: FormValues): string | undefined | 'not_asked' {
  const field = values[APPROVER_FIELD];
  return field === undefined ? 'not_asked' : (field[VALUE]?.selected_user ?? undefined);
}
