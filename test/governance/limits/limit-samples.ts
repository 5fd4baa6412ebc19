// Rows and pages for the views: the worst that may come from outside, and what Slack would say about it.

import { checkMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import type { LimitPage, LimitRow } from '../../../src/governance/lists/list-limits.ts';
import type { Content } from '../../../src/slack/views/content.ts';
import { aListFilter } from '../lists/list-samples.ts';
import { AGENT, NOW } from '../shell/samples.ts';

export function aLimitRow(values: Partial<LimitRow> = {}): LimitRow {
  return {
    ...AGENT,
    ownerId: 'owner-1',
    isHarness: true,
    known: { source: 'unknown' },
    environmentUse: undefined,
    ...values,
  };
}

export function aLimitPage(values: Partial<LimitPage> = {}): LimitPage {
  const rows = values.rows ?? [aLimitRow()];
  return {
    rows,
    total: rows.length,
    page: 0,
    pageCount: 1,
    query: '',
    filter: aListFilter({ name: values.query ?? '' }),
    environmentName: undefined,
    totals: undefined,
    settable: rows.filter(({ environmentId }) => environmentId !== undefined).length,
    truncated: false,
    gaps: [],
    asOf: NOW,
    listedAt: values.asOf ?? NOW,
    ...values,
  };
}

/** What Slack would refuse about it. */
export function findMessageProblems({ blocks }: Content): string[] {
  return checkMessage(blocks)?.messages ?? [];
}

/** All texts that it shows, one a line. */
export function readTexts(value: unknown): string {
  if (Array.isArray(value)) return value.map(readTexts).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const { text, ...rest } = value as { text?: unknown };
  const own = typeof text === 'string' ? text : readTexts(text);
  return [own, ...Object.values(rest).map(readTexts)].filter((part) => part !== '').join('\n');
}

type Button = { action_id: string; value: string };

export function findButtons(value: unknown): Button[] {
  if (Array.isArray(value)) return value.flatMap(findButtons);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'button' ? [value as unknown as Button] : [];
  return [...own, ...Object.values(value).flatMap(findButtons)];
}
