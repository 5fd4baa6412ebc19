import { type Fence, toFenceAfter } from './fences.ts';

/** What has to be repeated around a cut, so that both sides mean what the whole meant. */
export type Surroundings = { opening: string; closing: string };

/** `end` is the offset after the line and its line break. `mayEndPart`: a cut after it leaves nothing odd behind. */
export type Line = { end: number; isBlank: boolean; mayEndPart: boolean; surroundings: Surroundings };

const NOTHING: Surroundings = { opening: '', closing: '' };

/** The lines of a text with what a cut after each of them has to repeat, of which there are at most `most` bytes. */
export function readLines(markdown: string, most: number): Line[] {
  const texts = markdown.split(/(?<=\n)/);
  const lines: Line[] = [];
  let end = 0;
  let fence: Fence | undefined;
  let heading = '';
  for (const [index, text] of texts.entries()) {
    const before = fence;
    fence = toFenceAfter(text, before);
    heading = fence === undefined ? toHeadingAfter(texts, index, heading) : '';
    end += text.length;
    const next = texts[index + 1] ?? '';
    lines.push({
      end,
      isBlank: text.trim() === '' && fence === undefined,
      mayEndPart: fence === undefined ? !isHeading(texts, index) : before !== undefined && !isClosing(next, fence),
      surroundings: fence === undefined ? toTableSurroundings(heading, next, most) : toCodeSurroundings(fence, most),
    });
  }
  return lines;
}

// A part that begins with a closing fence would show an empty code block.
function isClosing(next: string, fence: Fence): boolean {
  return toFenceAfter(next, fence) === undefined;
}

// A table that goes on needs its heading again: the row above the dashes, and the dashes.
function toHeadingAfter(texts: string[], index: number, heading: string): string {
  const text = texts[index] ?? '';
  if (isDelimiter(text)) {
    return (texts[index - 1] ?? '') + text;
  }
  return text.includes('|') ? heading : '';
}

function isHeading(texts: string[], index: number): boolean {
  return isDelimiter(texts[index] ?? '') || isDelimiter(texts[index + 1] ?? '');
}

function isDelimiter(text: string): boolean {
  return text.startsWith('|') && text.includes('-') && /^[-:| \t\r\n]+$/.test(text);
}

function toTableSurroundings(heading: string, next: string, most: number): Surroundings {
  const isRepeated = heading.startsWith('|') && next.includes('|') && Buffer.byteLength(heading) <= most;
  return isRepeated ? { opening: heading, closing: '' } : NOTHING;
}

function toCodeSurroundings({ prefix, marker, info }: Fence, most: number): Surroundings {
  // Behind a list marker the code goes on unmarked, and not so far indented that the fence would be code itself.
  const indent = prefix.replace(/[^ \t>]/g, ' ').replace(/[ \t]{4,}/g, '   ');
  const fence = (indent.length > most / 4 ? '' : indent) + (marker.length > most / 4 ? marker.slice(0, 3) : marker);
  return { opening: `${fence}${Buffer.byteLength(info) > most / 4 ? '' : info.trimEnd()}\n`, closing: fence };
}
