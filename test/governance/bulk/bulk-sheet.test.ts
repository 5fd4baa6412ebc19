import { expect, it } from 'vitest';
import { buildBulkSheet } from '../../../src/governance/bulk/bulk-sheet.ts';
import { toFileName } from '../../../src/governance/exports/sheet.ts';
import { readRows } from '../exports/sheet-rows.ts';
import { AGENT, aDeployedLimit, aPlan, NOW } from '../shell/samples.ts';
import { KIM, LEE } from './bulk-world.ts';

const CHANGE = { kind: 'limit' as const, plan: aPlan(aDeployedLimit(), { limit: 2_000 }) };

const BULK = {
  ...{ schema: 1 as const, id: 'abcdef012345', by: KIM, plannedAt: NOW, total: 2 },
  approver: LEE.user,
  leftOut: [{ why: 'so already', count: 1, names: ['*X*'] }],
  confirmed: { at: NOW, reason: 'more room' },
  ended: { at: NOW, why: 'stopped' },
};

it('has a row for each change, with what changed and how it ended', () => {
  const ends = [{ kind: 'failed' as const, reason: 'admin_rejected', sentence: 'too high' }];

  const sheet = buildBulkSheet({ bulk: BULK, items: [CHANGE, CHANGE], ends }, NOW);

  expect(toFileName(sheet)).toMatch(/^bulk-.*\.csv$/);
  expect(sheet.gaps).toEqual([expect.stringContaining('left out of it beforehand')]);
  expect(readRows(sheet)).toEqual([
    {
      ...{ outcome: 'failed', reason: 'admin_rejected', service_said: 'too high', changed_by: null, kind: 'limit' },
      ...{ name: 'Invoice Reader', environment_id: AGENT.environmentId },
      ...{ agent_resource_id: AGENT.agentResourceId, currency: null },
      changes: expect.stringContaining('Monthly limit: 1,000 credits → 2,000 credits'),
    },
    expect.objectContaining({ outcome: null, reason: null }),
  ]);
});
