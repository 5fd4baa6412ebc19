import { isObject } from './blocks/problems.ts';
import type { Block, Json, View } from './records.ts';
import { fieldOf, initialValue } from './view-values.ts';

/** `[Button]`, `(chosen ▾)`, `[x] option`. */
export function renderInteractive(block: Block, element: Json, view: View | undefined): string {
  if (element.type === 'image') return `[image: ${String(element.alt_text)}]`;
  if (element.type === 'feedback_buttons') {
    return [element.positive_button, element.negative_button]
      .filter(isObject)
      .map((button) => `[${textOf(button)}]`)
      .join(' ');
  }
  if (element.type === 'button' || element.type === 'icon_button' || element.type === 'workflow_button')
    return `[${textOf(element)}]`;
  if (element.type === 'overflow') return `[⋮ ${optionsOf(element).map(textOf).join(' / ')}]`;
  const value = currentValue(block, element, view);
  if (element.type === 'checkboxes' || element.type === 'radio_buttons') return renderChoices(element, value);
  const shown = renderValue(value);
  const placeholder = isObject(element.placeholder) ? String(element.placeholder.text) : '';
  return String(element.type).includes('input')
    ? `[${shown || placeholder || ' '}]`
    : `(${shown || placeholder || '–'} ▾)`;
}

export function renderInput(block: Block, view: View | undefined, hint: string): string {
  const element = isObject(block.element) ? block.element : {};
  const optional = block.optional === true ? ' (optional)' : '';
  const below = hint === '' ? '' : `\n  · ${hint}`;
  return `${isObject(block.label) ? String(block.label.text) : ''}${optional}: ${renderInteractive(block, element, view)}${below}`;
}

function currentValue(block: Block, element: Json, view: View | undefined): unknown {
  const entered = view?.entered[String(block.block_id)]?.[String(element.action_id)];
  return (entered ?? initialValue(element))[fieldOf(element)];
}

function renderValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(renderValue).join(', ');
  return isObject(value) ? textOf(value) : String(value);
}

function renderChoices(element: Json, value: unknown): string {
  const chosen = (Array.isArray(value) ? value : [value]).filter(isObject).map((option) => option.value);
  const marks = element.type === 'checkboxes' ? (['[x]', '[ ]'] as const) : (['(•)', '( )'] as const);
  return optionsOf(element)
    .map((option) => `${chosen.includes(option.value) ? marks[0] : marks[1]} ${textOf(option)}`)
    .join('  ');
}

function optionsOf(element: Json): Json[] {
  return Array.isArray(element.options) ? element.options.filter(isObject) : [];
}

function textOf(holder: Json): string {
  return isObject(holder.text) ? String(holder.text.text) : '';
}
