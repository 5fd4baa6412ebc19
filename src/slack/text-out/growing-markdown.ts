import { type Fence, toFenceAfter } from './markdown-lines.ts';
import { JOINER } from './neutralise.ts';
import { renderMarkdown } from './render-markdown.ts';
import { findSettledEnd } from './settled-markdown.ts';

/** What of a growing Markdown text may be shown already, as Slack Markdown that is only ever appended to. */
export type GrowingMarkdown = {
  /**
   * What can be appended, given all of the text that there is, from at most `most` UTF-16 units of it; empty if that is
   * nothing. Call `shown` once it is appended, else the same is returned again. Rejects with RenderTimeoutError.
   */
  next(text: string, most: number): Promise<string>;
  shown(): void;
  /** What has to end this message if the text goes on in another: it closes a code block. */
  closing(): string;
  /** Goes on in a new message, where the code block is opened again. */
  turnOver(): void;
};

/**
 * The result is safe as toSlackMarkdown makes it, with links as their labels: Slack fetches previews of what a stream
 * links to, and that cannot be turned off. It is rendered from the last blank line on, with what is shown already, so that
 * nothing is read without what stands before it.
 */
export function createGrowingMarkdown(): GrowingMarkdown {
  /** All of the text that is shown. */
  let source = '';
  /** Where the rendered part of it begins. */
  let start = 0;
  /** Opens again a code block that was closed at the end of the former message. */
  let opening = '';
  /** What is shown of that part. */
  let rendered = '';
  let pending: { source: string; rendered: string } | undefined;

  async function advance(): Promise<void> {
    const at = findLastParagraph(source, start, opening);
    if (at === start) return;
    [start, opening] = [at, ''];
    rendered = await render(source.slice(at));
  }

  function openFence(): Fence | undefined {
    return findFence(opening + source.slice(start));
  }

  return {
    async next(text, most) {
      pending = undefined;
      // The service has rewritten it. It may come back to what is shown.
      if (!text.startsWith(source)) return '';
      await advance();
      const end = findSettledEnd(text, { start, from: source.length, opening, most: source.length + most });
      if (end <= source.length) return '';
      const after = await render(opening + text.slice(start, end));
      if (!after.startsWith(rendered)) return '';
      pending = { source: text.slice(0, end), rendered: after };
      return after.slice(rendered.length);
    },
    shown() {
      if (pending) ({ source, rendered } = pending);
      pending = undefined;
    },
    closing: () => {
      const fence = openFence();
      return fence ? `${source.endsWith('\n') ? '' : '\n'}${fence.marker}` : '';
    },
    turnOver() {
      const fence = openFence();
      [start, rendered, pending] = [source.length, '', undefined];
      opening = fence ? `${fence.marker}${fence.info}\n` : '';
    },
  };
}

async function render(text: string): Promise<string> {
  return text.trim() === '' ? text : hideAddresses(await renderMarkdown(text.replace(/\r\n?/g, '\n')));
}

/** The code block that is open at the end of a text. */
function findFence(text: string): Fence | undefined {
  let fence: Fence | undefined;
  for (const line of text.split(/(?<=\n)/)) fence = toFenceAfter(line, fence);
  return fence;
}

/** Where the last paragraph that can be rendered alone begins: an unindented line after a blank one, outside code. */
function findLastParagraph(text: string, start: number, opening: string): number {
  let fence = opening === '' ? undefined : toFenceAfter(opening, undefined);
  let last = start;
  let at = start;
  let wasBlank = false;
  for (const line of text.slice(start).split(/(?<=\n)/)) {
    if (wasBlank && fence === undefined && /^\S/.test(line)) last = at;
    fence = toFenceAfter(line, fence);
    wasBlank = line.trim() === '';
    at += line.length;
  }
  return last;
}

/** A link as toSlackMarkdown writes it. */
const LINK = /(?<!\\)\[((?:\\.|[^\\[\]]){0,2000})\]\(https?:[^()\s]{0,3000}\)/g;

function hideAddresses(markdown: string): string {
  if (!markdown.includes('://')) return markdown;
  let fence: Fence | undefined;
  return markdown
    .split(/(?<=\n)/)
    .map((line) => {
      const wasCode = fence !== undefined;
      fence = toFenceAfter(line, fence);
      return wasCode ? line : line.replace(LINK, '$1').replaceAll('://', `:${JOINER}//`);
    })
    .join('');
}
