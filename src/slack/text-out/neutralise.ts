// The service's text is untrusted. Slack reads mentions and links in angle brackets inside `markdown` blocks too, and
// does not decode entities twice, so escaping `<` and `>` disables all of them
// (https://docs.slack.dev/messaging/formatting-message-text#escaping).
import { readLineMarkers } from './markdown-lines.ts';

// Word joiner: invisible, no line break, and not allowed in any of these notations.
export const JOINER = '\u2060';

/** The last word of some prose; `tail` is its end. */
type LastWord = { isAddress: boolean; tail: string };

export const NO_WORD: LastWord = { isAddress: false, tail: '' };

export type SafeUrl = { href: string; host: string };

/** Without the marks that would show the text after them, such as the host of a link, from right to left. */
export function dropOverrides(text: string): string {
  return text.replace(/[\u202A-\u202E]/g, '');
}

/** For prose: entities stay as they are; a Markdown escape of `<`, `>` or `&` becomes an entity. */
export function escapeProse(source: string, isLineStart = true): string {
  const named = source.includes('&') ? source.replace(ENTITY, simplifyEntity) : source;
  const plain = named.includes('\\') ? named.replace(/\\([\s\S])/g, toEntity) : named;
  return escapeAngles(plain, isLineStart);
}

/** For code, where `&lt;` means these four characters, not the bracket. */
export function escapeCode(source: string): string {
  return escapeAngles(source.replace(/&(?=(?:lt|gt|amp|#\w{1,10});)/g, '&amp;'));
}

/** Keeps `>` only at the start of a line or a list item, where it is a harmless quote marker. */
export function escapeAngles(text: string, isLineStart = true): string {
  const opened = text.replaceAll('<', '&lt;');
  if (!opened.includes('>')) {
    return opened;
  }
  const lines = opened
    .split('\n')
    .map((line, index) => (index > 0 || isLineStart ? escapeLine(line) : escapeEnds(line)));
  return lines.join('\n');
}

/** Slack's three control characters: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `&amp;` comes last, so that `&amp;lt;` becomes the four characters `&lt;`. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Escapes decoded text, so that Slack shows exactly that text. */
export function escapeSyntax(text: string): string {
  return quieten(escapeMrkdwn(dropOverrides(text)).replace(/[\\[\]*~|]/g, '\\$&'));
}

/**
 * Removes backticks and runs of tildes from text that the parser did not read as code. If Slack read it as code, it would
 * read all code after it as text. A grave accent looks the same; whether Slack supports escaped backticks is not
 * documented.
 */
export function quieten(text: string): string {
  return text.replace(/\\?`/g, GRAVE_ACCENT).replace(/~{3,}/g, (run) => [...run].join(JOINER));
}

const LONGEST_SIGN = 4;

/**
 * The last word after more text follows. If it `isAddress`, code or a link after it needs a space before it: an address
 * that ended at a bracket continues once the bracket is an entity, and would swallow the beginning of the code or link.
 */
export function toLastWord(before: LastWord, text: string): LastWord {
  const start = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t')) + 1;
  const word = start > 0 ? text.slice(start) : before.tail + text;
  const isAddress = (start === 0 && before.isAddress) || /:\/\/|www\./i.test(word);
  return { isAddress, tail: word.slice(-LONGEST_SIGN) };
}

/**
 * Breaks up what could still become a link or a mention that is not ours. Do not apply it to code, or to links that we
 * wrote. Slack reads a plain `@channel` as a mention only in messages sent with `link_names`, which we never set; this is
 * safe even if a later Slack client or another caller does.
 */
export function neutralise(prose: string): string {
  return breakUserNames(
    prose
      .replace(/\](?=[(:])|!(?=\[)/g, `$&${JOINER}`)
      .replace(/(?<![\p{L}\p{N}])@(?=(?:here|channel|everyone|group)(?![\p{L}\p{N}]))/giu, `@${JOINER}`)
      .replace(/(?<!\bhttps?):\/\//gi, `:${JOINER}//`),
  );
}

/** Whether an address carries a user name, which makes it look like another host. */
export function hasUserName(text: string): boolean {
  return breakUserNames(text) !== text;
}

// URL accepts hosts with brackets and the like, which nobody has and which could end a link early. A `_` that is not inside
// a word could be emphasis, which the label of a link would not show.
const HOST = /^[a-z\d]+(?:(?:[.-]+|_+)[a-z\d]+)*\.?(?::\d+)?$/;

// A longer name of a host cannot be looked up, and would push the link's host off its message.
const LONGEST_LABEL = 63;

// Well below the 3,000 characters that Slack accepts: https://docs.slack.dev/reference/block-kit/blocks
const LONGEST_URL = 2048;

/**
 * An address that may become a link in Slack, or undefined: http and https only, no user name or password (they make an
 * address look like another host), with the characters encoded that could end a link early in Markdown or mrkdwn.
 */
export function toSafeUrl(raw: string): SafeUrl | undefined {
  const url = URL.parse(raw.startsWith('www.') ? `https://${raw}` : raw);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || !HOST.test(url.host)) {
    return undefined;
  }
  if (url.hostname.split('.').some(({ length }) => length > LONGEST_LABEL)) return undefined;
  const href = encodeDelimiters(url.href);
  return href.length <= LONGEST_URL ? { href, host: url.host } : undefined;
}

/** The host to show after the label of a link; empty if the label or the following text shows it already. */
export function toHostSuffix(label: string, url: SafeUrl, following: string): string {
  const suffix = ` (${url.host})`;
  return following.startsWith(suffix) || isHostShown(label, url) ? '' : suffix;
}

const GRAVE_ACCENT = '\u02CB';

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|colon|commat|sol|period));/gi;

const NAMED: Record<string, string> = { lt: '<', gt: '>', colon: ':', commat: '@', sol: '/', period: '.' };

const OVERRIDE = /[\u202A-\u202E]/;

/**
 * Writes out what could hide an address or a mention from us: a reader may decode these before it looks for them. Others
 * stay, because decoded they would be syntax.
 */
function simplifyEntity(...match: string[]): string {
  const [written = '', decimal, hex, name = '', offset, source = ''] = match;
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  const character = NAMED[name.toLowerCase()] ?? (code <= 0x10_ffff ? String.fromCodePoint(code) : '');
  if (/[<>&]/.test(character)) return toEntity(written, character);
  if (OVERRIDE.test(character)) return JOINER;
  if (!/[\w:@/.]/.test(character)) return written;
  // The characters together must not be an entity again.
  const isInEntity = /&#?\w*$/.test(source.slice(Math.max(0, Number(offset) - LONGEST_ENTITY_NAME), Number(offset)));
  return isInEntity ? JOINER + character : character;
}

/** Longer ones do not matter to us. */
export const LONGEST_ENTITY_NAME = 12;

function toEntity(written: string, character: string): string {
  switch (character) {
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '&':
      return '&amp;';
    default:
      return written;
  }
}

function escapeLine(line: string): string {
  const markers = readLineMarkers(line);
  return markers + escapeEnds(line.slice(markers.length));
}

function escapeEnds(text: string): string {
  return text.replaceAll('>', '&gt;');
}

// Each range between the marks that end a host is read once: searching for an `@` from the start of each address would
// take quadratic time. The `#` of an entity ends no host.
const AUTHORITY = /(?::\/\/)?(?:[^ \t\r\n/?#:]|:(?!\/\/)|(?<=&)#)+/g;

function breakUserNames(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(AUTHORITY, (authority) => {
    const at = authority.lastIndexOf('@');
    if (at < 0) return authority;
    const name = authority.slice(0, at);
    const broken = name.replace(/^:\/\//, `:${JOINER}//`).replace(/\bwww\./gi, `www${JOINER}.`);
    return broken + authority.slice(at);
  });
}

// The semicolon of `&lt;` is encoded too: Slack decodes entities, which must not change the address.
function encodeDelimiters(href: string): string {
  return href
    .replace(/[()<>|`\\[\]]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/(&#?\w{1,32});/g, '$1%3B');
}

// Endings of documents, none of which ends a host.
const DOCUMENT = /\.(?:docx?|xlsx?|pptx?|pdf|rtf|txt|csv|json|html?|eml|msg|png|jpe?g)$/i;

/** Whether a label names what could be a host other than that of its link. */
export function isMisleading(label: string, url: SafeUrl): boolean {
  if (isHostShown(label, url)) return false;
  return label.split(/[\s()[\]|¦]+/).some((word) => {
    const [, host = ''] = /^(?:[a-z]+:)?(?:\/\/)?([^/?#:@]*\.\p{L}{2,})(?:[/?#:@]|$)/iu.exec(word) ?? [];
    return host !== '' && !DOCUMENT.test(host);
  });
}

function isHostShown(label: string, url: SafeUrl): boolean {
  const shown = label.trim().toLowerCase();
  const address = shown.replace(/^https?:\/\//, '');
  if (!address.startsWith(url.host) || /[\s@\\]/.test(address)) {
    return false;
  }
  const next = address.charAt(url.host.length);
  return next === '' || next === '/' || next === '?' || next === '#';
}
