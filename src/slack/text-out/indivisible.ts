type Range = { start: number; end: number };

// Fences, links as we write them with their host, bare addresses, and code within a line. Each alternative stops at the
// character with which the next match could start, so that the search takes time in proportion to the text.
const INDIVISIBLE = new RegExp(
  [
    '^(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*(?:`{3,}|~{3,})[^\\n]*',
    '(?<!\\\\)\\[(?:\\\\.|`[^`\\n]+`|[^\\\\[\\]`])*\\]\\([^()\\s]*\\)(?: \\([^()\\s]{1,255}\\))?',
    'https?://[^\\s<>[\\]()`]+',
    '`[^`\\n]+`',
  ].join('|'),
  'gm',
);

// A combining sequence longer than this is no writing; to look further back would cost more than it saves.
const LONGEST_GRAPHEME = 64;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Tells whether an offset lies inside of something that must stay in one piece, and where that begins. */
export type FindIndivisible = (offset: number) => number | undefined;

export function createIndivisibleFinder(markdown: string): FindIndivisible {
  const ranges: Range[] = [];
  for (const match of markdown.matchAll(INDIVISIBLE)) {
    ranges.push({ start: match.index, end: match.index + match[0].length });
  }
  return (offset) => {
    const range = findLastBefore(ranges, offset);
    return range !== undefined && offset < range.end ? range.start : undefined;
  };
}

/** The nearest offset at or before this one that splits no entity, and no character as a person sees it. */
export function toCharacterBorder(markdown: string, offset: number): number {
  const from = Math.max(0, offset - 12);
  const entity = from + markdown.slice(from, offset).lastIndexOf('&');
  const isInEntity = entity >= from && /^&#?\w{1,10};/.exec(markdown.slice(entity, entity + 13));
  const border = isInEntity && entity + isInEntity[0].length > offset ? entity : offset;
  const before = toCodePointBorder(markdown, Math.max(0, border - LONGEST_GRAPHEME));
  const segment = graphemes.segment(markdown.slice(before, border + LONGEST_GRAPHEME)).containing(border - before);
  return segment === undefined || segment.index === 0 ? toCodePointBorder(markdown, border) : before + segment.index;
}

function toCodePointBorder(markdown: string, offset: number): number {
  const isSplit =
    /[\uDC00-\uDFFF]/.test(markdown.charAt(offset)) && /[\uD800-\uDBFF]/.test(markdown.charAt(offset - 1));
  return isSplit ? offset - 1 : offset;
}

function findLastBefore(ranges: Range[], offset: number): Range | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ranges[low - 1];
}
