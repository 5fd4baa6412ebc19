/** Where an element stands, and what is entered in it. */
import type { Block, Json } from '../../../slack/records.ts';
import type { Entry } from '../../../slack/view-values.ts';
import { confirmFirst } from './confirm-first.ts';
import type { BlockContext } from './context.ts';
import { isObject, toWords } from './parts.ts';

export type ElementPlace = {
  context: BlockContext;
  block: Block;
  /** Of a view: by block id and action id. */
  entered: Record<string, Record<string, Json>>;
};

/** `block id/action id`, as the sandbox takes entries. */
export function nameOf(element: Json, { block }: ElementPlace): string {
  return `${String(block.block_id)}/${String(element.action_id)}`;
}

/** What assistive technology calls it. */
function labelOf(element: Json, { block }: ElementPlace): string {
  const own = toWords(block.label) || String(element.accessibility_label ?? '') || toWords(element.placeholder);
  return own || toWords(block.text) || String(element.action_id);
}

/** The value in the field of the state, such as `selected_option`; at first the one in the field `initial` of the element. */
export function currentValue(element: Json, field: string, { block, entered }: ElementPlace): unknown {
  const kept = entered[String(block.block_id)]?.[String(element.action_id)];
  return kept ? kept[field] : element[field.endsWith('value') ? 'initial_value' : field.replace('selected', 'initial')];
}

/** Whether the app hears of each choice. */
export function isDispatched({ block }: ElementPlace): boolean {
  return block.type !== 'input' || block.dispatch_action === true;
}

export async function actOn(element: Json, place: ElementPlace, choose?: Entry): Promise<void> {
  const { block, context } = place;
  if (!(await confirmFirst(element.confirm, context))) return;
  await context.act({
    ...(block.block_id !== undefined && { blockId: String(block.block_id) }),
    actionId: String(element.action_id),
    ...(choose !== undefined && { choose }),
  });
}

export function attributesOf(element: Json, place: ElementPlace) {
  const blockId = String(place.block.block_id);
  const hasError = place.block.type === 'input' && place.context.errors[blockId] !== undefined;
  return {
    id: nameOf(element, place),
    name: nameOf(element, place),
    label: labelOf(element, place),
    invalid: hasError ? 'true' : 'false',
    describedBy: isObject(place.block.hint) || hasError ? `about-${blockId}` : '',
  };
}
