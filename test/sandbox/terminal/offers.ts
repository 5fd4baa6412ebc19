// What the person at the terminal can press: every button that was shown lately has a number.
import { elementsIn } from '../slack/blocks/elements.ts';
import { wordsOf } from '../slack/json.ts';
import type { Message, View } from '../slack/records.ts';

export type Offer = {
  readonly words: string;
  /** What the button is on. */
  readonly on: Message | View;
  /** An action id, or what closes or sends a modal. */
  readonly press: { readonly actionId: string } | 'submit' | 'close';
};

export type Offers = ReturnType<typeof createOffers>;

export function createOffers() {
  let offers: Offer[] = [];
  let isOld = false;
  return {
    /** From now on the numbers begin at 1 again, as soon as something new is shown. */
    turnPage(): void {
      isOld = true;
    },
    /** Numbers the buttons of what is shown, and returns them as one line; empty without any. */
    add(shown: Message | View): string {
      const added = listOffers(shown);
      if (added.length > 0 && isOld) offers = [];
      if (added.length > 0) isOld = false;
      const first = offers.push(...added) - added.length + 1;
      return added.map(({ words }, index) => `press ${first + index}: ${words}`).join('   ');
    },
    /** `number` as it was shown. */
    find: (number: number) => offers[number - 1],
  };
}

function listOffers(shown: Message | View): Offer[] {
  const buttons = elementsIn(shown.blocks).flatMap(({ element: { type, text, action_id } }): Offer[] => {
    const words = wordsOf(text) ?? '';
    // The two sides of feedback have one id, and are told apart by their words.
    const actionId = type === 'button' ? String(action_id) : words;
    return type === 'button' || type === 'feedback_buttons' ? [{ words, on: shown, press: { actionId } }] : [];
  });
  if (!('callbackId' in shown)) return buttons;
  const ends = [
    { words: wordsOf(shown.submit) ?? '', on: shown, press: 'submit' },
    { words: wordsOf(shown.close) ?? 'Close', on: shown, press: 'close' },
  ] satisfies Offer[];
  return [...buttons, ...ends.filter(({ words }) => words !== '')];
}
