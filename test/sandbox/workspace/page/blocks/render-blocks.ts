/** Each type of block: https://docs.slack.dev/reference/block-kit/blocks */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Block, Json, View } from '../../../slack/records.ts';
import type { ShownMessage } from '../../sight.ts';
import { renderIcon } from '../icons.ts';
import type { BlockContext } from './context.ts';
import { type ElementPlace, nameOf } from './element-place.ts';
import { renderPlain } from './emoji-signs.ts';
import { isObject, renderLink, toObjects, toWords } from './parts.ts';
import { renderElement } from './render-elements.ts';
import { renderRichText, renderText } from './rich-text.ts';

type Draw = (block: Block, place: ElementPlace) => TemplateResult;

const DRAW: Record<string, Draw> = {
  section: renderSection,
  header: ({ text }) => html`<h3 class="block-header">${renderPlain(toWords(text))}</h3>`,
  divider: () => html`<hr>`,
  context: (block, { context }) =>
    html`<div class="context">${toObjects(block.elements).map((one) => renderText(one, context))}</div>`,
  actions: renderActions,
  context_actions: renderActions,
  input: renderInput,
  rich_text: (block, { context }) => renderRichText(block, context),
  table: renderTable,
};

/** An entry survives an update where block id and action id stay, as in Slack. */
export function renderBlocks(blocks: Block[], context: BlockContext, entered: View['entered'] = {}): TemplateResult {
  const key = (block: Block, index: number) => {
    const id = String(block.block_id ?? index);
    return isObject(block.element) ? `${id}/${String(block.element.action_id)}` : `${id} ${index}`;
  };
  return html`<div class="blocks">${repeat(blocks, key, (block) => {
    const draw = DRAW[block.type];
    if (draw) return draw(block, { context, block, entered });
    return html`<p class="unknown">A block of the type ${block.type}, which this client cannot draw.</p>`;
  })}</div>`;
}

function renderSection(block: Block, place: ElementPlace): TemplateResult {
  const fields = toObjects(block.fields);
  return html`<div class="section"><div class="section-text">${block.text ? renderText(block.text, place.context) : nothing}
    ${fields.length > 0 ? html`<div class="fields">${fields.map((one) => renderText(one, place.context))}</div>` : nothing}</div>
    ${isObject(block.accessory) ? html`<div class="accessory">${renderElement(block.accessory, place)}</div>` : nothing}</div>`;
}

function renderActions(block: Block, place: ElementPlace): TemplateResult {
  const key = (_: unknown, index: number) => index;
  return html`<div class=${block.type === 'actions' ? 'actions' : 'actions quiet-actions'}>${repeat(toObjects(block.elements), key, (one) => renderElement(one, place))}</div>`;
}

function renderInput(block: Block, place: ElementPlace): TemplateResult {
  const { context } = place;
  const id = String(block.block_id);
  const error = context.errors[id];
  const element = isObject(block.element) ? block.element : {};
  return html`<div class="field"><label for=${nameOf(element, place)}>${renderPlain(toWords(block.label))}${block.optional ? html` <small>(optional)</small>` : nothing}</label>
    ${renderElement(element, place)}
    <div id=${`about-${id}`}>${error ? html`<p class="error" role="alert">${error}</p>` : nothing}${block.hint ? html`<div class="field-hint">${renderText(block.hint, context)}</div>` : nothing}</div></div>`;
}

/** A form of its own, as the same message may stand in a thread, too. */
export function renderMessageBody(message: ShownMessage, context: BlockContext): TemplateResult {
  const { blocks, files = [] } = message;
  return html`<form @submit=${(event: Event) => event.preventDefault()}>${renderBlocks(blocks, context)}
    ${files.map(renderFile)}</form>`;
}

/** The page loads nothing from other hosts, so a file is a card. */
function renderFile(file: Json): TemplateResult {
  const words = html`${renderIcon('file')} ${String(file.title ?? file.name ?? file.external_id ?? 'A file')}`;
  const size = typeof file.size === 'number' ? html` <small>${file.size.toLocaleString('en')} bytes</small>` : '';
  return html`<p class="card">${file.url_private ? renderLink(String(file.url_private), words) : words}${size}</p>`;
}

function renderTable(block: Json, { context }: ElementPlace): TemplateResult {
  const [head = [], ...rows] = (Array.isArray(block.rows) ? block.rows : []).map(toObjects);
  const settings = toObjects(block.column_settings);
  const cell = (one: Json) => (one.type === 'rich_text' ? renderRichText(one, context) : String(one.text ?? ''));
  const align = (column: number) => `align-${String(settings[column]?.align ?? 'left')}`;
  return html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
    <thead><tr>${head.map((one, column) => html`<th class=${align(column)}>${cell(one)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((one, column) => html`<td class=${align(column)}>${cell(one)}</td>`)}</tr>`)}</tbody></table></div>`;
}
