/** What Slack turns into something live, in a text and in a whole message: mentions and links. */
import type { Json, Message } from '../records.ts';

export type Mention = { kind: 'channel' | 'here' | 'everyone' | 'user' | 'usergroup'; id: string; source: string };
type Link = { url: string; label: string };
type Markup = { mentions: Mention[]; links: Link[] };

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

function readNode(node: Json, markup: Markup): void {
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

/** `mrkdwn` is Slack's own syntax; `markdown` has its links as well as Slack's angle brackets. */
function readMarkup(text: string, syntax: 'mrkdwn' | 'markdown'): Markup {
  const markup: Markup = { mentions: [], links: [] };
  const rest = text.replace(/<([^<>\n]+)>/g, (source, inside: string) => {
    readBracket(inside, source, markup);
    return ' ';
  });
  const withoutLinks = syntax === 'markdown' ? readMarkdownLinks(rest, markup) : rest;
  for (const [url] of withoutLinks.matchAll(/https?:\/\/[^\s<>"'`)\]]+/g)) {
    const address = decodeEntities(url);
    markup.links.push({ url: address, label: address });
  }
  return markup;
}

function readBracket(inside: string, source: string, markup: Markup): void {
  const [target = '', label] = inside.split(/\|(.*)/s);
  const broadcast = /^!(channel|here|everyone)$/.exec(target)?.[1];
  const group = /^!subteam\^(\w+)$/.exec(target)?.[1];
  if (broadcast) markup.mentions.push({ kind: broadcast as 'channel', id: broadcast, source });
  else if (group) markup.mentions.push({ kind: 'usergroup', id: group, source });
  else if (/^@[UW]\w+$/.test(target)) markup.mentions.push({ kind: 'user', id: target.slice(1), source });
  else if (/^(https?:\/\/|mailto:|slack:)/.test(target)) {
    markup.links.push({ url: decodeEntities(target), label: decodeEntities(label ?? target) });
  }
}

function readMarkdownLinks(text: string, markup: Markup): string {
  return text.replace(/\[([^\]\n]*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"\n]*")?\)/g, (_, label, url) => {
    markup.links.push({ url: decodeEntities(url), label: decodeEntities(label) });
    return ' ';
  });
}

/** Slack's three entities: https://docs.slack.dev/messaging/formatting-message-text#escaping */

export function encodeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
