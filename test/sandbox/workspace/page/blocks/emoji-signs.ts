/** Drawings of the emoji that apps use most as signs: a machine without a typeface for emoji shows boxes instead. */
import { nameToEmoji } from 'gemoji';
import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit';

const THUMB = svg`<path fill="#f2b632" stroke="#9a6a00" stroke-width=".7" stroke-linejoin="round" d="M5.2 13.7V7.7L8 2.2c1.3 0 2 1 1.7 2.2L9.2 6.6h3.6c1 0 1.6.9 1.4 1.8l-1 4c-.2.8-.8 1.3-1.6 1.3z"/><rect x="1.7" y="7.3" width="2.7" height="6.6" rx=".8" fill="#3b7dd8"/>`;
const HOURGLASS = svg`<path fill="#cfe6f5" stroke="#8a5a2b" stroke-width="1" d="M4 2.5h8c0 3-1.2 4-3.1 5.5C10.8 9.5 12 10.5 12 13.5H4c0-3 1.2-4 3.1-5.5C5.2 6.5 4 5.5 4 2.5z"/><path stroke="#8a5a2b" stroke-width="1.6" d="M3 1.8h10M3 14.2h10"/>`;
const square = (colour: string, sign: SVGTemplateResult) =>
  svg`<rect x="1" y="1" width="14" height="14" rx="2.5" fill=${colour}/><g fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">${sign}</g>`;

