/** Blocks as the page draws them for somebody: it knows rich text, and neither Markdown, Slack's own markup nor dates. */
import { expandBlocks } from '../slack/blocks/expand-markdown.ts';
import { encodeEntities } from '../slack/blocks/markup.ts';
import { readMrkdwn } from '../slack/blocks/mrkdwn.ts';
import { isObject, toObjects } from '../slack/json.ts';
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
    message: ({ text, blocks, attachments = [] }: Message) => ({
      blocks: drawBlocks(blocks.length > 0 ? blocks : [toRichText(text)]),
      attached: attachments.map((one) => drawBlocks(one.blocks ? (toObjects(one.blocks) as Block[]) : toSections(one))),
    }),
    view: (view: View | undefined) => view && { ...view, blocks: drawBlocks(view.blocks) },
  };
}

function toRichText(mrkdwn: string): Block {
  return { type: 'rich_text', elements: readMrkdwn(mrkdwn) };
}

/** https://docs.slack.dev/messaging/formatting-message-text#attachments */
function toSections({ pretext, title, title_link, text, fallback, fields, footer }: Json): Block[] {
  const bold = (words: unknown, url?: unknown) => {
    const label = encodeEntities(String(words));
    return `*${url ? `<${encodeEntities(String(url))}|${label}>` : label}*`;
  };
  const isEmpty = !pretext && !title && !text;
  const named = toObjects(fields).map((field) => `${bold(field.title)}\n${String(field.value)}`);
  const texts = [pretext, title && bold(title, title_link), isEmpty ? fallback : text, ...named, footer];
  return texts.filter(Boolean).map((mrkdwn) => toRichText(String(mrkdwn)));
}
