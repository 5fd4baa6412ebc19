// Every question carries a number of its own, by which it is recognised wherever it turns up.

export function toQuestionText(number: number): string {
  return `what about item ${number}?`;
}

export function toAnswerText(number: number): string {
  return `This is the answer to item ${number}.`;
}

/** The number in a text or a request body. */
export function readItem(text: string): number | undefined {
  const digits = /\bitem (\d+)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The number that this text answers. */
export function readAnsweredItem(text: string): number | undefined {
  const digits = /\bThis is the answer to item (\d+)\./.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
