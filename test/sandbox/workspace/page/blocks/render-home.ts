import type { TemplateResult } from 'lit';
import type { ShownView } from '../../sight.ts';
import type { BlockContext } from './context.ts';
import { renderBlocks } from './render-blocks.ts';

export function renderHome(view: ShownView, context: BlockContext): TemplateResult {
  return renderBlocks(view.blocks, context, view.entered);
}
