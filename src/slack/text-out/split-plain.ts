import { countCharacters, entityCost } from './message-budget.ts';

/**
 * Pieces of a text of at most so many characters, as Slack counts them, cut at a line end or a blank where there is one
 * in the second half. Takes time in proportion to the text, and parses nothing. No pieces of a blank text.
 */
export function splitPlain(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const furthest = toFurthest(text, start, limit);
    const end = furthest === text.length ? furthest : toGoodEnd(text, start, furthest);
    const piece = text.slice(start, end).trimEnd();
    if (piece.trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** The same, where one piece has to do: its end is cut off, and that is shown. */
export function cutPlain(text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  return `${text.slice(0, toFurthest(text, 0, limit - 1))}…`;
}

function toFurthest(text: string, start: number, limit: number): number {
  let left = limit;
  let end = start;
  while (end < text.length) {
    const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    left -= width + entityCost(text.charCodeAt(end));
    if (left < 0) break;
    end += width;
  }
  return end;
}

function toGoodEnd(text: string, start: number, furthest: number): number {
  const half = start + (furthest - start) / 2;
  const line = text.lastIndexOf('\n', furthest - 1) + 1;
  if (line > half) return line;
  const blank = text.lastIndexOf(' ', furthest - 1) + 1;
  return blank > half ? blank : furthest;
}
