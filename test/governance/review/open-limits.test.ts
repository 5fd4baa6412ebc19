import { describe, expect, it } from 'vitest';
import { AdminForbiddenError, AdminThrottledError } from '../../../src/admin/admin-errors.ts';
import type { Threshold } from '../../../src/admin/threshold-wire.ts';
import { openLimits } from '../../../src/governance/review/open-limits.ts';
import { createMemoryChangeStore } from '../memory-change-store.ts';
import { AGENT, aDeployedLimit, anAgentLimit, aThreshold, NOW } from '../samples.ts';

function open(readThresholds: () => Promise<Threshold[] | 'not_offered'>, changes = createMemoryChangeStore()) {
  return openLimits({ readThresholds, changes, now: () => NOW });
}

describe('limits for many agents', () => {
  it('are read once', async () => {
    let reads = 0;
    const readLimit = await open(async () => {
      reads += 1;
      return [aThreshold({ limit: 7 })];
    });

    const found = [await readLimit(AGENT), await readLimit({ ...AGENT, agentResourceId: 'bot-2', name: 'agent-2' })];

    expect(found.map(({ known }) => known)).toEqual([aDeployedLimit({ limit: 7 }), { source: 'none', readAt: NOW }]);
    expect(reads).toBe(1);
  });

  it('come with the id that they are filed under', async () => {
    const readLimit = await open(async () => [aThreshold({ resourceId: 'AGENT-1', limit: 7 })]);

    expect(await readLimit(AGENT)).toMatchObject({
      agent: { agentResourceId: 'AGENT-1' },
      known: { limit: { limit: 7 } },
    });
  });

  it.each<[string, () => Promise<'not_offered'>]>([
    ['offered', async () => 'not_offered'],
    ['allowed', async () => Promise.reject(new AdminForbiddenError('read thresholds'))],
  ])('are those last set from here where reading is not %s', async (_, readThresholds) => {
    const changes = createMemoryChangeStore();
    await changes.begin({
      schema: 1,
      id: 'change-1',
      kind: 'agent_limit',
      team: 'T1',
      workspace: 'T1',
      user: 'U1',
      environmentId: 'env-1',
      agentResourceId: 'bot-1',
      before: { source: 'unknown' },
      after: anAgentLimit({ limit: 7 }),
      at: NOW,
      outcome: { kind: 'verified', written: 'yes' },
    });

    const readLimit = await open(readThresholds, changes);

    expect((await readLimit(AGENT)).known).toMatchObject({ source: 'last_set', limit: { limit: 7 } });
    expect((await readLimit({ ...AGENT, agentResourceId: 'bot-2' })).known).toEqual({ source: 'unknown' });
  });

  it('are an error where reading may work later', async () => {
    const error = new AdminThrottledError('read thresholds', 1000);

    await expect(open(() => Promise.reject(error))).rejects.toBe(error);
  });
});
