// Quotes as text for the service: what others wrote must never look like a frame of ours, or like the asker's words.
import type { Texts } from '../../languages/english.ts';
import { cutGraphemes } from '../text-out/plain-text.ts';

type Speaker =
  | { kind: 'assistant' }
  /** The name of the file is shown instead of the author. */
  | { kind: 'person' | 'asker' | 'app' | 'file'; name: string };

/** `isKept`: it must not be left out. */
export type Said = { speaker: Speaker; text: string; isKept?: boolean };

export type Quotes = {
  lines: string[];
  /** How many are quoted, and how many were shortened or left out. */
  messages: number;
  cut: number;
  /** Characters, line ends included. */
  size: number;
};

export type Frame = Texts['threadContext']['frame'];

export const NO_QUOTES: Quotes = { lines: [], messages: 0, cut: 0, size: 0 };

/**
 * What one message may take, in characters: most are far shorter, and a long one must not push out the others of a
 * thread.
 */
export const MAX_QUOTE = 2_000;

const MAX_NAME = 60;

const QUOTE_MARK = '> ';

/**
 * Quotes messages in order, at most `budget` characters: first those with `isKept`, then the newest. Every line of a
 * quoted text begins with `> `, and none of ours does. `most`: the characters of one message.
 */
export function quote(said: readonly Said[], budget: number, frame: Frame, most = MAX_QUOTE): Quotes {
  // Room for all kept messages and one more.
  const share = Math.floor(budget / (1 + said.filter(({ isKept }) => isKept).length)) - 1;
  const rendered = said.map(({ speaker, text }) => renderQuote(speaker, text, Math.min(most, share), frame));
  const chosen = choose(said, rendered, budget);
  const lines: string[] = [];
  let skipped = 0;
  for (const [index, { text }] of rendered.entries()) {
    if (!chosen.has(index)) {
      skipped++;
      continue;
    }
    if (skipped > 0) lines.push(frame.leftOut(skipped));
    skipped = 0;
    lines.push(text);
  }
  if (skipped > 0) lines.push(frame.leftOut(skipped));
  const shortened = [...chosen].filter((index) => rendered[index]?.isCut).length;
  const cut = said.length - chosen.size + shortened;
  return { lines, messages: chosen.size, cut, size: lines.join('\n').length };
}

/** The whole text: the frame, the quotes, and last the asker's words, unchanged. */
export function composeText(lines: readonly string[], question: string, frame: Frame): string {
  return lines.length === 0 ? question : [frame.begin, ...lines, frame.end, question].join('\n');
}

/** A name for the frame: one line, without the characters that the frame uses. */
export function toQuotedName(name: string, frame: Frame): string {
  const plain = name
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}.&+_-]+/gu, ' ')
    .trim();
  return cutGraphemes(plain, MAX_NAME).trim() || frame.somebody;
}

type Rendered = { text: string; isCut: boolean };

function renderQuote(speaker: Speaker, text: string, most: number, frame: Frame): Rendered {
  const label = frame[speaker.kind]('name' in speaker ? toQuotedName(speaker.name, frame) : '');
  // Do not process megabytes of text for the little that fits.
  const begin = text.slice(0, 2 * most);
  const { lines, isCut: isLong } = cutLines(toPlainLines(begin), most - label.length - frame.cut.length - 2);
  const isCut = isLong || begin.length < text.length;
  return { text: [label, ...lines, ...(isCut ? [frame.cut] : [])].join('\n'), isCut };
}

/** Turns everything that an editor or a model may take for a line end into one, and removes invisible characters. */
function toPlainLines(text: string): string[] {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu, '')
    .trim()
    .split('\n');
}

/** The first lines, marked as quoted, at most `room` characters together. */
function cutLines(lines: readonly string[], room: number): { lines: string[]; isCut: boolean } {
  const kept: string[] = [];
  let left = room;
  for (const line of lines) {
    const whole = QUOTE_MARK + line;
    if (whole.length < left) {
      kept.push(whole);
      left -= whole.length + 1;
      continue;
    }
    if (left > QUOTE_MARK.length + 1) kept.push(QUOTE_MARK + cutGraphemes(line, left - QUOTE_MARK.length - 1));
    return { lines: kept, isCut: true };
  }
  return { lines: kept, isCut: false };
}

/** The newest messages without a gap, so that no reply is quoted without the message before it. */
function choose(said: readonly Said[], rendered: readonly Rendered[], budget: number): Set<number> {
  const chosen = new Set<number>();
  let left = budget;
  const take = (index: number): boolean => {
    const size = (rendered[index]?.text.length ?? 0) + 1;
    if (size > left) return false;
    left -= size;
    chosen.add(index);
    return true;
  };
  for (const [index, { isKept }] of said.entries()) if (isKept) take(index);
  for (let index = said.length - 1; index >= 0; index--) {
    if (!chosen.has(index) && !take(index)) break;
  }
  return chosen;
}
