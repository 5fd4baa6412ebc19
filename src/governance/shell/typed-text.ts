/** No name is longer, and the text has to fit into buttons. */
const MAX_LENGTH = 200;

/** The text that a list is searched by. Empty: everything is listed. */
export function toSearchText(typed: string): string {
  return toPlainWidth(typed).trim().slice(0, MAX_LENGTH).toWellFormed();
}

/** Japanese, Chinese and Korean keyboards also type digits, Latin letters and signs in full width: ５０００ is 5000. */
export function toPlainWidth(typed: string): string {
  return typed.normalize('NFC').replace(/[\u3000\uff00-\uffef]+/g, (wide) => wide.normalize('NFKC'));
}

/** How many letters to insert, delete or replace: https://en.wikipedia.org/wiki/Levenshtein_distance */
export function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** maker → Maker. */
export function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
