/**
 * Replaces control characters: text from outside could contain commands to the terminal. The two that join and part letters
 * stay: emoji and names are written with them.
 */
export function toPrintable(text: string): string {
  return text.replace(/(?![\u200c\u200d])\p{C}/gu, '?');
}
