// Text from outside, made fit to stand in a block: one line, cut between characters as people see them, escaped.

import { DateTime, IANAZone } from 'luxon';
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

/**
 * As toMrkdwnLine, for a name that somebody gave: it looks as it is, and cannot dress up as ours in bold, code or emoji.
 * Slack has no way to escape these, so that letters which look the same take their place; who searches by a copied name
 * finds it all the same (toComparable). Ids are shown by toMrkdwnLine: they are copied to other places.
 */
export function toMrkdwnName(text: string, maxLength: number): string {
  const plain = toLine(text, maxLength)
    .replace(/[*~`]/g, (mark) => LOOK_ALIKES[mark] ?? mark)
    // Within a word it formats nothing: sales_bot stays.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, LOOK_ALIKES._ ?? '')
    .replace(/:(?=[^\s:]+:)/g, ':\u2060');
  return escapeMrkdwn(plain);
}

const LOOK_ALIKES: Record<string, string> = { '*': '\u2217', '~': '\u223c', '`': '\u02cb', _: '\u02cd' };

/** As toLine, for mrkdwn. `maxLength` is before escaping, which makes at most five characters of one. */
export function toMrkdwnLine(text: string, maxLength: number): string {
  return escapeMrkdwn(toLine(text, maxLength));
}

/** 4 Mar 2026, 14:05 CET. `timeZone` is IANA; one that is none counts as UTC. */
export function formatTime(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' }).toFormat('d LLL yyyy, HH:mm ZZZZ');
}
