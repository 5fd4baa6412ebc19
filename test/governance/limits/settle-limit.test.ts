import { describe, expect, it } from 'vitest';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { settleLimit } from '../../../src/governance/limits/known-limit.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { AGENT, aDeployedLimit, aLastSetLimit, aLimitChange, anAgentLimit, NOW } from '../shell/samples.ts';

async function settle(found: KnownLimit, { ago = 120_000, hasEnded = false } = {}) {
  const { changes } = createMemoryStore();
  const before = aDeployedLimit({ limit: 1000 });
  await changes.begin(aLimitChange({ before, after: anAgentLimit({ limit: 2000 }), at: NOW - ago }));
  if (hasEnded) await changes.finish('change-1', { kind: 'verified', written: 'yes' });
  const settled = await settleLimit(AGENT, found, { changes, now: () => NOW });
  return { settled, outcome: (await changes.get('change-1'))?.outcome };
}

describe('a change of a limit that broke off', () => {
  it.each<[string, KnownLimit, object]>([
    ['was carried out', aDeployedLimit({ limit: 2000 }), { kind: 'verified', written: 'yes' }],
    ['was not', aDeployedLimit({ limit: 1000 }), { kind: 'failed', written: 'no' }],
    ['is lost in another', aDeployedLimit({ limit: 7 }), { kind: 'conflict', written: 'perhaps' }],
    ['is not told', { source: 'unknown' }, { kind: 'applied_not_verified', written: 'perhaps' }],
    ['is not told, but an earlier one', aLastSetLimit(), { kind: 'applied_not_verified', written: 'perhaps' }],
  ])('is ended by the next look: it %s', async (_, found, ended) => {
    const { settled, outcome } = await settle(found);

    expect(outcome).toMatchObject({ ...ended, reason: 'interrupted' });
    expect(settled).toMatchObject({ id: 'change-1', outcome: ended });
  });

  it('is left alone while it may still run', async () => {
    const { settled, outcome } = await settle(aDeployedLimit({ limit: 2000 }), { ago: 119_999 });

    expect([settled, outcome]).toEqual([undefined, undefined]);
  });

  it('is not one that has ended', async () => {
    const { settled, outcome } = await settle(aDeployedLimit({ limit: 7 }), { hasEnded: true });

    expect(settled).toBeUndefined();
    expect(outcome).toEqual({ kind: 'verified', written: 'yes' });
  });
});
