import { countCharacters, findFurthest } from './message-budget.ts';
import { GRAPHEMES } from './plain-text.ts';
import type { Line } from './write-inline.ts';

/**
 * Cuts a line: a beginning of at most `room` characters, and the rest. Cuts after a sentence (in the first span only if
 * that uses half of the room), else between words; never within a whole span. `isForced`: if that fails, anywhere.
 */
export function cutLine(line: Line, room: number, isForced: boolean): [Line, Line] {
  let left = room;
  const begun: Line = [];
  for (const [index, span] of line.entries()) {
    const cost = countCharacters(span.text);
    if (cost <= left) {
      left -= cost;
      begun.push(span);
      continue;
    }
    const others = line.slice(index + 1);
    const canWait = begun.length > 0 || !isForced;
    if (span.isWhole && canWait) return [begun, [span, ...others]];
    const end =
      findEnd(span.text, Math.max(0, left), begun.length > 0 ? 0 : left / 2) ||
      (canWait ? 0 : toCharacterEnd(span.text, Math.max(0, left)));
    if (end === 0) return [begun, [span, ...others]];
    const [one, other] = [span.text.slice(0, end), span.text.slice(end)];
    return [
      [...begun, { ...span, text: one }],
      [{ ...span, text: other }, ...others],
    ];
  }
  return [begun, []];
}

/** The offset after the last sentence, if it is more than `least`; else after the last word; else 0. */
function findEnd(text: string, room: number, least: number): number {
  const near = text.slice(0, findFurthest(text, 0, room));
  const sentence = TO_SENTENCE_END.exec(near)?.[0].length ?? 0;
  return sentence > least ? sentence : near.lastIndexOf(' ') + 1;
}

/** Up to the end of the last sentence. */
const TO_SENTENCE_END = /^.*(?:[。！？]|[.!?…] )/s;

// Longer combining sequences do not occur in real text.
const LONGEST_GRAPHEME = 64;

/** The last offset within `room` that splits no entity, no escaped character and no grapheme. */
function toCharacterEnd(text: string, room: number): number {
  const furthest = findFurthest(text, 0, room);
  const begun = /(?:&#?\w{0,10}|\\)$/.exec(text.slice(Math.max(0, furthest - 12), furthest))?.[0].length ?? 0;
  const end = furthest - begun || furthest;
  const before = Math.max(0, end - LONGEST_GRAPHEME);
  const segment = GRAPHEMES.segment(text.slice(before, end + LONGEST_GRAPHEME)).containing(end - before);
  const start = before + (segment?.index ?? 0);
  return start > before ? start : Math.max(end, 1);
}
