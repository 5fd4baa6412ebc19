/** What is live within a text: links and mentions. */
import { html, type TemplateResult } from 'lit';

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
