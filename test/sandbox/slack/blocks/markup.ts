/** Reads the parts of a text that Slack turns into something live: mentions and links. */

export type Mention = { kind: 'channel' | 'here' | 'everyone' | 'user' | 'usergroup'; id: string; source: string };
type Link = { url: string; label: string };
export type Markup = { mentions: Mention[]; links: Link[] };

/** `mrkdwn` is Slack's own syntax; `markdown` has its links as well as Slack's angle brackets. */
export function readMarkup(text: string, syntax: 'mrkdwn' | 'markdown'): Markup {
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
