import { escapeMrkdwn, neutralise, toSafeUrl } from './neutralise.ts';

const SHOWN = 150;

// Enough to find the first 150 characters behind markup, and little enough to cost nothing.
const READ = 2_000;

// Making one costs more than using it.
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The beginning of a text as Slack shows it in notifications, where blocks are not shown: one line, no markup, and
 * nothing in it that Slack would act on. Takes Markdown, escaped already or not.
 */
export function toPlainText(markdown: string): string {
  const text = stripMarkup(decodeEntities(markdown.slice(0, READ)))
    .replace(/\s+/g, ' ')
    .trim();
  const shown = text === '' ? '…' : shorten(text);
  return neutralise(escapeMrkdwn(shown));
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

// The order matters: `&amp;lt;` means the four characters `&lt;`.
function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function shorten(text: string): string {
  if (text.length <= SHOWN) {
    return text;
  }
  const room = text.slice(0, SHOWN - 1);
  const space = room.lastIndexOf(' ');
  return `${space > SHOWN / 2 ? room.slice(0, space) : toWholeCharacters(text, room.length)}…`;
}

/** As many characters as a person sees as such and as there is room for. */
function toWholeCharacters(text: string, room: number): string {
  let shown = '';
  for (const { segment } of graphemes.segment(text.slice(0, SHOWN * 2))) {
    if (shown.length + segment.length > room) {
      break;
    }
    shown += segment;
  }
  return shown;
}

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
