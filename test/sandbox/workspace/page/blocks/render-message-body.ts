import { html, type TemplateResult } from 'lit';
import type { Block } from '../../../slack/records.ts';
import type { ShownMessage } from '../../sight.ts';
import type { BlockContext } from './context.ts';
import { renderMrkdwn } from './mrkdwn.ts';
import { toObjects } from './parts.ts';
import { renderFile } from './pictures.ts';
import { renderBlocks } from './render-blocks.ts';

/** The text is only a fallback where there are blocks. A form of its own, as the same message may stand in a thread, too. */
export function renderMessageBody(message: ShownMessage, context: BlockContext): TemplateResult {
  const { blocks, text, files = [], attachments = [] } = message;
  return html`<form @submit=${(event: Event) => event.preventDefault()}>${blocks.length > 0 ? renderBlocks(blocks, context) : renderMrkdwn(text, context)}
    ${attachments.map((one) => html`<div class="container">${one.blocks ? renderBlocks(toObjects(one.blocks) as Block[], context) : renderMrkdwn(String(one.text ?? one.fallback ?? ''), context)}</div>`)}
    ${files.map(renderFile)}</form>`;
}
