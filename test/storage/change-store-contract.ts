import { describe, expect, it } from 'vitest';
import type { AllocationChange, ChangeStore, LimitChange } from '../../src/governance/changes/change.ts';
import { aLimitChange } from '../governance/shell/samples.ts';

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

    it('of the limits of an agent in two currencies do not meet', async () => {
      await current().begin(aChange({ id: 'usual', at: 1 }));
      await current().begin(aChange({ id: 'other', at: 2, currencyType: 'AI' }));

      expect((await current().lastSet('env', 'agent'))?.id).toBe('usual');
      expect((await current().lastSet('env', 'agent', undefined, 'ai'))?.id).toBe('other');
      expect(await current().lastSet('env', 'agent', 'other', 'AI')).toBeUndefined();
    });

    it('are found by their id, with how they ended', async () => {
      await current().begin(aChange({ id: 'open' }));
      await current().begin(anAllocationChange({ id: 'ended', reason: 'more is needed', approvedBy: 'UBEN' }));
      await current().finish('ended', { kind: 'conflict', written: 'no', found: 'none', requestIds: ['r-1'] });

      expect(await current().get('open')).toEqual(aChange({ id: 'open' }));
      expect(await current().get('ended')).toEqual({
        ...anAllocationChange({ id: 'ended', reason: 'more is needed', approvedBy: 'UBEN' }),
        outcome: { kind: 'conflict', written: 'no', found: 'none', requestIds: ['r-1'] },
      });
      expect(await current().get('another')).toBeUndefined();
    });

    it('keep the accounts of who asked and who approved', async () => {
      const accounts = { account: 'https://idp|oid|kim', approverAccount: 'https://idp|oid|ben' };
      await current().begin(aChange({ id: 'approved', approvedBy: 'UBEN', ...accounts }));

      expect(await current().get('approved')).toMatchObject(accounts);
    });

    it('of an allocation and of a limit in the same environment do not meet', async () => {
      await current().begin(aChange({ id: 'limit', at: 2 }));
      await current().begin(anAllocationChange({ id: 'allocation', at: 1 }));

      expect((await current().lastAllocation('ENV'))?.id).toBe('allocation');
      expect((await current().lastSet('env', 'agent'))?.id).toBe('limit');
      expect(await current().lastAllocation('another')).toBeUndefined();
    });

    it('of an allocation count as perhaps written until they are known to have ended otherwise', async () => {
      await current().begin(anAllocationChange({ id: 'first', at: 1 }));
      await current().begin(anAllocationChange({ id: 'second', at: 2 }));

      expect((await current().lastAllocation('env'))?.id).toBe('second');
      await current().finish('second', { kind: 'failed', written: 'no' });
      expect((await current().lastAllocation('env'))?.id).toBe('first');
    });

    it('are untold until they end, and where a later look has ended them until whoever made them is told', async () => {
      const ids = async () => (await current().untold()).map(({ id, outcome }) => [id, outcome?.kind]);
      await current().begin(aChange({ id: 'ends', at: 1 }));
      await current().begin(anAllocationChange({ id: 'open', at: 2 }));
      await current().begin(aChange({ id: 'breaks off', at: 3 }));
      await current().begin(aChange({ id: 'breaks off', at: 3 }));
      await current().finish('ends', { kind: 'verified', written: 'yes' });
      await current().finish('breaks off', { kind: 'verified', written: 'yes', reason: 'interrupted' });

      expect(await ids()).toEqual([
        ['open', undefined],
        ['breaks off', 'verified'],
      ]);
      await current().told('breaks off');
      await current().told('another');
      expect(await current().untold()).toEqual([anAllocationChange({ id: 'open', at: 2 })]);
    });

    it('that ended are not ended again by who found them interrupted', async () => {
      await current().begin(aChange());
      await current().finish('change', { kind: 'verified', written: 'yes' });

      await current().finish('change', { kind: 'failed', written: 'no', reason: 'interrupted' });

      expect((await current().get('change'))?.outcome).toEqual({ kind: 'verified', written: 'yes' });
      expect(await current().untold()).toEqual([]);
    });

    it('are told once, also where they are found interrupted after that', async () => {
      await current().begin(aChange());
      await current().told('change');

      await current().finish('change', { kind: 'verified', written: 'yes', reason: 'interrupted' });

      expect((await current().get('change'))?.outcome).toMatchObject({ kind: 'verified' });
      expect(await current().untold()).toEqual([]);
    });

    it('are found behind however many that were not written', async () => {
      await current().begin(aChange({ id: 'written', at: 0 }));
      for (let at = 1; at <= 250; at += 1) {
        await current().begin(aChange({ id: `failed-${at}`, at }));
        await current().finish(`failed-${at}`, { kind: 'failed', written: 'no' });
      }

      expect((await current().lastSet('env', 'agent'))?.id).toBe('written');
      await current().begin(aChange({ id: 'last', at: 900 }));
      expect((await current().lastSet('env', 'agent', 'last'))?.id).toBe('written');
    });

    it('keep how they ended', async () => {
      await current().begin(aChange());
      await current().finish('change', { kind: 'verified', written: 'yes' });

      expect((await current().lastSet('env', 'agent'))?.outcome).toEqual({ kind: 'verified', written: 'yes' });
    });
  });
}

function aChange(change: Partial<LimitChange> = {}): LimitChange {
  return aLimitChange({ id: 'change', environmentId: 'env', agentResourceId: 'agent', at: 1, ...change });
}

function anAllocationChange(change: Partial<AllocationChange> = {}): AllocationChange {
  const allocation = (allocated: number) => ({
    environmentId: 'env',
    currencyAllocations: [
      {
        currencyType: 'ServiceMessages',
        allocated,
        autoAllocated: undefined,
        enforcementRules: [],
        others: { a: [1] },
      },
    ],
    others: {},
  });
  const { team, workspace, user, environmentId } = aChange();
  const before = JSON.parse(JSON.stringify(allocation(1)));
  const after = JSON.parse(JSON.stringify(allocation(2)));
  const whose = { team, workspace, user, environmentId };
  return { schema: 1, id: 'change', kind: 'allocation', ...whose, before, after, at: 1, ...change };
}
