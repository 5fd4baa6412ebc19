// The fields of windows: how they are built, and how they are read.
import type { InputBlock, Option, RadioButtons } from '@slack/types';
import { MAX_INPUT_LENGTH, MAX_OPTION_TEXT_LENGTH } from '../web/limits.ts';
import { buildPlainText } from './content.ts';

/** `name`: the block_id, and the action_id of the element. */
type Field = { name: string; label: string; hint?: string | undefined; isOptional?: boolean };

export function buildField({ name, label, hint, isOptional }: Field, element: InputBlock['element']): InputBlock {
  return {
    type: 'input',
    block_id: name,
    ...(isOptional && { optional: true }),
    label: buildPlainText(label),
    ...(hint && { hint: buildPlainText(hint) }),
    element: { ...element, action_id: name },
  };
}

/** `initial`: the text in the field at first, cut to `most`. */
type Text = { initial?: string | undefined; most?: number };

/** Several lines of text. */
export function buildTextField(field: Field, { initial, most = MAX_INPUT_LENGTH }: Text = {}): InputBlock {
  return buildField(field, { ...toText(initial, most), multiline: true });
}

/** One line of text. */
export function buildLineField(field: Field, { initial, most = 60 }: Text = {}): InputBlock {
  return buildField(field, toText(initial, most));
}

function toText(initial = '', most: number) {
  const begin = initial !== '' && { initial_value: initial.slice(0, most).toWellFormed() };
  return { type: 'plain_text_input' as const, max_length: most, ...begin };
}

type OptionText = readonly [value: string, text: string];

export function buildCheckboxes(field: Field, options: readonly OptionText[], ticked = 0): InputBlock {
  const all = options.map(toOption);
  const initial = ticked > 0 && { initial_options: all.slice(0, ticked) };
  return buildField(field, { type: 'checkboxes', options: all, ...initial });
}

/** `initial`: without it nothing is chosen beforehand. A select takes less room. */
export function buildChoice(
  type: 'radio_buttons' | 'static_select',
  field: Field,
  options: readonly OptionText[],
  initial?: string,
): InputBlock {
  const all = options.map(toOption);
  const chosen = all.find(({ value }) => value === initial);
  return buildField(field, { type, options: all, ...(chosen && { initial_option: chosen }) } as RadioButtons);
}

function toOption([value, text]: OptionText): Option {
  return { text: buildPlainText(text, MAX_OPTION_TEXT_LENGTH), value };
}

type Entered = {
  value?: string | null | undefined;
  selected_time?: string | null | undefined;
  selected_date?: string | null | undefined;
  selected_user?: string | null | undefined;
  selected_option?: { value: string } | null | undefined;
  selected_options?: { value?: string }[] | null | undefined;
  files?: unknown;
};

/** A window as Slack sends it when it is submitted. */
export type Submitted = {
  id: string;
  private_metadata: string;
  state?: { values?: Record<string, Record<string, Entered>> };
};

export type Fields = ReturnType<typeof readFields>;

/** What was entered in the fields of a window. */
export function readFields({ state }: Pick<Submitted, 'state'>) {
  const read = (name: string): Entered => state?.values?.[name]?.[name] ?? {};
  return {
    text: (name: string) => read(name).value?.trim() ?? '',
    time: (name: string) => read(name).selected_time ?? undefined,
    day: (name: string) => read(name).selected_date ?? undefined,
    user: (name: string) => read(name).selected_user ?? undefined,
    chosen: (name: string) => read(name).selected_option?.value,
    /** Also undefined if the chosen value is not in `allowed`. */
    chosenOf: <Value extends string>(name: string, allowed: readonly Value[]): Value | undefined =>
      allowed.find((one) => one === read(name).selected_option?.value),
    ticked: (name: string) => (read(name).selected_options ?? []).map(({ value }) => value ?? ''),
    files: (name: string) => read(name).files,
  };
}
