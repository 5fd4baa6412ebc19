// The fields of administrators' forms: how they are built, and how they are read.
import type { InputBlock } from '@slack/types';
import { buildPlainText } from '../../slack/views/content.ts';
import { MIN_REASON_LENGTH } from './reason.ts';

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

type Words = { hint?: string | undefined; isOptional?: boolean };

/** Without its name, which all of them share. */
type Element = InputBlock['element'] extends infer One ? (One extends unknown ? Omit<One, 'action_id'> : never) : never;

export function buildInput(
  blockId: string,
  label: string,
  element: Element,
  { hint, isOptional = false }: Words = {},
): InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    ...(isOptional && { optional: true }),
    label: buildPlainText(label),
    ...(hint !== undefined && { hint: buildPlainText(hint) }),
    element: { ...element, action_id: VALUE } as InputBlock['element'],
  };
}

type TextWords = Words & { initial?: string | undefined; maxLength?: number; multiline?: boolean };

export function buildTextInput(
  blockId: string,
  label: string,
  { initial, maxLength = 60, multiline = false, ...words }: TextWords,
): InputBlock {
  const begin = initial === undefined ? {} : { initial_value: initial.slice(0, maxLength).toWellFormed() };
  const lines = multiline ? { multiline } : {};
  return buildInput(blockId, label, { type: 'plain_text_input', max_length: maxLength, ...lines, ...begin }, words);
}

/** As typed; '' where nothing was. */
export function readText(values: FormValues, blockId: string): string {
  return values[blockId]?.[VALUE]?.value ?? '';
}

export function buildCheckbox(blockId: string, label: string, text: string, isTicked: boolean): InputBlock {
  const options = [{ text: buildPlainText(text), value: 'yes' }];
  const begin = isTicked ? { initial_options: options } : {};
  // An input that is not optional would have to be ticked.
  return buildInput(blockId, label, { type: 'checkboxes', options, ...begin }, { isOptional: true });
}

export function isTicked(values: FormValues, blockId: string): boolean {
  return (values[blockId]?.[VALUE]?.selected_options ?? []).length > 0;
}

/** `options`: the text of each by its value. Without `initial` nothing is chosen beforehand. A select takes less room. */
export function buildChoice<Value extends string>(
  type: 'radio_buttons' | 'static_select',
  blockId: string,
  label: string,
  { options, initial, ...words }: Words & { options: Record<Value, string>; initial?: Value | undefined },
): InputBlock {
  const toOption = (value: Value) => ({ text: buildPlainText(options[value]), value });
  const begin = initial === undefined ? {} : { initial_option: toOption(initial) };
  return buildInput(
    blockId,
    label,
    { type, options: (Object.keys(options) as Value[]).map(toOption), ...begin },
    words,
  );
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
  const hint = `At least ${MIN_REASON_LENGTH} characters. Kept in the audit log.`;
  return buildTextInput(REASON_FIELD, 'Reason', { initial, hint, multiline: true, maxLength: MAX_TYPED });
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
  const placeholder = buildPlainText('Another administrator');
  return buildInput(APPROVER_FIELD, 'Who approves?', { type: 'users_select', placeholder }, { hint, isOptional });
}

/** A Slack user id. 'not_asked': the modal had no such field. */
export function readApprover(values: FormValues): string | undefined | 'not_asked' {
  const field = values[APPROVER_FIELD];
  return field === undefined ? 'not_asked' : (field[VALUE]?.selected_user ?? undefined);
}
