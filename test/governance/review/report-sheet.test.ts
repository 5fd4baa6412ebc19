import { describe, expect, it } from 'vitest';
import { renderSheet } from '../../../src/governance/exports/sheet.ts';
import { buildReviewSheet } from '../../../src/governance/review/report-sheet.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';
import { AT, aToldAgentFinding } from './review-samples.ts';

describe('a sheet of a review', () => {
  it('tells when a limit that the service does not show was set from here, and until when that counts', () => {
    const agents = [aToldAgentFinding({ limitStaleAt: AT + 60_000 })];
    const gaps = { environments: undefined, agents: undefined };
    const summary = summarize(agents, gaps, 0);

    const sheet = buildReviewSheet({
      ...{ at: AT, registerHash: '0123456789abcdef', gaps, summary },
      ...{ environments: [], strayAgents: agents },
    });

    const { rows, ...about } = JSON.parse(renderSheet(sheet, 'json'));
    expect(about).toMatchObject({ isInOrderAsTold: true, isCompliant: false, notInOrder: 0 });
    expect(rows).toMatchObject([
      {
        status: 'as_far_as_told',
        limit_source: 'last_set',
        limit_set_at: new Date(AT).toISOString(),
        limit_counts_until: new Date(AT + 60_000).toISOString(),
      },
    ]);
  });
});
