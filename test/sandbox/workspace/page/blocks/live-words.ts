/** What is live within a text: links, mentions, dates and emoji. */
import { html, type TemplateResult } from 'lit';
import type { BlockContext } from './context.ts';

/** Anything else, such as `javascript:`, is shown as text. */
const SAFE = ['http:', 'https:', 'mailto:'];

/** Those that the app uses. Others are shown by their name. */
const EMOJI: Record<string, string> = {
  warning: '⚠️',
  white_check_mark: '✅',
  rotating_light: '🚨',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  mag: '🔍',
  new: '🆕',
  double_vertical_bar: '⏸️',
  arrows_counterclockwise: '🔄',
  no_entry_sign: '🚫',
  no_entry: '⛔',
  memo: '📝',
  information_source: 'ℹ️',
  heavy_minus_sign: '➖',
  grey_question: '❔',
  ghost: '👻',
  lock: '🔒',
  eyes: '👀',
  tada: '🎉',
  x: '❌',
};

const DATES: Record<string, Intl.DateTimeFormatOptions> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { dateStyle: 'long' },
  date_short: { dateStyle: 'medium' },
  date_long: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  time_secs: { timeStyle: 'medium' },
};

export function renderLink(url: string, label: unknown): TemplateResult {
  if (!URL.canParse(url) || !SAFE.includes(new URL(url).protocol))
    return html`${label}${label === url ? '' : ` (${url})`}`;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

export function renderMention(words: string): TemplateResult {
  return html`<span class="mention">${words}</span>`;
}

export function toEmoji(name: string): string {
  return EMOJI[name] ?? `:${name}:`;
}

/** `format`: words with tokens such as `{date_short}`: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function formatDate(seconds: number, format: string, { locale, timeZone }: BlockContext): string {
  return format.replace(/\{(\w+)\}/g, (whole, token: string) => {
    const options = DATES[token.replace(/_pretty$/, '')];
    return options ? new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(seconds * 1000) : whole;
  });
}
