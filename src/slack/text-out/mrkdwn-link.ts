import { escapeMrkdwn } from './escape-mrkdwn.ts';
import { toSafeUrl } from './safe-url.ts';

/** A link for our own mrkdwn texts. An address that is not http or https leaves the label as text. */
export function toMrkdwnLink(url: string, label: string): string {
  const safe = toSafeUrl(url);
  // Slack ends the address at the first `|`; what a second one, in the label, does is not documented.
  const text = escapeMrkdwn(label.replace(/\s+/g, ' ').trim().replaceAll('|', '¦'));
  if (safe === undefined) {
    return text;
  }
  const address = safe.href.replaceAll('&', '&amp;');
  return text === '' ? `<${address}>` : `<${address}|${text}>`;
}
