/** What is more than words: images and files as cards, tables and charts. The page loads nothing from other hosts. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import { renderIcon } from '../icons.ts';
import type { ElementPlace } from './element-place.ts';
import { renderLink } from './live-words.ts';
import { isObject, toObjects, toWords } from './parts.ts';
import { renderRichText } from './rich-text.ts';

export function renderPicture(image: Json): TemplateResult {
  const words = html`${renderIcon('picture')} ${String(image.alt_text ?? 'Image')}`;
  const label = image.image_url ? renderLink(String(image.image_url), words) : words;
  return html`<figure class="card">${label}${image.title ? html`<figcaption>${toWords(image.title)}</figcaption>` : ''}</figure>`;
}

export function renderFile(file: Json): TemplateResult {
  const words = html`${renderIcon('file')} ${String(file.title ?? file.name ?? file.external_id ?? 'A file')}`;
  const size = typeof file.size === 'number' ? html` <small>${file.size.toLocaleString('en')} bytes</small>` : '';
  return html`<p class="card">${file.url_private ? renderLink(String(file.url_private), words) : words}${size}</p>`;
}

export function renderTable(block: Json, { context }: ElementPlace): TemplateResult {
  const [head = [], ...rows] = (Array.isArray(block.rows) ? block.rows : []).map(toObjects);
  const settings = toObjects(block.column_settings);
  const cell = (one: Json) =>
    one.type === 'rich_text' ? renderRichText(one, context) : String(one.text ?? one.value ?? '');
  const align = (column: number) => `align-${String(settings[column]?.align ?? 'left')}`;
  return html`<div class="table" tabindex="0" role="group" aria-label=${String(block.caption ?? 'Table')}><table>
    ${block.caption ? html`<caption>${String(block.caption)}</caption>` : nothing}
    <thead><tr>${head.map((one, column) => html`<th class=${align(column)}>${cell(one)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((one, column) => html`<td class=${align(column)}>${cell(one)}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** Its values as meters. */
export function renderChart(block: Json): TemplateResult {
  const chart = isObject(block.chart) ? block.chart : {};
  const series = toObjects(chart.series).flatMap((one) => toObjects(one.data));
  const points = series.length > 0 ? series : toObjects(chart.segments);
  const most = Math.max(1, ...points.map(({ value }) => Number(value)));
  return html`<figure class="chart"><figcaption>${toWords(block.title)}</figcaption>
    ${points.map(({ label, value }) => html`<div><span>${String(label)}</span><meter aria-label=${String(label)} max=${most} .value=${Number(value)}></meter><span>${Number(value).toLocaleString('en')}</span></div>`)}</figure>`;
}
