// What the person at the terminal can press: every button that was shown lately has a number.
import { isObject } from '../slack/blocks/problems.ts';
import type { Block, Json, Message, View } from '../slack/records.ts';

export type Offer = {
  readonly words: string;
  /** What the button is on. */
  readonly on: Message | View;
  /** An action id, or what closes or sends a modal. */
  readonly press: { readonly actionId: string } | 'submit' | 'close';
};

export type Offers = {
  /** From now on the numbers begin at 1 again, as soon as something new is shown. */
  turnPage(): void;
  /** Numbers the buttons of what is shown, and returns them as one line; empty without any. */
  add(shown: Message | View): string;
  /** `number` as it was shown. */
  find(number: number): Offer | undefined;
};

export function createOffers(): Offers {
  let offers: Offer[] = [];
  let isOld = false;
  return {
    turnPage() {
      isOld = true;
    },
    add(shown) {
      const added = listOffers(shown);
      if (added.length > 0 && isOld) offers = [];
      if (added.length > 0) isOld = false;
      const first = offers.push(...added) - added.length + 1;
      return added.map(({ words }, index) => `press ${first + index}: ${words}`).join('   ');
    },
    find: (number) => offers[number - 1],
  };
}

function listOffers(shown: Message | View): Offer[] {
  const buttons = shown.blocks
    .flatMap(listButtons)
    .map((button): Offer => ({ words: textOf(button.text), on: shown, press: { actionId: String(button.action_id) } }));
  if (!('callbackId' in shown)) return buttons;
  const ends = [
    { words: textOf(shown.submit), on: shown, press: 'submit' },
    { words: textOf(shown.close) || 'Close', on: shown, press: 'close' },
  ] satisfies Offer[];
  return [...buttons, ...ends.filter(({ words }) => words !== '')];
}

function listButtons(block: Block): Json[] {
  const children = [block.elements, block.child_blocks].filter(Array.isArray).flat();
  const elements = [...children, block.accessory].filter(isObject) as Block[];
  return elements.flatMap((element) => {
    if (element.type === 'button') return [element];
    if (element.type !== 'feedback_buttons') return listButtons(element);
    // One element with two things to press, which are told apart by their words.
    return [element.positive_button, element.negative_button]
      .filter(isObject)
      .map((button) => ({ ...button, action_id: textOf(button.text) }));
  });
}

function textOf(text: unknown): string {
  return isObject(text) ? String(text.text) : '';
}
