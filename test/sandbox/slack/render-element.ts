import { isObject, toObjects, wordsOf } from './json.ts';
import type { Block, Json, View } from './records.ts';
import { fieldOf, initialValue } from './view-values.ts';

/** `[Button]`, `(chosen ▾)`, `[x] option`. */
export function renderInteractive(block: Block, element: Json, view: View | undefined): string {
  if (element.type === 'feedback_buttons') {
    return [element.positive_button, element.negative_button]
      .filter(isObject)
      .map((button) => `[${wordsOf(button.text)}]`)
      .join(' ');
  }
  if (element.type === 'button') return `[${wordsOf(element.text)}]`;
  const value = currentValue(block, element, view);
  if (element.type === 'checkboxes' || element.type === 'radio_buttons') return renderChoices(element, value);
  const shown = renderValue(value);
  const placeholder = wordsOf(element.placeholder) ?? '';
  return String(element.type).includes('input')
    ? `[${shown || placeholder || ' '}]`
    : `(${shown || placeholder || '–'} ▾)`;
}

export function renderInput(block: Block, view: View | undefined, hint: string): string {
  const element = isObject(block.element) ? block.element : {};
  const optional = block.optional === true ? ' (optional)' : '';
  const below = hint === '' ? '' : `\n  · ${hint}`;
  return `${wordsOf(block.label) ?? ''}${optional}: ${renderInteractive(block, element, view)}${below}`;
}

function currentValue(block: Block, element: Json, view: View | undefined): unknown {
  const entered = view?.entered[String(block.block_id)]?.[String(element.action_id)];
  return (entered ?? initialValue(element))[fieldOf(element)];
}

function renderValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(renderValue).join(', ');
  return isObject(value) ? (wordsOf(value.text) ?? '') : String(value);
}

function renderChoices(element: Json, value: unknown): string {
  const chosen = (Array.isArray(value) ? value : [value]).filter(isObject).map((option) => option.value);
  const marks = element.type === 'checkboxes' ? (['[x]', '[ ]'] as const) : (['(•)', '( )'] as const);
  return toObjects(element.options)
    .map((option) => `${chosen.includes(option.value) ? marks[0] : marks[1]} ${wordsOf(option.text)}`)
    .join('  ');
}
