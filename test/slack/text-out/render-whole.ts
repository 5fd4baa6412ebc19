import { toSlackMarkdown } from '../../../src/slack/text-out/render-markdown.ts';

/** No text exceeds it. */
export const ENDLESS = { blocks: 1_000_000, characters: 1_000_000_000 };

/** A text as one message, however long. Throws RenderTimeoutError. */
export function renderWhole(markdown: string): string {
  return (toSlackMarkdown(markdown, ENDLESS) ?? []).map(({ text }) => text).join('\n\n');
}
