import { html, nothing, type TemplateResult } from 'lit';
import type { Json } from '../../../slack/records.ts';
import type { ShownMessage } from '../../sight.ts';
import type { BlockContext } from './context.ts';

/** The message as plain text, and what can be pressed in it. */
export function renderMessageBody(message: ShownMessage, context: BlockContext): TemplateResult {
  return html`<div class="plain-body">${message.rendered}</div>${renderButtons(message.blocks, context)}`;
}

export function renderButtons(blocks: Json[], context: BlockContext): TemplateResult | typeof nothing {
  const buttons = blocks.flatMap((block) => buttonsIn(block).map((element) => ({ block, element })));
  if (buttons.length === 0) return nothing;
  return html`<div class="plain-buttons">${buttons.map(({ block, element }) => {
    const press = () =>
      context.act({
        ...(block.block_id !== undefined && { blockId: String(block.block_id) }),
        actionId: String(element.action_id),
      });
    return html`<button type="button" class="button" @click=${press}>${(element.text as Json | undefined)?.text ?? '…'}</button>`;
  })}</div>`;
}

function buttonsIn(holder: Json): Json[] {
  const parts = [holder.elements, holder.accessory, holder.child_blocks].flat() as (Json | undefined)[];
  return parts.flatMap((part) => {
    if (!part) return [];
    return part.type === 'button' ? [part] : buttonsIn(part);
  });
}
