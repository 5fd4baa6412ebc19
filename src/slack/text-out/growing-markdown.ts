import { parseInline } from './markdown-tree.ts';
import { addSizes, BLOCK_COST, countCharacters, NO_SIZE, type Size } from './message-budget.ts';
import { breakAddresses, escapeEntities, escapeProse, JOINER, neutralise } from './neutralise.ts';
import { findSettledEnd, type Place } from './settled-markdown.ts';
import { type Fence, isBlockLine, isTableDelimiter, readLineMarkers, toFenceAfter } from './source-lines.ts';
import { type InlineForm, joinSpans, writeInline } from './write-inline.ts';

/** What can be appended to a message, and what the message holds with it. */
export type Growth = { text: string; size: Size };

/** `end`: how much of the text is shown; `tail`: the last of it; `size`: of this message. `isSure`: see renderLines. */
type Shown = Place & { end: number; tail: string; size: Size; isSure: boolean };

/** A text that says something else there was rewritten by the service. */
const TAIL = 200;

/** Of the block that a message begins with. */
const FIRST_BLOCK: Size = { blocks: 1, characters: BLOCK_COST, tables: 0 };

/**
 * What of a growing Markdown text may be shown already, as Slack Markdown that is only ever appended to.
 *
 * The result is as safe as that of toSlackMarkdown, with links as their labels: Slack fetches previews of what a stream
 * links to, and that cannot be turned off. What is shown is never read again, so each piece is made harmless whatever
 * stands before it, and the whole costs time in proportion to its length.
 */
export function createGrowingMarkdown() {
  let shown: Shown = { end: 0, tail: '', fence: undefined, isLineStart: true, size: FIRST_BLOCK, isSure: true };
  /** Opens again a code block that was closed at the end of the former message. */
  let opening = '';
  let pending: Shown | undefined;

  return {
    /**
     * What can be appended, given all of the text that there is, from at most `most` UTF-16 units of it; empty if that is
     * nothing. Call `shown` once it is appended, else the same is returned again.
     */
    next(text: string, most: number): Growth {
      pending = undefined;
      const nothing = { text: '', size: shown.size };
      // It may come back to what is shown.
      if (!text.startsWith(shown.tail, shown.end - shown.tail.length)) return nothing;
      const rest = toReadable(text.slice(shown.end, shown.end + most));
      const piece = rest.slice(0, findSettledEnd(rest, shown));
      if (piece === '') return nothing;
      const { text: rendered, size: more, ...place } = renderLines(piece, shown);
      const added = opening + rendered + (WORD_END.test(piece) ? '' : JOINER);
      const size = addSizes(addSizes(shown.size, more), { ...NO_SIZE, characters: countCharacters(added) });
      const end = shown.end + piece.length;
      const tail = text.slice(Math.max(0, end - TAIL), end);
      pending = { ...place, end, tail, size, isLineStart: piece.endsWith('\n') };
      return { text: added, size };
    },
    shown(): void {
      if (!pending) return;
      shown = pending;
      opening = '';
      pending = undefined;
    },
    /** What has to end this message if the text goes on in another: it closes a code block. */
    closing: (): string =>
      shown.fence && opening === '' ? `${shown.isLineStart ? '' : '\n'}${shown.fence.marker}` : '',
    /** Goes on in a new message, where the code block is opened again. */
    turnOver(): void {
      const { fence } = shown;
      opening = fence ? `${fence.marker}${fence.info.trimEnd()}\n` : '';
      shown = {
        ...shown,
        fence: fence && { ...fence, prefix: '' },
        isLineStart: true,
        size: FIRST_BLOCK,
        isSure: true,
      };
      pending = undefined;
    },
  };
}

/** Of the same length, without what would be gone or another sign once it is rendered. */
function toReadable(text: string): string {
  return text.replace(/\r(?!\n)/g, ' ').replace(/[\u202A-\u202E]/g, JOINER);
}

/** Nothing of ours that could have a meaning reaches over such an end: see neutralise.ts. */
const WORD_END = /[\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]$/;

/**
 * `isSure`: so far, all readers of Markdown agree on what is a code block. Only then code stays as it is; else everything
 * is made harmless as text, which it is in code as well.
 */
function renderLines(piece: string, { fence, isLineStart, isSure }: Shown) {
  let text = '';
  let size = NO_SIZE;
  for (const [index, line] of piece.split(/(?<=\n)/).entries()) {
    const isStart = index > 0 || isLineStart;
    const before: Fence | undefined = fence;
    if (isStart) fence = toFenceAfter(line, before);
    const isText = before === undefined && fence === undefined;
    isSure &&= !FENCE_SIGN.test(line) || (isStart && isPlainFence(line, before, fence));
    text += isSure && !isText ? escapeEntities(line) : renderText(line, isStart);
    if (isStart && before === undefined) size = addSizes(size, measureBlocks(line, isText));
  }
  return { text, size, fence, isSure };
}

/** The block that begins with a line, if any, and one for the text after it. */
function measureBlocks(line: string, isText: boolean): Size {
  if (isText && !isBlockLine(line)) return NO_SIZE;
  return { blocks: 2, characters: 2 * BLOCK_COST, tables: isText && isTableDelimiter(line) ? 1 : 0 };
}

const FENCE_SIGN = /`{3}|~{3}/;

/** Whether a line within, before or after code begins or ends it beyond doubt, or does neither. */
function isPlainFence(line: string, before: Fence | undefined, after: Fence | undefined): boolean {
  if (before === undefined) return after?.prefix === '' && after.marker.startsWith('`');
  return after !== undefined || /^ {0,3}`/.test(line);
}

/** A line that may be code to some readers keeps its signs. */
function renderText(line: string, isLineStart: boolean): string {
  if (FENCE_SIGN.test(line)) return escapeEntities(breakAddresses(neutralise(line)));
  const markers = isLineStart ? readLineMarkers(line) : '';
  const written = line.slice(markers.length);
  if (!ACTIVE.test(written)) return line;
  const [, text = '', end = ''] = /^(.*?)(\s*)$/s.exec(written) ?? [];
  const lead = /^\s*/.exec(text)?.[0] ?? '';
  const lines = writeInline(parseInline(text.slice(lead.length)), STREAM);
  return markers + lead + lines.map(joinSpans).join('\n') + end;
}

/** What else is in a line of text is shown as it is. Reading each line would cost several times as much. */
const ACTIVE = /[&<>@\\[\]!~]|:\/\/|www\./i;

const STREAM: InlineForm = {
  place: 'stream',
  toProse: (prose) => breakAddresses(escapeProse(prose)),
  toCode: (code) => breakAddresses(escapeEntities(neutralise(code))),
};
