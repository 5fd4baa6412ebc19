import type { TableBlock } from '@slack/types';
import { toLine } from '../../shown-text.ts';

export type Column = { title: string; align?: 'left' | 'right' };

/** So that a page of a list stays far below what Slack takes in one table. */
const MAX_CELL_LENGTH = 60;

/**
 * Cells are plain text, perhaps from outside. Slack shows one table a message, below everything else.
 */
export function buildTable(columns: readonly Column[], rows: readonly (readonly string[])[]): TableBlock {
  return {
    type: 'table',
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
    rows: [columns.map(({ title }) => title), ...rows].map((cells) => cells.map(toCell)),
  };
}

/** Slack takes no empty cell. */
function toCell(text: string) {
  return { type: 'raw_text' as const, text: toLine(text, MAX_CELL_LENGTH) || '–' };
}
