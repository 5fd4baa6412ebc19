import { measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { buildApprovalRequest, isShownToApprover } from '../../../src/governance/confirmation/approval-views.ts';
import { FINDINGS_PER_PAGE } from '../../../src/governance/review/report.ts';
import { MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { aPending } from '../confirmation/samples.ts';
import { findButtons, findMessageProblems, readTexts } from '../limits/limit-samples.ts';
import { aChange, aReport, LIMIT, WORST_MESSAGES, ZONE } from './worst-messages.ts';

const BAD = '&<>'.repeat(200);

describe('messages at their worst', () => {
  it.each(WORST_MESSAGES)('are taken by Slack, with each entry in them: %s', (_, content, entries) => {
    const size = measureMessage(content.blocks as KnownBlock[] as never);

    expect(findMessageProblems(content)).toEqual([]);
    expect(size.blocks).toBeLessThanOrEqual(MESSAGE_BUDGET.blocks);
    expect(size.characters).toBeLessThanOrEqual(MESSAGE_BUDGET.characters);
    expect(new Set(readTexts(content.blocks).match(/n\d+\. &/g)).size).toBeGreaterThanOrEqual(entries);
  });

  it('keep their buttons, with the values that these carry', () => {
    const worst = findButtons(aReport(FINDINGS_PER_PAGE).blocks);

    expect(worst.map(({ action_id }) => action_id)).toEqual([
      ...Array(FINDINGS_PER_PAGE).fill(['admin_review_correct', 'admin_review_accept']).flat(),
      'admin_review_previous',
      'admin_review_next',
      'admin_review_export_csv',
    ]);
    expect(worst.flatMap(({ value }) => Object.keys(JSON.parse(value)))).toContain('report');
  });

  it('show an approver all of what is planned, or are not sent', () => {
    const few = aChange(6);

    const text = readTexts(buildApprovalRequest(aPending({ planned: few, reason: BAD }), ZONE).blocks);

    expect([few, aChange(20), LIMIT].map(isShownToApprover)).toEqual([true, false, true]);
    expect(text.match(/Allocated[^\n]*→ \*9 credits\*/g)).toHaveLength(6);
    expect(text).not.toMatch(/more lines?_/);
  });
});
