/** Some of it comes from elsewhere, and a terminal takes orders from some characters. */
export function toPrintable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
