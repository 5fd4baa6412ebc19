/** Slack's own markup: https://docs.slack.dev/messaging/formatting-message-text */
import { html, type TemplateResult } from 'lit';
import type { BlockContext } from './context.ts';
import { formatDate } from './dates.ts';
import { renderEmoji, toEmoji } from './emoji-signs.ts';
import { isObject, renderLink, renderMention } from './parts.ts';

type Drawn = (string | TemplateResult)[];

const TOKEN =
  /`([^`\n]+)`|<([^<>\n]+)>|(https?:\/\/[^\s<>|"`*]*[^\s<>|"`*.,;:!?)])|(?<![\w*])\*(?!\s)((?:<[^<>\n]+>|[^*<\n])+)(?<!\s)\*(?![\w*])|(?<![\w])_(?!\s)((?:<[^<>\n]+>|[^_<\n])+)(?<!\s)_(?!\w)|(?<![\w~])~(?!\s)((?:<[^<>\n]+>|[^~<\n])+)(?<!\s)~(?![\w~])|:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/g;

export function renderText(text: unknown, context: BlockContext): TemplateResult {
  if (!isObject(text)) return html``;
  const words = String(text.text ?? '');
  return text.type === 'plain_text'
    ? html`<span class="words">${renderPlain(words)}</span>`
    : renderMrkdwn(words, context);
}

const EMOJI = /:([a-z0-9_+-]+(?:::skin-tone-[2-6])?):/g;

/** No markup, but emoji. */
export function renderPlain(words: string): Drawn {
  return words.split(EMOJI).map((part, index) => (index % 2 === 1 ? renderEmoji(part) : part));
}

/** The same where only characters can stand: in a name, or in an option of a select. */
export function toPlain(words: string): string {
  return words.replace(EMOJI, (_, name: string) => toEmoji(name));
}

export function renderMrkdwn(text: string, context: BlockContext): TemplateResult {
  const parts = text.split(/```\n?([\s\S]*?)\n?```/);
  return html`<div class="words">${parts.map((part, index) =>
    index % 2 === 1 ? html`<pre class="code"><code>${decode(part)}</code></pre>` : renderLines(part, context),
  )}</div>`;
}

/** Runs of lines, quoted and not. */
function renderLines(text: string, context: BlockContext): Drawn {
  const runs = text.match(/(?:^(?:&gt;|>).*(?:\n|$))+|(?:^(?!&gt;|>).*(?:\n|$))+/gm) ?? [];
  return runs
    .filter((run) => run !== '')
    .map((run) => {
      if (!/^(?:&gt;|>)/.test(run)) return html`${renderInline(run, context)}`;
      const inside = run.replace(/^(?:&gt;|>) ?/gm, '').replace(/\n$/, '');
      return html`<blockquote>${renderInline(inside, context)}</blockquote>`;
    });
}

function renderInline(text: string, context: BlockContext): Drawn {
  const drawn: Drawn = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    drawn.push(decode(text.slice(from, match.index)), renderToken(match, context));
    from = match.index + match[0].length;
  }
  return [...drawn, decode(text.slice(from))];
}

function renderToken(match: RegExpExecArray, context: BlockContext): string | TemplateResult {
  const [whole, code, bracket, url, bold, italic, struck, emoji] = match;
  if (code !== undefined) return html`<code>${decode(code)}</code>`;
  if (bracket !== undefined) return renderBracket(bracket, whole, context);
  if (url !== undefined) return renderLink(decode(url), decode(url));
  if (bold !== undefined) return html`<strong>${renderInline(bold, context)}</strong>`;
  if (italic !== undefined) return html`<em>${renderInline(italic, context)}</em>`;
  if (struck !== undefined) return html`<s>${renderInline(struck, context)}</s>`;
  return renderEmoji(emoji ?? '');
}

function renderBracket(inside: string, whole: string, context: BlockContext): string | TemplateResult {
  const [target = '', label] = inside.split(/\|(.*)/s).map(decode);
  const id = target.slice(1);
  const kind = /^[@#]\w+$/.test(target) ? target[0] : undefined;
  if (kind) return renderMention(`${kind}${context.names(id) ?? (label || id)}`);
  if (target.startsWith('!date^')) {
    const [, seconds, format = '', url] = target.split('^');
    const words = formatDate(Number(seconds), format, context);
    return url ? renderLink(url, words) : words;
  }
  if (target.startsWith('!')) return renderMention(label || toBroadcast(id, context));
  return /^[a-z]+:/i.test(target) ? renderLink(target, label || target) : decode(whole);
}

/** `here`, or `subteam^S0GROUP`. */
function toBroadcast(id: string, { names }: BlockContext): string {
  const group = id.replace(/^subteam\^/, '');
  return `@${names(group) ?? group}`;
}

/** Once: `&amp;lt;` stands for the characters `&lt;`. */
function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
