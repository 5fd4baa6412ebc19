// Every question carries a number of its own, by which it is recognised wherever it turns up.

export function toQuestionText(number: number): string {
  return `what about item ${number}?`;
}

/** What its author makes of a message. It still names the app where it did: without that it might be for somebody else. */
export function toEditedText(text: string): string {
  return `${text} I mean as of today.`;
}

export function isEdited(text: string): boolean {
  return text.includes('I mean as of today.');
}

export function toAnswerText(number: number): string {
  return `This is the answer to item ${number}.`;
}

/** The number in a text or a request body. The last one: what is asked stands below the quotes from the thread. */
export function readItem(text: string): number | undefined {
  const digits = [...text.matchAll(/\bitem (\d+)/g)].at(-1)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The number that this text answers. */
export function readAnsweredItem(text: string): number | undefined {
  const digits = /\bThis is the answer to item (\d+)\./.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
