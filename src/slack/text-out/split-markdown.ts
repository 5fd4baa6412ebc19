import { toFenceAfter } from './fences.ts';
import { cutMarkdown } from './markdown-cuts.ts';

/**
 * Parts of Slack Markdown of at most `limit` UTF-8 bytes each, of which a text never has fewer than UTF-16 units: Slack
 * counts 12,000 characters a message, and measures what is not ASCII in bytes in places. Cut where it shows least; code
 * blocks are closed and opened again, table headings repeated. Apart from those the parts together are the text.
 * At least one part, even of a blank text. A limit below 100 is an error.
 */
export function splitMarkdown(markdown: string, limit: number): string[] {
  const parts = cutMarkdown(markdown, limit).filter(({ body }) => body.trim() !== '');
  return parts.length === 0
    ? [markdown]
    : parts.map(({ opening, body, closing }) => opening + outdentFence(opening, body) + closing);
}

// Code that stood in a nested list goes on without it. Indented by four, the fence at its end would no longer end it.
function outdentFence(opening: string, body: string): string {
  const fence = toFenceAfter(opening, undefined);
  if (fence === undefined) {
    return body;
  }
  const lines = body.split('\n');
  const end = lines.findIndex((line) => toFenceAfter(line, fence) === undefined);
  return lines.map((line, index) => (index === end ? line.replace(/[ \t]{4,}(?=`|~)/, '   ') : line)).join('\n');
}
