import { describe, expect, it } from 'vitest';
import { AdminRefusedError, AdminThrottledError, AdminUnreadableError } from '../../../src/admin-api/admin-errors.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { ChangeOutcome } from '../../../src/governance/changes/change.ts';
import { openLimits } from '../../../src/governance/review/run-review.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { AGENT, aDeployedLimit, aLimitChange, anAgentLimit, aThreshold, NOW } from '../shell/samples.ts';

function open(readThresholds: () => Promise<Threshold[] | 'not_offered'>, changes = createMemoryStore().changes) {
  return openLimits({ session: { readThresholds }, changes, now: () => NOW });
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

  it('are told as far as they can be read where one of their settings is in a form that does not tell', async () => {
    const threshold = aThreshold({ limit: 7, stopIfOverCapacity: 'unknown', stopResource: true });

    const { known } = await (await open(async () => [threshold]))(AGENT);

    expect(known).toEqual({
      source: 'unknown',
      stopped: true,
      told: { limit: 7, notify: true, notificationThreshold: 80, stopWhenReached: 'unknown' },
    });
  });

  it('come with the id that they are filed under', async () => {
    const readLimit = await open(async () => [aThreshold({ resourceId: 'AGENT-1', limit: 7 })]);

    expect(await readLimit(AGENT)).toMatchObject({
      agent: { agentResourceId: 'AGENT-1' },
      known: { limit: { limit: 7 } },
    });
  });

  it('are those last set from here where reading is not offered', async () => {
    const { changes } = createMemoryStore();
    const outcome: ChangeOutcome = { kind: 'verified', written: 'yes' };
    await changes.begin(aLimitChange({ after: anAgentLimit({ limit: 7 }), outcome }));

    const readLimit = await open(async () => 'not_offered', changes);

    expect((await readLimit(AGENT)).known).toMatchObject({ source: 'last_set', limit: { limit: 7 } });
    expect((await readLimit({ ...AGENT, agentResourceId: 'bot-2' })).known).toEqual({ source: 'unknown' });
  });

  it.each([
    new AdminThrottledError('read thresholds', 1000),
    new AdminRefusedError('admin_forbidden', 'read thresholds'),
    new AdminUnreadableError('read thresholds'),
  ])('are an error, and not those last set from here, where they are offered and not had: $code', async (error) => {
    await expect(open(() => Promise.reject(error))).rejects.toBe(error);
  });
});
