/** Emoji by the names that Slack has for them. These are mostly the same as GitHub's. */
import { nameToEmoji } from 'gemoji';

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
