// The fields of the windows of people who ask: how they are built, and how they are read.
import type { InputBlock, Option } from '@slack/types';
import { MAX_INPUT_LENGTH, MAX_OPTION_TEXT_LENGTH } from '../web/limits.ts';
import { buildPlainText } from './content.ts';

/** The name of its block is that of its element as well. */
type Field = { name: string; label: string; hint?: string; isOptional?: boolean };

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

/** Several lines of text. `initial`: what stands in it, of which as much is shown as fits. */
export function buildTextField(field: Field, { initial = '', most = MAX_INPUT_LENGTH } = {}): InputBlock {
  const element = { type: 'plain_text_input' as const, multiline: true, max_length: most };
  return buildField(field, { ...element, ...(initial && { initial_value: initial.slice(0, most) }) });
}

/** `options`: the text of each by its value. */
export function buildCheckboxes(field: Field, options: [value: string, text: string][], ticked = 0): InputBlock {
  const all = options.map(([value, text]): Option => ({ text: buildPlainText(text, MAX_OPTION_TEXT_LENGTH), value }));
  const initial = ticked > 0 && { initial_options: all.slice(0, ticked) };
  return buildField(field, { type: 'checkboxes', options: all, ...initial });
}

type Entered = {
  value?: string | null | undefined;
  selected_time?: string | null | undefined;
  selected_options?: { value?: string }[] | null | undefined;
};

/** A window as Slack sends it when it is submitted. */
export type Submitted = {
  id: string;
  private_metadata: string;
  state?: { values?: Record<string, Record<string, Entered>> };
};

/** What was entered in the fields of a window. */
export function readFields({ state }: Pick<Submitted, 'state'>) {
  const read = (name: string): Entered => state?.values?.[name]?.[name] ?? {};
  return {
    text: (name: string) => read(name).value?.trim() ?? '',
    time: (name: string) => read(name).selected_time ?? undefined,
    ticked: (name: string) => (read(name).selected_options ?? []).map(({ value }) => value ?? ''),
  };
}
