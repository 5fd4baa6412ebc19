import { html, type TemplateResult } from 'lit';
import type { ShownView } from '../../sight.ts';
import type { BlockContext } from './context.ts';
import { renderButtons } from './render-message-body.ts';

export function renderHome(view: ShownView, context: BlockContext): TemplateResult {
  return html`<div class="plain-body">${view.rendered}</div>${renderButtons(view.blocks, context)}`;
}