/** By their names in Slack. */
export const SIGNS: Readonly<Record<string, SVGTemplateResult>> = {
  warning: svg`<path fill="#f7b500" stroke="#9a6a00" stroke-width=".8" stroke-linejoin="round" d="M8 1.6 15.2 14H.8z"/><path stroke="#3a2a00" stroke-width="1.7" stroke-linecap="round" d="M8 6.2v3.6M8 12v.01"/>`,
  white_check_mark: square('#2f9e44', svg`<path d="m4.3 8.4 2.6 2.6 4.8-5.6"/>`),
  x: svg`<path stroke="#d92d20" stroke-width="2.8" stroke-linecap="round" d="m3 3 10 10M13 3 3 13"/>`,
  no_entry_sign: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="#d92d20" stroke-width="2.2"/><path stroke="#d92d20" stroke-width="2.2" d="m3.9 3.9 8.2 8.2"/>`,
  rotating_light: svg`<path fill="#e03131" d="M4 11.5V8a4 4 0 0 1 8 0v3.5z"/><rect x="2.6" y="11.5" width="10.8" height="3" rx=".8" fill="#6b7680"/><path stroke="#e03131" stroke-width="1.2" stroke-linecap="round" d="M8 1v1.3M2.6 3.2l1 1M13.4 3.2l-1 1M1 7.5h1.3M13.7 7.5H15"/>`,
  hourglass: svg`${HOURGLASS}<path fill="#e0a52c" d="M5.2 12.8h5.6c-.4-1.6-1.5-2-2.8-2s-2.4.4-2.8 2z"/>`,
  hourglass_flowing_sand: svg`${HOURGLASS}<path fill="#e0a52c" d="M5.4 4.6h5.2c-.5 1.2-1.4 1.9-2.6 2.9-1.2-1-2.1-1.7-2.6-2.9zM6 12.9h4c-.4-.8-1-1.1-2-1.1s-1.6.3-2 1.1z"/>`,
  mag: svg`<circle cx="6.6" cy="6.6" r="4.3" fill="#cfe6f5" stroke="#4d6474" stroke-width="1.5"/><path stroke="#8a5a2b" stroke-width="2.4" stroke-linecap="round" d="m10.3 10.3 3.7 3.7"/>`,
  new: square(
    '#2f6fd0',
    svg`<path stroke-width="1.2" d="M2.7 10.4V5.6l2.6 4.8V5.6M9.1 5.6H7.2v4.8h1.9M7.2 8h1.6M10.3 5.6l.8 4.8L12 7l.9 3.4.8-4.8"/>`,
  ),
  double_vertical_bar: square('#4d7fb0', svg`<path d="M6 5v6M10 5v6"/>`),
  arrows_counterclockwise: square(
    '#4d7fb0',
    svg`<path stroke-width="1.5" d="M4 7.2a4.1 4.1 0 0 1 7.4-1.5M12 8.8a4.1 4.1 0 0 1-7.4 1.5M11.7 3.5v2.4H9.3M4.3 12.5v-2.4h2.4"/>`,
  ),
  information_source: square('#4d7fb0', svg`<path d="M8 4.5v.01M8 7.5v4"/>`),
  heavy_minus_sign: svg`<path stroke="currentColor" stroke-width="2.6" stroke-linecap="round" d="M3 8h10"/>`,
  grey_question: svg`<path fill="none" stroke="#8b949e" stroke-width="2.2" stroke-linecap="round" d="M5 5.2C5 3.4 6.3 2.3 8 2.3s3 1.1 3 2.7c0 2.2-3 2.3-3 5M8 13.5v.01"/>`,
  ghost: svg`<path fill="#e9edf1" stroke="#6b7680" stroke-width=".9" stroke-linejoin="round" d="M3 14V7a5 5 0 0 1 10 0v7l-1.7-1.3L9.6 14 8 12.7 6.4 14l-1.7-1.3z"/><path stroke="#30363c" stroke-width="1.7" stroke-linecap="round" d="M6.2 6.6v.8M9.8 6.6v.8"/>`,
  thumbsup: THUMB,
  thumbsdown: svg`<g transform="matrix(1 0 0 -1 0 16)">${THUMB}</g>`,
  wastebasket: svg`<path fill="#cdd5db" stroke="#6b7680" stroke-linejoin="round" d="m4 5 .8 9h6.4L12 5z"/><path stroke="#6b7680" stroke-width="1.4" stroke-linecap="round" d="M2.8 4.5h10.4M6.5 2.5h3M6.7 7.5l.2 4M9.3 7.5l-.2 4"/>`,
};

const ALIASES: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' };

/** Any other is left to the machine's typefaces, in words that a screen reader can read. */
export function renderEmoji(name: string): string | TemplateResult {
  const known = ALIASES[name] ?? name;
  const sign = SIGNS[known];
  if (!sign) return toEmoji(name);
  const words = known.replaceAll('_', ' ');
  return html`<svg class="emoji" viewBox="0 0 16 16" role="img" aria-label=${words}>${sign}</svg>`;
}

const EMOJI = /:([a-z0-9_+-]+(?:::skin-tone-[2-6])?):/g;

/** Words without markup, but with emoji. */
export function renderPlain(words: string): (string | TemplateResult)[] {
  return words.split(EMOJI).map((part, index) => (index % 2 === 1 ? renderEmoji(part) : part));
}

/** The same where only characters can stand: in a name, or in an option of a select. */
export function toPlain(words: string): string {
  return words.replace(EMOJI, (_, name: string) => toEmoji(name));
}

/** Beside words that say the same. */
export function renderSign(name: keyof typeof SIGNS): TemplateResult {
  return html`<svg class="emoji" viewBox="0 0 16 16" aria-hidden="true">${SIGNS[name]}</svg>`;
}

const SLACK_ONLY: Record<string, string> = { double_vertical_bar: '⏸️' };

/** `wave`, `flag-de`, `wave::skin-tone-3`. A name that is not known stays as it is, as it may be of the team's own. */
export function toEmoji(name: string): string {
  const [base = '', tone] = name.split('::skin-tone-');
  const known =
    SLACK_ONLY[base] ?? nameToEmoji[base] ?? nameToEmoji[base.replace(/^large_(\w+_(?:circle|square))$/, '$1')];
  const emoji = known ?? toFlag(base);
  return emoji === undefined ? `:${name}:` : emoji + (tone ? String.fromCodePoint(0x1f3f9 + Number(tone)) : '');
}

/** A rich text has the characters as well: `1f44b-1f3fc`. */
export function fromCodes(unicode: string): string {
  return String.fromCodePoint(...unicode.split('-').map((code) => Number.parseInt(code, 16)));
}

function toFlag(name: string): string | undefined {
  const country = /^flag-([a-z]{2})$/.exec(name)?.[1];
  return country && String.fromCodePoint(...[...country].map((letter) => letter.charCodeAt(0) - 97 + 0x1f1e6));
}
