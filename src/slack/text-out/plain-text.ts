import type { AnyBlock, KnownBlock } from '@slack/types';
import { MAX_TEXT_BYTES } from '../web/limits.ts';
import { dropOverrides, escapeMrkdwn, neutralise, unescapeMrkdwn } from './neutralise.ts';
import { isMisleading, toSafeUrl } from './safe-url.ts';

/** Shared, because creating one costs more than using it. */
export const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text as one line, without markup, and with nothing that Slack would act on. Takes Markdown, escaped or not. */
export function toPlainText(markdown: string): string {
  const text = stripMarkup(unescapeMrkdwn(dropOverrides(markdown)));
  return neutralise(escapeMrkdwn(text.replace(/\s+/g, ' ').trim()));
}

/**
 * A link for our own mrkdwn texts, with its host if the label looks like another address. Without an http or https
 * address, the label alone.
 */
export function toMrkdwnLink(url: string, label: string): string {
  const safe = toSafeUrl(url);
  // Slack ends the address at the first `|`; the effect of a second one, in the label, is not documented.
  const words = dropOverrides(label).replace(/\s+/g, ' ').trim().replaceAll('|', '¦');
  if (safe === undefined) return escapeMrkdwn(words);
  const text = escapeMrkdwn(isMisleading(words, safe) ? `${words} (${safe.host})` : words);
  const address = safe.href.replaceAll('&', '&amp;');
  return text === '' ? `<${address}>` : `<${address}|${text}>`;
}

/** The beginning of a text, at most `maxLength` UTF-16 units, never cut inside a grapheme. */
export function cutGraphemes(text: string, maxLength: number): string {
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (kept.length + segment.length > maxLength) break;
    kept += segment;
  }
  return kept;
}

function stripMarkup(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, '')
    .replace(/^[ \t|]*:?-{3}[-:| \t]*$/gm, '')
    .replace(/^(?:[ \t>]|#{1,6}[ \t])+/gm, '')
    .replace(/!?\[([^[\]]{1,500})\]\u2060?\([^()\s]{1,2048}\)/g, '$1')
    .replace(/[*`~]+|(?<!\w)_+|(?<!_)_+(?!\w)/g, '')
    .replaceAll('|', ' ');
}

/** The types of blocks and of rich text after which a new line begins. */
const LINES = new Set([
  ...['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'],
  ...['header', 'section', 'context', 'markdown', 'table', 'rich_text'],
]);

/** The text of blocks, without markup. */
export function toWords(node: unknown): string {
  if (Array.isArray(node)) return node.map(toWords).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, ...rest } = node as Record<string, unknown>;
  if (type === 'emoji') return `:${rest.name}:`;
  const own = typeof text === 'string' ? text : typeof url === 'string' ? url : toWords(text);
  const words = own + Object.values(rest).map(toWords).join('');
  const endsLine = LINES.has(String(type)) || 'block_id' in node;
  return words !== '' && endsLine ? `${words}\n` : words;
}

/**
 * The text beside the blocks of a message: notifications show its beginning, and screen readers read it instead of the
 * blocks (https://docs.slack.dev/reference/methods/chat.postMessage), so it says all that the blocks say. Buttons are
 * left out.
 */
export function toSpokenText(blocks: readonly AnyBlock[]): string {
  const spoken = (blocks as readonly KnownBlock[]).map(toSpoken).filter((words) => words !== '');
  return cutBytes(spoken.join('\n'), MAX_TEXT_BYTES - 100) || '…';
}

function toSpoken(block: KnownBlock): string {
  if (block.type === 'actions' || block.type === 'context_actions') return '';
  if (block.type === 'section' && block.text) return readText(block.text);
  if (block.type === 'context') return block.elements.map(readText).join('\n');
  const words = toWords(block).trim();
  return words && toPlainText(words);
}

/** Mentions and dates in our mrkdwn stay; of links only the labels. */
function readText({ type, text = '' }: { type: string; text?: string }): string {
  // In blocks `verbatim` keeps Slack from making mentions and links of words. The text beside them has no such flag.
  return type === 'mrkdwn' ? neutralise(text.replace(/<https?:[^<>|]*\|([^<>]*)>/g, '$1')) : toPlainText(text);
}

/** Cuts after a word if one ends nearby, never within a character, an entity or a mention. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const near = Buffer.from(text).toString('utf8', 0, most);
  const end = GRAPHEMES.segment(text).containing(near.length - 1)?.index;
  return `${text.slice(0, end).replace(/(?:\s\S{0,80}|<[^<>]*|&\w*)$/, '')}…`;
}
