/** Collects what is live in a whole message: every mention and link, in its text and its blocks. */
import type { Block, Json, Message } from '../records.ts';
import { type Markup, readMarkup } from './markup.ts';

/** The fallback text counts even beside blocks: Slack puts it into notifications. */
export function readLiveParts(message: Pick<Message, 'text' | 'blocks'>): Markup {
  const markup: Markup = { mentions: [], links: [] };
  if (isWorthReading(message.text)) merge(markup, readMarkup(message.text, 'mrkdwn'));
  for (const block of message.blocks) readNode(block, markup);
  return markup;
}

function isWorthReading(text: string): boolean {
  return text.includes('<') || text.includes('://');
}

function merge(into: Markup, more: Markup): void {
  into.mentions.push(...more.mentions);
  into.links.push(...more.links);
}

function readNode(node: Block | Json, markup: Markup): void {
  if (readLeaf(node, markup)) return;
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null) readNode(item as Json, markup);
    }
  }
}

/** True where nothing below the node needs to be looked at. */
function readLeaf(node: Json, markup: Markup): boolean {
  if (node.type === 'plain_text') return true;
  if ((node.type === 'mrkdwn' || node.type === 'markdown') && typeof node.text === 'string') {
    if (isWorthReading(node.text)) merge(markup, readMarkup(node.text, node.type));
    return true;
  }
  if (node.type === 'link') markup.links.push({ url: String(node.url), label: String(node.text ?? node.url) });
  else if (node.type === 'user') markup.mentions.push({ kind: 'user', id: String(node.user_id), source: 'rich_text' });
  else if (node.type === 'usergroup') {
    markup.mentions.push({ kind: 'usergroup', id: String(node.usergroup_id), source: 'rich_text' });
  } else if (node.type === 'broadcast') {
    markup.mentions.push({ kind: node.range as 'channel', id: String(node.range), source: 'rich_text' });
  }
  return false;
}
