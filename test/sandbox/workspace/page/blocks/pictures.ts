/** What is more than words: files as cards, and tables. The page loads nothing from other hosts. */
import { html, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { renderIcon } from '../icons.ts';
import type { ElementPlace } from './element-place.ts';
import { renderLink, toObjects } from './parts.ts';
import { renderRichText } from './rich-text.ts';

export function renderFile(file: Json): TemplateResult {
  const words = html`${renderIcon('file')} ${String(file.title ?? file.name ?? file.external_id ?? 'A file')}`;
  const size = typeof file.size === 'number' ? html` <small>${file.size.toLocaleString('en')} bytes</small>` : '';
  return html`<p class="card">${file.url_private ? renderLink(String(file.url_private), words) : words}${size}</p>`;
}

export function renderTable(block: Json, { context }: ElementPlace): TemplateResult {
  const [head = [], ...rows] = (Array.isArray(block.rows) ? block.rows : []).map(toObjects);
  const settings = toObjects(block.column_settings);
  const cell = (one: Json) => (one.type === 'rich_text' ? renderRichText(one, context) : String(one.text ?? ''));
  const align = (column: number) => `align-${String(settings[column]?.align ?? 'left')}`;
  return html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
    <thead><tr>${head.map((one, column) => html`<th class=${align(column)}>${cell(one)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((one, column) => html`<td class=${align(column)}>${cell(one)}</td>`)}</tr>`)}</tbody></table></div>`;
}
