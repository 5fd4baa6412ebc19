import { html, nothing, type TemplateResult } from 'lit';
import type { Block, Json } from '../../../slack/records.ts';
import type { ShownMessage } from '../../sight.ts';
import type { BlockContext } from './context.ts';
import { renderLink } from './live-words.ts';
import { renderMrkdwn } from './mrkdwn.ts';
import { toObjects } from './parts.ts';
import { renderFile } from './pictures.ts';
import { renderBlocks } from './render-blocks.ts';

/** The text is only a fallback where there are blocks. A form of its own, as the same message may stand in a thread, too. */
export function renderMessageBody(message: ShownMessage, context: BlockContext): TemplateResult {
  const { blocks, text, files = [], attachments = [] } = message;
  return html`<form @submit=${(event: Event) => event.preventDefault()}>${blocks.length > 0 ? renderBlocks(blocks, context) : renderMrkdwn(text, context)}
    ${attachments.map((one) => html`<div class="container">${renderAttachment(one, context)}</div>`)}
    ${files.map(renderFile)}</form>`;
}

function renderAttachment(one: Json, context: BlockContext): TemplateResult {
  if (one.blocks) return renderBlocks(toObjects(one.blocks) as Block[], context);
  const words = (text: unknown) => (text ? renderMrkdwn(String(text), context) : nothing);
  const title = one.title_link ? renderLink(String(one.title_link), one.title) : one.title;
  const isEmpty = !one.pretext && !one.title && !one.text;
  return html`${words(one.pretext)}${one.title ? html`<strong>${title}</strong>` : nothing}${words(isEmpty ? one.fallback : one.text)}
    ${toObjects(one.fields).map((field) => html`<div><strong>${field.title}</strong>${words(field.value)}</div>`)}${words(one.footer)}`;
}
