import { toFenceAfter } from './fences.ts';
import { cutMarkdown } from './markdown-cuts.ts';
import { BLOCK_COST, type Budget, LONGEST_ENTITY } from './message-budget.ts';
import { narrowTables } from './narrow-tables.ts';

/**
 * Parts of Slack Markdown, each within the budget of a message. Cut where it shows least; code blocks are closed and
 * opened again, table headings repeated, and tables with more columns than Slack takes become several. Apart from those
 * the parts together are the text. At least one part, even of a blank text. Where there are more than `most`, that many
 * and one more; the rest is left out.
 */
export function splitMarkdown(markdown: string, budget: Budget, most = Number.POSITIVE_INFINITY): string[] {
  if (isShort(markdown, budget)) return [markdown];
  const parts = cutMarkdown(narrowTables(markdown), budget, most).filter(({ body }) => body.trim() !== '');
  return parts.length === 0
    ? [markdown.slice(0, 1)]
    : parts.map(({ opening, body, closing }) => opening + outdentFence(opening, body) + closing);
}

/** What fits even if each line were a block and each character an entity need not be looked at: most answers. */
function isShort(markdown: string, { blocks, characters }: Budget): boolean {
  if (markdown.includes('|') || markdown.length * LONGEST_ENTITY > characters) return false;
  const lines = markdown.split('\n').length;
  return lines <= blocks && markdown.length * LONGEST_ENTITY + lines * BLOCK_COST <= characters;
}

// Code that stood in a nested list goes on without it. Indented by four, the fence at its end would no longer end it.
function outdentFence(opening: string, body: string): string {
  const fence = toFenceAfter(opening, undefined);
  if (fence === undefined) {
    return body;
  }
  const lines = body.split('\n');
  const end = lines.findIndex((line) => toFenceAfter(line, fence) === undefined);
  return lines
    .map((line, index) => (index === end ? line.replace(/(?<![ \t])[ \t]{4,}(?=`|~)/, '   ') : line))
    .join('\n');
}
