import { describe, expect, it } from 'vitest';
import { buildReviewSheet, readReportSheet } from '../../../src/governance/review/report-sheet.ts';
import { summarize } from '../../../src/governance/review/review-summary.ts';
import { readRows } from '../exports/sheet-rows.ts';
import { AT, aHead, anAgentFinding, anEnvironmentFinding, aToldAgentFinding } from './review-samples.ts';

describe('a sheet of a review', () => {
  it('tells when a limit that the service does not show was set from here, and until when that counts', () => {
    const agents = [aToldAgentFinding({ limitStaleAt: AT + 60_000 })];
    const gaps = { environments: undefined, agents: undefined };
    const summary = summarize(agents, gaps, 0);

    const sheet = buildReviewSheet({
      ...{ at: AT, registerHash: '0123456789abcdef', gaps, summary },
      ...{ environments: [], strayAgents: agents },
    });

    expect(readRows(sheet)).toMatchObject([
      {
        status: 'as_far_as_told',
        limit_source: 'last_set',
        limit_set_at: new Date(AT).toISOString(),
        limit_counts_until: new Date(AT + 60_000).toISOString(),
      },
    ]);
  });

  it('of a kept report has no row for an environment that is in order, but its name', async () => {
    const environment = anEnvironmentFinding({ status: 'compliant', differences: [], name: 'Lab' });
    const agent = anAgentFinding({ environmentId: environment.environmentId });
    const page = { environments: [{ environment, agents: [agent] }], strayAgents: [] };
    const reports = { readHead: async () => aHead({ pageCount: 1 }), read: async () => ({ page }) };

    const sheet = await readReportSheet('report', reports as unknown as Parameters<typeof readReportSheet>[1]);

    const rows = readRows(sheet as NonNullable<typeof sheet>);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(rows.map(() => expect.objectContaining({ kind: 'agent', environment_name: 'Lab' })));
  });
});
