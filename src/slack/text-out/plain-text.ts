import { dropOverrides, escapeMrkdwn, neutralise, unescapeMrkdwn } from './neutralise.ts';
import { isMisleading, toSafeUrl } from './safe-url.ts';

const SHOWN = 150;

// Enough to find the first 150 characters behind markup, and few enough to cost nothing.
const READ = 2_000;

/** Shared, because creating one costs more than using it. */
export const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The beginning of a text for notifications, which do not show blocks: one line, no markup, and nothing that Slack would
 * act on. Takes Markdown, escaped or not.
 */
export function toPlainText(markdown: string): string {
  const text = stripMarkup(unescapeMrkdwn(dropOverrides(markdown.slice(0, READ))))
    .replace(/\s+/g, ' ')
    .trim();
  const shown = text === '' ? '…' : shorten(text);
  return neutralise(escapeMrkdwn(shown));
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

function shorten(text: string): string {
  if (text.length <= SHOWN) {
    return text;
  }
  const room = text.slice(0, SHOWN - 1);
  const space = room.lastIndexOf(' ');
  return `${space > SHOWN / 2 ? room.slice(0, space) : cutGraphemes(text.slice(0, SHOWN * 2), room.length)}…`;
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
