// The pages of every list of /assistant-admin: what their buttons carry, and the row of buttons itself.
import type { ActionsBlock, Button } from '@slack/types';
import { z } from 'zod';
import { HARNESS_FILTERS, type HarnessFilter } from '../../../../governance/agent-filter.ts';
import { formatCredits } from '../../../../governance/shell/values.ts';
import type { Page } from '../../../../governance/take-page.ts';
import { buildPlainText } from '../../content.ts';

export type ListName = 'agents' | 'audit' | 'environments' | 'limits' | 'usage';

const turnSchema = z.object({
  /** What was typed after the command. */
  query: z.string(),
  page: z.int().min(0),
  /** Of agents: instead of what was typed about the harness. */
  harness: z.enum(HARNESS_FILTERS).optional(),
  /** Of the audit log, whose pages are found by the last entry before them. */
  before: z.int().min(1).optional(),
});

export type PageTurn = z.infer<typeof turnSchema>;

/** Undefined where it is not the value of such a button. */
export function parsePageTurn(value: string): PageTurn | undefined {
  try {
    return turnSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

/** Where a button leads: each list has some of its own besides *Previous* and *Next*. */
type TurnTarget = 'previous' | 'next' | 'newest' | 'older' | `harness_${HarnessFilter}`;

/** The action ids of all of them. They are written into messages: never rename. */
export function matchTurnActions(list: ListName): RegExp {
  return new RegExp(`^admin_${list}_(?:previous|next|newest|older|harness_\\w+)$`);
}

export function buildTurn(list: ListName, to: TurnTarget, label: string, turn: PageTurn): Button {
  return {
    type: 'button',
    action_id: `admin_${list}_${to}`,
    text: buildPlainText(label),
    value: JSON.stringify(turn),
  };
}

/** *Previous* and *Next*, as far as there are such pages. `turn`: what else they carry. */
export function buildTurns(
  list: ListName,
  { page, pageCount }: Pick<Page, 'page' | 'pageCount'>,
  turn: Omit<PageTurn, 'page'>,
): ActionsBlock[] {
  const elements = [
    ...(page > 0 ? [buildTurn(list, 'previous', 'Previous', { ...turn, page: page - 1 })] : []),
    ...(page < pageCount - 1 ? [buildTurn(list, 'next', 'Next', { ...turn, page: page + 1 })] : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

/** `, page 2 of 1,000`; nothing where there is one. */
export function describePage({ page, pageCount }: Pick<Page, 'page' | 'pageCount'>): string {
  return pageCount > 1 ? `, page ${formatCredits(page + 1)} of ${formatCredits(pageCount)}` : '';
}
