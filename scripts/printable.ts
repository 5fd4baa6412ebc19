/** Replaces control characters: text from outside could contain commands to the terminal. */
export function toPrintable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
