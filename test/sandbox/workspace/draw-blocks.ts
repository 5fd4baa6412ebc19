/** Blocks as the page draws them: it knows rich text, and neither Markdown nor Slack's own markup. */
import { expandBlocks } from '../slack/blocks/expand-markdown.ts';
import { encodeEntities } from '../slack/blocks/markup.ts';
import { readMrkdwn } from '../slack/blocks/mrkdwn.ts';
import { isObject, toObjects } from '../slack/json.ts';
import type { Block, Json, Message, View } from '../slack/records.ts';

/** The text is only a fallback where there are blocks. */
export function drawMessage({ text, blocks, attachments = [] }: Message): { blocks: Block[]; attached: Block[][] } {
  return {
    blocks: blocks.length > 0 ? drawBlocks(blocks) : [toRichText(text)],
    attached: attachments.map((one) => drawBlocks(one.blocks ? (toObjects(one.blocks) as Block[]) : toSections(one))),
  };
}

export function drawView(view: View | undefined): View | undefined {
  return view && { ...view, blocks: drawBlocks(view.blocks) };
}

function drawBlocks(blocks: Block[]): Block[] {
  return expandBlocks(blocks).map((block) => draw(block) as Block);
}

function draw(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(draw);
  if (!isObject(node)) return node;
  if (node.type === 'mrkdwn') return toRichText(String(node.text));
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, draw(value)]));
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
