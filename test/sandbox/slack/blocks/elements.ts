import { isObject, toObjects } from '../json.ts';
import type { Block, Json } from '../records.ts';

/** Something to press or to fill in, and the block that it stands in. */
export type Placed = { block: Block; element: Json };

export function elementsIn(blocks: readonly Block[]): Placed[] {
  return blocks.flatMap((block) =>
    [...toObjects(block.elements), block.accessory, block.element]
      .filter(isObject)
      .flatMap(sides)
      .filter(({ action_id }) => typeof action_id === 'string')
      .map((element) => ({ block, element })),
  );
}

/** Fields of any kind: of inputs, of actions, and beside sections. */
export function fieldsIn(blocks: readonly Block[]): Placed[] {
  return elementsIn(blocks).filter(({ element }) => element.type !== 'button' && element.type !== 'image');
}

/** Feedback buttons are one element with two things to press. */
function sides(element: Json): Json[] {
  if (element.type !== 'feedback_buttons') return [element];
  return [element.positive_button, element.negative_button]
    .filter(isObject)
    .map((button) => ({ ...element, ...button, type: 'feedback_buttons' }));
}
