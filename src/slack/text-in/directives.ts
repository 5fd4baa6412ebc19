import type { Range } from './assemble.ts';

// Slack refuses slash commands in threads, so that these words, anywhere in a message, are the way to say it there.
// A word of its own: brackets and quotes may stand around it, punctuation behind it.
const WEB_OFF =
  /(?<![^\s([{"'“‘*_~>])(?:\/assistant-web-off|!assistant-web-off|!web-off)(?=[.,;:!?…)\]}"'”’*_~]*(?:\s|$))/gi;

// The one way to name a file by id that cannot be mistaken: `file:` and an id of the document library.
const ITEM_ID = /(?<![^\s([{"'“‘])file:([A-Za-z0-9][A-Za-z0-9!_-]{9,99})(?=[.,;:!?…)\]}"'”’]*(?:\s|$))/gi;

/** Where a text, with code and links blanked out, says that web search is to be off. */
export function findWebOff(searchable: string): Range[] {
  return [...searchable.matchAll(WEB_OFF)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
}

/** Ids of files named as `file:<id>`. */
export function findItemIds(searchable: string): string[] {
  const ids = [...searchable.matchAll(ITEM_ID)].map(([, id = '']) => id);
  return [...new Set(ids.filter((id) => /\d/.test(id)))];
}

/** Takes parts out of a text, with the comma or colon that followed them and the gap they would leave. */
export function removeRanges(text: string, ranges: Range[]): string {
  const sorted = ranges.toSorted((one, other) => one.start - other.start);
  let kept = '';
  let from = 0;
  for (const { start, end } of sorted) {
    if (start < from) {
      from = Math.max(from, end);
      continue;
    }
    kept += text.slice(from, start);
    from = skipSeparator(text, end);
    if (kept === '' || isSpace(kept.at(-1))) {
      from = skipBlanks(text, from);
    }
    if (from === text.length || '.!?)\n'.includes(text.charAt(from))) {
      kept = trimBlanks(kept);
    }
  }
  return (kept + text.slice(from)).trim();
}

// A colon is a separator only if a blank follows: otherwise it begins an emoji.
function skipSeparator(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && ',;:'.includes(text.charAt(end))) {
    end += 1;
  }
  return end === text.length || isSpace(text.charAt(end)) ? end : offset;
}

function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (text.charAt(end) === ' ' || text.charAt(end) === '\t') {
    end += 1;
  }
  return end;
}

function trimBlanks(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === ' ' || text.charAt(end - 1) === '\t') {
    end -= 1;
  }
  return text.slice(0, end);
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character.trim() === '';
}
