/** Reads the untyped parts of blocks. */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in what should be a list or one object. */
export function toObjects(value: unknown): Json[] {
  return [value].flat().filter(isObject);
}

/** The words of a text object or of rich text, or of one that stands in `holder.text`. */
export function toWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  return Array.isArray(value.elements) ? value.elements.map(toWords).join('') : toWords(value.text);
}

/** Anything else, such as `javascript:`, is shown as text. */
const SAFE = ['http:', 'https:', 'mailto:'];

export function renderLink(url: string, label: unknown): TemplateResult {
  if (!URL.canParse(url) || !SAFE.includes(new URL(url).protocol))
    return html`${label}${label === url ? '' : ` (${url})`}`;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

export function renderMention(words: string): TemplateResult {
  return html`<span class="mention">${words}</span>`;
}
