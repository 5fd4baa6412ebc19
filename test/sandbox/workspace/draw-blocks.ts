/** Blocks as the page draws them for somebody: it knows rich text, and neither Markdown, Slack's own markup nor dates. */
import { expandBlocks } from '../slack/blocks/expand-markdown.ts';
import { readMrkdwn } from '../slack/blocks/mrkdwn.ts';
import { isObject } from '../slack/json.ts';
import type { Block, Json, Message, View } from '../slack/records.ts';
import { formatDate, type Locality } from './format-date.ts';

export type Drawing = ReturnType<typeof createDrawing>;

export function createDrawing(at: Locality) {
  const drawBlocks = (blocks: Block[]) => expandBlocks(blocks).map((block) => draw(block) as Block);

  function draw(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(draw);
    if (!isObject(node)) return node;
    if (node.type === 'mrkdwn') return draw(toRichText(String(node.text)));
    if (node.type === 'date') return toWords(node);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, draw(value)]));
  }

  function toWords({ timestamp, format, url, style }: Json): Json {
    const text = formatDate(Number(timestamp), String(format ?? '{date}'), at);
    return { ...(url ? { type: 'link', url } : { type: 'text' }), text, style };
  }

  return {
    /** The text is only a fallback where there are blocks. */
    message: ({ text, blocks }: Message) => ({
      blocks: drawBlocks(blocks.length > 0 ? blocks : [toRichText(text)]),
    }),
    view: (view: View | undefined) => view && { ...view, blocks: drawBlocks(view.blocks) },
  };
}

function toRichText(mrkdwn: string): Block {
  return { type: 'rich_text', elements: readMrkdwn(mrkdwn) };
}
