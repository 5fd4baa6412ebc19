// What a bulk change is made of: planned from what a review found, what is there now, and the register as it is now.
import { describe, expect, it } from 'vitest';
import { AdminFailedError, AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { Allocation, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { type BulkWish, planBulk } from '../../../src/governance/bulk/slack-bulk-plan.ts';
import type { ChangeStore } from '../../../src/governance/changes/change.ts';
import { listCandidates } from '../../../src/governance/review/bulk-candidates.ts';
import type { CorrectionSources } from '../../../src/governance/review/find-correction.ts';
import { createReports } from '../../../src/governance/review/report.ts';
import type { Review } from '../../../src/governance/review/review-summary.ts';
import { toStandards } from '../../../src/governance/review/standards.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import {
  aCurrency,
  aDeployed,
  anAllocation,
  aRegister,
  aWorld,
  CURRENCY,
  NOW,
  reviewWorld,
  type World,
} from '../review/review-world.ts';
import { aLimitChange, aThreshold } from '../shell/samples.ts';

type Now = {
  allocation?: Allocation;
  thresholds?: Threshold[] | 'not_offered' | Error;
  changes?: ChangeStore;
};

const DRIFTED = anAllocation(aCurrency({ allocated: 900, rules: { TenantPool: true } }));

/** The agent has no limit, its environment's credits drifted. */
const world = (values: Partial<World> = {}) =>
  aWorld({ allocations: new Map([['env-1', DRIFTED]]), limits: new Map([['agent-1', NO_LIMIT]]), ...values });

const NO_LIMIT = { source: 'none', readAt: NOW } as const;

function plan(review: Review, now: Now = {}, wish: Partial<BulkWish> = {}) {
  const { allocation = DRIFTED, thresholds = [], changes = createMemoryStore().changes } = now;
  const sources: CorrectionSources = {
    session: {
      readAllocation: async () => allocation,
      readThresholds: async () => {
        if (thresholds instanceof Error) throw thresholds;
        return thresholds;
      },
      readEntitlements: async () => [],
    },
    changes,
    exclusively: createExclusively(),
    now: () => NOW,
    judging: { standards: toStandards(aRegister()), currency: CURRENCY, limitStaleMs: 90 * 24 * 3_600_000, now: NOW },
  };
  const candidates = listCandidates(review);
  return planBulk({ candidates, stopDecision: 'not_stopped', ...wish }, sources);
}

describe('the candidates of a review', () => {
  it('are what can be corrected, by its kind', async () => {
    const candidates = listCandidates(await reviewWorld(world()));

    expect(candidates.map(({ kind, finding, environmentName }) => [kind, finding.kind, environmentName])).toEqual([
      ['allocation', 'environment', undefined],
      ['first_limit', 'agent', 'env-1'],
    ]);
  });

  it('are agents whose limit the service does not tell, where one is approved', async () => {
    const limits = new Map([['agent-1', { source: 'unknown' } as const]]);

    const candidates = listCandidates(await reviewWorld(aWorld({ limits })));

    expect(candidates.map(({ kind }) => kind)).toEqual(['untold_limit']);
  });

  it('are kept with the report, and counted in its head', async () => {
    const { once } = createMemoryStore(() => NOW);
    const reports = createReports(once, { createId: () => 'r1', now: () => NOW });
    const review = await reviewWorld(world());

    const head = await reports.keep(review);

    expect(head.candidates).toEqual({ counts: { allocation: 1, first_limit: 1 }, cut: 0 });
    expect(await reports.readCandidates('r1')).toEqual({ head, candidates: listCandidates(review) });
    expect(await reports.readCandidates('r2')).toBeUndefined();
  });
});

describe('a bulk change', () => {
  it('is planned from what is there now', async () => {
    const { items, leftOut } = await plan(await reviewWorld(world()));

    expect(items.map(({ kind, change }) => [kind, change.plan.after])).toMatchObject([
      ['allocation', { environmentId: 'env-1' }],
      ['first_limit', { limit: 500, stopped: false }],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('leaves out what is in order by now', async () => {
    const { items, leftOut } = await plan(await reviewWorld(world()), { allocation: anAllocation(aCurrency()) });

    expect(items.map(({ kind }) => kind)).toEqual(['first_limit']);
    expect(leftOut).toMatchObject([{ count: 1, names: ['*env-1*'], why: expect.stringContaining('by now') }]);
  });

  it('leaves out agents that may be stopped, where nobody said whether they are', async () => {
    const limits = new Map([['agent-1', { source: 'unknown' } as const]]);
    const review = await reviewWorld(aWorld({ limits }));

    const { leftOut } = await plan(review, { thresholds: 'not_offered' }, { stopDecision: undefined });

    expect(leftOut[0]?.why).toContain('does not tell whether the agent is stopped, and you did not say it');
  });

  it('keeps an agent stopped of which the service tells that it is, whatever was said about others', async () => {
    const limits = new Map([['agent-1', aDeployed({ limit: 900, stopped: true })]]);
    const thresholds = [aThreshold({ resourceId: 'bot-of-agent-1', limit: 900, stopResource: true })];

    const { items } = await plan(await reviewWorld(world({ limits })), { thresholds });

    expect(items.find(({ kind }) => kind === 'limit')?.change.plan.after).toMatchObject({ limit: 500, stopped: true });
  });

  it('keeps an agent stopped that was stopped from here, where the service does not tell it', async () => {
    const { changes } = createMemoryStore();
    const stopped = aLimitChange({ environmentId: 'env-1', agentResourceId: 'bot-of-agent-1', action: 'stop' });
    await changes.begin({ ...stopped, after: { ...stopped.after, limit: 0, stopped: true } });
    await changes.finish(stopped.id, { kind: 'verified', written: 'yes' });
    const limits = new Map([['agent-1', { source: 'unknown' } as const]]);

    const { items } = await plan(await reviewWorld(aWorld({ limits })), { thresholds: 'not_offered', changes });

    expect(items.map(({ change }) => change.plan.after)).toMatchObject([{ limit: 500, stopped: true }]);
  });

  it('has in it what a second admin may have to approve', async () => {
    const allocation = anAllocation(
      aCurrency({ allocated: 900, rules: { Deny: true, PayGo: false, TenantPool: true } }),
    );
    const limits = new Map([['agent-1', aDeployed({ limit: 100, stopWhenReached: true })]]);
    const thresholds = [aThreshold({ resourceId: 'bot-of-agent-1', limit: 100, stopIfOverCapacity: true })];
    const review = await reviewWorld(world({ limits }));

    const { items } = await plan(review, { allocation, thresholds });

    expect(items.map(({ kind, change }) => [kind, change.plan.loosens])).toContainEqual(['limit', true]);
  });

  it('sets what is approved where the service does not tell what is set', async () => {
    const limits = new Map([['agent-1', { source: 'unknown' } as const]]);

    const { items } = await plan(await reviewWorld(aWorld({ limits })), { thresholds: 'not_offered' });

    expect(items).toMatchObject([{ kind: 'untold_limit', change: { plan: { after: { limit: 500 } } } }]);
  });

  it('leaves out what cannot be read, with the reason, once for all', async () => {
    const thresholds = new AdminFailedError('read thresholds');

    const { items, leftOut } = await plan(await reviewWorld(world()), { thresholds });

    expect(items.map(({ kind }) => kind)).toEqual(['allocation']);
    expect(leftOut).toMatchObject([{ count: 1, why: expect.stringContaining('internal error') }]);
  });

  it('is not planned where the sign-in has ended', async () => {
    const thresholds = new AdminRefusedError('admin_unauthorized', 'read thresholds');

    await expect(plan(await reviewWorld(world()), { thresholds })).rejects.toThrow(AdminRefusedError);
  });
});
