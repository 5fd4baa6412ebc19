/**
 * The service's text is untrusted. Slack reads mentions and links in angle brackets inside `markdown` blocks and streams
 * as well, and does not read decoded entities a second time, so that escaping `<` and `>` ends all of them
 * (https://docs.slack.dev/messaging/formatting-message-text#escaping).
 */

// Word joiner: invisible, no line break, and not a character that any of these notations allows.
export const JOINER = '\u2060';

const GRAVE_ACCENT = '\u02CB';

const LESS = /&(?:lt|#0{0,4}60|#x0{0,4}3c);/gi;
const GREATER = /&(?:gt|#0{0,4}62|#x0{0,4}3e);/gi;
const AMPERSAND = /&(?:#0{0,4}38|#x0{0,4}26);/gi;

/** For prose: what is escaped already stays as it is, a Markdown escape of `<`, `>` or `&` becomes an entity. */
export function escapeProse(source: string, isLineStart = true): string {
  const named = source.includes('&')
    ? source.replace(LESS, '&lt;').replace(GREATER, '&gt;').replace(AMPERSAND, '&amp;')
    : source;
  const plain = named.includes('\\') ? named.replace(/\\([\s\S])/g, toEntity) : named;
  return escapeAngles(plain, isLineStart);
}

/** For code, where `&lt;` means these four characters and not the bracket. */
export function escapeCode(source: string): string {
  return escapeAngles(source.replace(/&(?=(?:lt|gt|amp|#\w{1,10});)/g, '&amp;'));
}

/**
 * Takes backticks and runs of tildes out of what the parser did not take for code. Slack must not take it for code
 * either: all code after it would be read as text. A grave accent looks the same; whether Slack knows escaped backticks
 * is not documented.
 */
export function quieten(text: string): string {
  return text.replace(/\\?`/g, GRAVE_ACCENT).replace(/~{3,}/g, (run) => [...run].join(JOINER));
}

/** Makes text of what was decoded already, so that it is read as the same text again. */
export function escapeSyntax(text: string): string {
  return quieten(escapeMrkdwn(text).replace(/[\\[\]*~|]/g, '\\$&'));
}

/** The last word of some prose, as far as it matters: `tail` is its end. */
type LastWord = { isAddress: boolean; tail: string };

export const NO_WORD: LastWord = { isAddress: false, tail: '' };

const LONGEST_SIGN = 4;

/**
 * The last word once more text follows. Where it `isAddress`, what is not prose needs a blank before it: an address that
 * was ended by a bracket goes on once the bracket is an entity, and would take in the beginning of code or of a link.
 */
export function toLastWord(before: LastWord, text: string): LastWord {
  const start = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t')) + 1;
  const word = start > 0 ? text.slice(start) : before.tail + text;
  const isAddress = (start === 0 && before.isAddress) || /:\/\/|www\./i.test(word);
  return { isAddress, tail: word.slice(-LONGEST_SIGN) };
}

/** Keeps `>` only where it starts a line or a list item: as a quote marker it is harmless, and all that makes a quote. */
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

/**
 * Takes away what could still become a link or a mention that is not ours. Not to be applied to code, nor to links that
 * we wrote. `@channel` and its kin are read in plain text only where a message is sent with `link_names`, which we do
 * not do; this holds even if a later Slack client or another caller does.
 */
export function neutralise(prose: string): string {
  return breakUserNames(
    prose
      .replace(/\](?=[(:])|!(?=\[)/g, `$&${JOINER}`)
      .replace(/(?<![\p{L}\p{N}])@(?=(?:here|channel|everyone|group)(?![\p{L}\p{N}]))/giu, `@${JOINER}`)
      .replace(/(?<!\bhttps?):\/\//gi, `:${JOINER}//`),
  );
}

/** True where an address carries a user name, which makes it look like another host. */
export function hasUserName(text: string): boolean {
  return breakUserNames(text) !== text;
}

// What lies between the marks that end a host, once: to look for an `@` from each beginning of an address would take
// time in proportion to the square of the text.
const AUTHORITY = /(?::\/\/)?(?:[^ \t\r\n/?#:]|:(?!\/\/))+/g;

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

function escapeLine(line: string): string {
  const marker = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/.exec(line)?.[0] ?? '';
  return marker + escapeEnds(line.slice(marker.length));
}

function escapeEnds(text: string): string {
  return text.replaceAll('>', '&gt;');
}

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

export type SafeUrl = { href: string; host: string };

// Slack refuses addresses above 3,000 characters; ours stay well below: https://docs.slack.dev/reference/block-kit/blocks
const LONGEST_URL = 2048;

/**
 * An address that may become a link in Slack, or undefined: http and https only, no user name or password (they make an
 * address look like another host), and without the characters that could end a link early in Markdown or in mrkdwn.
 */
export function toSafeUrl(raw: string): SafeUrl | undefined {
  const url = URL.parse(raw.startsWith('www.') ? `https://${raw}` : raw);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return undefined;
  }
  if (url.username !== '' || url.password !== '' || url.host === '') {
    return undefined;
  }
  const href = encodeDelimiters(url.href);
  return href.length <= LONGEST_URL ? { href, host: url.host } : undefined;
}

/** What shows the host of a link beside its label, unless a reader sees it there or in the text that follows. */
export function toHostSuffix(label: string, url: SafeUrl, following: string): string {
  const suffix = ` (${url.host})`;
  return following.startsWith(suffix) || isHostShown(label, url) ? '' : suffix;
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

// The semicolon of `&lt;` is encoded, too: Slack decodes entities, and an address must not change by that.
function encodeDelimiters(href: string): string {
  return href
    .replace(/[()<>|`\\[\]]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/(&#?\w{1,32});/g, '$1%3B');
}

/** The three characters that Slack reads as control: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
