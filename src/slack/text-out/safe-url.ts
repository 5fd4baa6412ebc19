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
