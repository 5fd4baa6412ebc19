export type SafeUrl = { href: string; host: string };

// URL accepts hosts with brackets and the like, which nobody has and which could end a link early. A `_` that is not inside
// a word could be emphasis, which the label of a link would not show.
const HOST = /^[a-z\d]+(?:(?:[.-]+|_+)[a-z\d]+)*\.?(?::\d+)?$/;

// The limit of DNS. A longer label could push the host after a link into the next message.
const LONGEST_LABEL = 63;

// Well below the 3,000 characters that Slack accepts: https://docs.slack.dev/reference/block-kit/blocks
const LONGEST_URL = 2048;

/**
 * An address that may become a link in Slack, or undefined: http and https only, no user name or password (they make an
 * address look like another host), with the characters encoded that could end a link early in Markdown or mrkdwn.
 */
export function toSafeUrl(raw: string): SafeUrl | undefined {
  const url = URL.parse(raw.startsWith('www.') ? `https://${raw}` : raw);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || !HOST.test(url.host)) return undefined;
  if (url.hostname.split('.').some(({ length }) => length > LONGEST_LABEL)) return undefined;
  const href = encodeDelimiters(url.href);
  return href.length <= LONGEST_URL ? { href, host: url.host } : undefined;
}

/** The host to show after the label of a link; empty if the label shows it already. */
export function toHostSuffix(label: string, url: SafeUrl): string {
  return isHostShown(label, url) ? '' : ` (${url.host})`;
}

// File extensions that are no top-level domains.
const DOCUMENT = /\.(?:docx?|xlsx?|pptx?|pdf|rtf|txt|csv|json|html?|eml|msg|png|jpe?g)$/i;

/** Whether a label seems to name another host than that of its link. */
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
  if (!address.startsWith(url.host) || /[\s@\\]/.test(address)) return false;
  const next = address.charAt(url.host.length);
  return next === '' || next === '/' || next === '?' || next === '#';
}

// The semicolon of `&lt;` is encoded too: Slack decodes entities, which must not change the address.
function encodeDelimiters(href: string): string {
  return href
    .replace(/[()<>|`\\[\]]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/(&#?\w{1,32});/g, '$1%3B');
}
