import { parseInline } from './markdown-tree.ts';
import { addSizes, BLOCK_COST, countCharacters, NO_SIZE, type Size } from './message-budget.ts';
import { breakAddresses, escapeEntities, escapeProse, JOINER, neutralise } from './neutralise.ts';
import { findSettledEnd, type Place } from './settled-markdown.ts';
import { type Fence, isBlockLine, isTableDelimiter, readLineMarkers, toFenceAfter } from './source-lines.ts';
import { type InlineForm, joinSpans, writeInline } from './write-inline.ts';

/** What can be appended to a message, and what the message holds with it. */
export type Growth = { text: string; size: Size };

/** `end`: how much of the text is shown; `tail`: the end of that; `size`: of this message. `isSure`: see renderLines. */
type Shown = Place & { end: number; tail: string; size: Size; isSure: boolean };

/** How much shown text is compared with the new text, to see whether the service has rewritten it. */
const TAIL = 200;

/** The size of the block that a message begins with. */
const FIRST_BLOCK: Size = { blocks: 1, characters: BLOCK_COST, tables: 0 };

/**
 * Shows a growing Markdown text as Slack Markdown, to which text is only appended.
 *
 * The result is as safe as that of toSlackMarkdown. Links are shown without their addresses: Slack fetches previews of the
 * links in a stream, and that cannot be turned off. Shown text is never parsed again, so each piece is made harmless
 * whatever comes before it, and the time is proportional to the length.
 */
export function createGrowingMarkdown() {
  let shown: Shown = { end: 0, tail: '', fence: undefined, isLineStart: true, size: FIRST_BLOCK, isSure: true };
  /** Reopens a code block that was closed at the end of the previous message. */
  let opening = '';
  let pending: Shown | undefined;

  return {
    /**
     * What can be appended now. `text`: all the text so far, of which at most `most` more UTF-16 units are read. Empty if
     * there is nothing. Call `shown` after appending it, else the same is returned again.
     */
    next(text: string, most: number): Growth {
      pending = undefined;
      const nothing = { text: '', size: shown.size };
      // The service has rewritten what is shown. A later text may begin with it again.
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
    /** The text that ends this message before the next one begins: it closes an open code block. */
    closing: (): string =>
      shown.fence && opening === '' ? `${shown.isLineStart ? '' : '\n'}${shown.fence.marker}` : '',
    /** Begins a new message, which reopens the code block. */
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

/** Replaces characters that rendering would drop or change. The length stays the same. */
function toReadable(text: string): string {
  return text.replace(/\r(?!\n)/g, ' ').replace(/[\u202A-\u202E]/g, JOINER);
}

/** After such an end, nothing before it can become a link or a mention: see neutralise.ts. */
const WORD_END = /[\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]$/;

/**
 * `isSure`: so far, all Markdown parsers agree on what is a code block. Only then code stays unchanged. Otherwise
 * everything is made harmless as text, which does no harm in code either.
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

/** Whether it is beyond doubt that a line begins a code block, ends it or is inside it. */
function isPlainFence(line: string, before: Fence | undefined, after: Fence | undefined): boolean {
  if (before === undefined) return after?.prefix === '' && after.marker.startsWith('`');
  return after !== undefined || /^ {0,3}`/.test(line);
}

/** A line that some parsers may read as code keeps its markup. */
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

/** A line without these is shown unchanged: parsing each line would cost several times as much. */
const ACTIVE = /[&<>@\\[\]!~]|:\/\/|www\./i;

const STREAM: InlineForm = {
  place: 'stream',
  toProse: (prose) => breakAddresses(escapeProse(prose)),
  toCode: (code) => breakAddresses(escapeEntities(neutralise(code))),
};
