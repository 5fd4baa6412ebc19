import { describe, expect, it } from 'vitest';
import type { ChangeStore, LimitChange } from '../../src/governance/change-store.ts';

export function describeChangeStore(current: () => ChangeStore): void {
  describe('changes', () => {
    it('begin once per id', async () => {
      const results = await Promise.all([current().begin(aChange()), current().begin(aChange())]);

      expect(results.toSorted()).toEqual(['duplicate', 'new']);
    });

    it('count as perhaps written until they are known to have ended otherwise', async () => {
      await current().begin(aChange({ id: 'first', at: 1 }));
      await current().begin(aChange({ id: 'second', at: 2 }));

      expect((await current().lastSet('env', 'agent'))?.id).toBe('second');
      await current().finish('second', { kind: 'failed', written: 'no' });
      expect((await current().lastSet('env', 'agent'))?.id).toBe('first');
    });

    it('are found without regard to case, and without the one that is just being made', async () => {
      await current().begin(aChange({ id: 'first', at: 1, environmentId: 'ENV', agentResourceId: 'Agent' }));
      await current().begin(aChange({ id: 'second', at: 2 }));

      expect((await current().lastSet('Env', 'AGENT', 'second'))?.id).toBe('first');
      expect(await current().lastSet('env', 'another')).toBeUndefined();
    });

    it('keep how they ended', async () => {
      await current().begin(aChange());
      await current().finish('change', { kind: 'verified', written: 'yes' });

      expect((await current().lastSet('env', 'agent'))?.outcome).toEqual({ kind: 'verified', written: 'yes' });
    });
  });
}

function aChange(change: Partial<LimitChange> = {}): LimitChange {
  return {
    schema: 1,
    id: 'change',
    kind: 'agent_limit',
    team: 'T1',
    workspace: 'T1',
    user: 'UKIM',
    environmentId: 'env',
    agentResourceId: 'agent',
    before: { source: 'unknown' },
    after: { limit: 10, notify: true, notificationThreshold: 80, stopWhenReached: false, stopped: false },
    at: 1,
    ...change,
  };
}
