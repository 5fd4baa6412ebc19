import { type Fence, toFenceAfter } from './markdown-lines.ts';
import { escapeCode, escapeProse, JOINER, neutralise, toHostSuffix, toSafeUrl } from './neutralise.ts';
import { findSettledEnd, type Place } from './settled-markdown.ts';

/** What of a growing Markdown text may be shown already, as Slack Markdown that is only ever appended to. */
export type GrowingMarkdown = {
  /**
   * What can be appended, given all of the text that there is, from at most `most` UTF-16 units of it; empty if that is
   * nothing. Call `shown` once it is appended, else the same is returned again.
   */
  next(text: string, most: number): string;
  shown(): void;
  /** What has to end this message if the text goes on in another: it closes a code block. */
  closing(): string;
  /** Goes on in a new message, where the code block is opened again. */
  turnOver(): void;
};

/** `end`: how much of the text is shown; `tail`: the last of it. `isSure`: see renderLines. */
type Shown = Place & { end: number; tail: string; isSure: boolean };

/** A text that says something else there was rewritten by the service. */
const TAIL = 200;

/**
 * The result is as safe as that of toSlackMarkdown, with links as their labels: Slack fetches previews of what a stream
 * links to, and that cannot be turned off. What is shown is never read again, so each piece is made harmless whatever
 * stands before it, and the whole costs time in proportion to its length.
 */
export function createGrowingMarkdown(): GrowingMarkdown {
  let shown: Shown = { end: 0, tail: '', fence: undefined, isLineStart: true, isSure: true };
  /** Opens again a code block that was closed at the end of the former message. */
  let opening = '';
  let pending: Shown | undefined;

  return {
    next(text, most) {
      pending = undefined;
      // It may come back to what is shown.
      if (!text.startsWith(shown.tail, shown.end - shown.tail.length)) return '';
      const rest = toReadable(text.slice(shown.end, shown.end + most));
      const piece = rest.slice(0, findSettledEnd(rest, shown));
      if (piece === '') return '';
      const rendered = renderLines(piece, shown);
      const end = shown.end + piece.length;
      const tail = text.slice(Math.max(0, end - TAIL), end);
      pending = { ...rendered, end, tail, isLineStart: piece.endsWith('\n') };
      return opening + rendered.text + (WORD_END.test(piece) ? '' : JOINER);
    },
    shown() {
      if (!pending) return;
      shown = pending;
      opening = '';
      pending = undefined;
    },
    closing: () => (shown.fence && opening === '' ? `${shown.isLineStart ? '' : '\n'}${shown.fence.marker}` : ''),
    turnOver() {
      const { fence } = shown;
      opening = fence ? `${fence.marker}${fence.info.trimEnd()}\n` : '';
      shown = { ...shown, fence: fence && { ...fence, prefix: '' }, isLineStart: true, isSure: true };
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
function renderLines(
  piece: string,
  { fence, isLineStart, isSure }: Shown,
): Pick<Shown, 'fence' | 'isSure'> & { text: string } {
  let text = '';
  for (const [index, line] of piece.split(/(?<=\n)/).entries()) {
    const isStart = index > 0 || isLineStart;
    const before: Fence | undefined = fence;
    if (isStart) fence = toFenceAfter(line, before);
    isSure &&= !FENCE_SIGN.test(line) || (isStart && isPlainFence(line, before, fence));
    text += isSure && (before ?? fence) !== undefined ? escapeCode(line) : renderText(line, isStart);
  }
  return { text, fence, isSure };
}

const FENCE_SIGN = /`{3}|~{3}/;

/** Whether a line within, before or after code begins or ends it beyond doubt, or does neither. */
function isPlainFence(line: string, before: Fence | undefined, after: Fence | undefined): boolean {
  if (before === undefined) return after?.prefix === '' && after.marker.startsWith('`');
  return after !== undefined || /^ {0,3}`/.test(line);
}

/** A link or an image, with at most one pair of brackets within its label or its address. */
const LINK =
  /(?<!\\)!?\[((?:[^[\]\n]|\[[^[\]\n]{0,100}\]){1,500})\]\(<?(https?:\/\/(?:[^\s()<>[\]]|\([^\s()<>[\]]{0,200}\)){1,2000})>?(?: "[^"\n]{0,200}")?\)/gi;

function renderText(text: string, isLineStart: boolean): string {
  const named = text.includes('](') ? text.replace(LINK, toLabel) : text;
  return neutralise(escapeProse(named, isLineStart))
    .replaceAll('://', `:${JOINER}//`)
    .replace(/\bwww\./gi, `www${JOINER}.`);
}

function toLabel(written: string, label: string, address: string): string {
  const url = toSafeUrl(address);
  if (url === undefined) return written;
  // What stands beside it must not become a fence.
  const alone = /[`~]/.test(label) ? JOINER + label + JOINER : label;
  return alone + toHostSuffix(label, url, '');
}
