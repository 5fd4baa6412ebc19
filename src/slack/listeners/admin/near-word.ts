// The command that somebody meant who mistyped it.

const WORDS = 'agents environments usage limit limits allocation review audit sign-in help'.split(' ');

/** Undefined where no word of /assistant-admin is near: two slips of the finger, or one in a short word. */
export function findNearWord(typed: string): string | undefined {
  // Longer is no slip, and would be work.
  const word = typed.slice(0, 20).replaceAll('_', '-');
  const near = WORDS.map((known) => ({ known, slips: word.startsWith(`${known}-`) ? 0 : countSlips(word, known) }));
  const fitting = near.filter(({ known, slips }) => slips <= (Math.min(word.length, known.length) < 5 ? 1 : 2));
  return fitting.sort((one, other) => one.slips - other.slips)[0]?.known;
}

/** The Levenshtein distance: letters to put in, leave out or replace. */
function countSlips(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const [left = 0, above = 0, before = 0] = [next[at - 1], row[at], row[at - 1]];
      next.push(Math.min(left + 1, above + 1, before + (letter === to[at - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
