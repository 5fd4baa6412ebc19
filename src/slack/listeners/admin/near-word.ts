// The command that somebody meant who mistyped it.
import { countEdits } from '../../../governance/edit-distance.ts';

const WORDS = 'agents environments usage limit limits allocation review audit sign-in help'.split(' ');

/** Undefined where no word of /assistant-admin is near: two slips of the finger, or one in a short word. */
export function findNearWord(typed: string): string | undefined {
  // Longer is no slip, and would be work.
  const word = typed.slice(0, 20).replaceAll('_', '-');
  const near = WORDS.map((known) => ({ known, slips: word.startsWith(`${known}-`) ? 0 : countEdits(word, known) }));
  const fitting = near.filter(({ known, slips }) => slips <= (Math.min(word.length, known.length) < 5 ? 1 : 2));
  return fitting.sort((one, other) => one.slips - other.slips)[0]?.known;
}
