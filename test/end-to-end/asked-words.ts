/** What the asker wrote themselves, of a text that the service was asked: the quotes from Slack stand before it. */
export function toAskedWords(text: string): string {
  return text.split(/^\[(?:End of the quotes\. My question|Ende der Zitate\. Meine Frage):\]\n/m).at(-1) ?? '';
}
