// Text from outside, made fit to stand in a block: one line, cut between characters as people see them, escaped.
import { escapeMrkdwn } from '../text-out/escape-mrkdwn.ts';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line without control characters, at most `maxLength` UTF-16 units, never cut inside a character. */
export function toLine(text: string, maxLength: number): string {
  // Direction marks could turn around what stands after them.
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (line.length <= maxLength) return line;
  let kept = '';
  for (const { segment } of SEGMENTER.segment(line)) {
    if (kept.length + segment.length > maxLength - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** As toLine, for mrkdwn. `maxLength` is before escaping, which makes at most five characters of one. */
export function toMrkdwnLine(text: string, maxLength: number): string {
  return escapeMrkdwn(toLine(text, maxLength));
}
