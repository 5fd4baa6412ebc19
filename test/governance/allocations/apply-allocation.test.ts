import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import {
  AdminOutcomeUnknownError,
  AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnreachableError,
} from '../../../src/admin-api/admin-errors.ts';
import { type Allocation, toAllocationBody } from '../../../src/admin-api/licensing-wire.ts';
import { ALLOCATION_KIND, type AllocationSession } from '../../../src/governance/allocations/allocation-kind.ts';
import type { AllocationPlan } from '../../../src/governance/allocations/allocation-plan.ts';
import { lookUpAllocation } from '../../../src/governance/allocations/known-allocation.ts';
import { type ApplyPorts, applyChange } from '../../../src/governance/changes/apply-change.ts';
import type { Change } from '../../../src/governance/changes/change.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { NOW } from '../shell/samples.ts';
import { aCurrency, anAllocation, aPlan } from './samples.ts';

const BEFORE = anAllocation(aCurrency({ allocated: 1000 }), aCurrency({ currencyType: 'AI', allocated: 5 }));
const PLAN = aPlan(BEFORE, { allocated: 2000 });
const OTHER = anAllocation(aCurrency({ allocated: 1500 }), aCurrency({ currencyType: 'AI', allocated: 5 }));
const REQUEST = { changeId: 'change-1', by: { team: 'E1', workspace: 'T1', user: 'U1' }, reason: 'more is needed' };

type Read = Allocation | 'none' | Error;
type UpdateAllocation = AllocationSession['updateAllocation'];

/** Plays the reads one after another; the last one stays. */
function aWorld(reads: Read[], update: UpdateAllocation = async () => ({ requestId: 'r-1' })) {
  const { changes } = createMemoryStore();
  const left = [...reads];
  const updateAllocation = sinon.spy(update);
  const ports: ApplyPorts<AllocationSession> = {
    changes,
    exclusively: createExclusively(),
    now: () => NOW,
    session: {
      updateAllocation,
      async readAllocation() {
        const read = left.length > 1 ? left.shift() : left[0];
        if (read instanceof Error) throw read;
        return read ?? 'none';
      },
    },
  };
  return {
    changes,
    ports,
    updateAllocation,
    apply: (plan: AllocationPlan) => applyChange(ALLOCATION_KIND, plan, REQUEST, ports),
  };
}

const lost = async () => {
  throw new AdminOutcomeUnknownError('update allocation', { requestId: 'r-9' });
};

describe('a change that goes well', () => {
  it('is verified, and remembered with who, why, what was there and what was to be', async () => {
    const { apply, changes, updateAllocation } = aWorld([BEFORE, PLAN.after]);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'verified' });
    expect(updateAllocation.args).toEqual([[PLAN.after]]);
    expect(await changes.get('change-1')).toEqual({
      schema: 1,
      id: 'change-1',
      kind: 'allocation',
      team: 'E1',
      workspace: 'T1',
      user: 'U1',
      reason: 'more is needed',
      environmentId: 'env-1',
      before: BEFORE,
      after: PLAN.after,
      at: NOW,
      outcome: { kind: 'verified', written: 'yes', requestIds: ['r-1'] },
    });
  });

  it('is recorded before anything is sent', async () => {
    const recorded: (Change | undefined)[] = [];
    const world = aWorld([BEFORE, PLAN.after], async () => {
      recorded.push(await world.changes.get('change-1'));
      return {};
    });

    await world.apply(PLAN);

    expect(recorded).toEqual([expect.objectContaining({ id: 'change-1', at: NOW })]);
    expect(recorded[0]).not.toHaveProperty('outcome');
  });

  it('carries fields that nobody knows as they are at the write, not as they were when the plan was made', async () => {
    const now = { ...BEFORE, others: { etag: '2' } };
    const { apply, updateAllocation } = aWorld([now, PLAN.after]);

    await apply(aPlan({ ...BEFORE, others: { etag: '1' } }, { allocated: 2000 }));

    const [sent = BEFORE] = updateAllocation.firstCall.args;
    expect(toAllocationBody(sent)).toMatchObject({ etag: '2', currencyAllocations: [{ allocated: 2000 }, {}] });
  });

  it.each<[string, Read, string]>([
    ['it still shows the old credits', BEFORE, 'still_old'],
    ['reading it back fails', new AdminUnreachableError('read allocation'), 'read_back_failed'],
    ['reading it back is forbidden', new AdminRefusedError('admin_forbidden', 'read allocation'), 'read_back_failed'],
  ])('is applied, not verified, where %s', async (_, readBack, reason) => {
    const { apply, changes } = aWorld([BEFORE, readBack]);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason });
    const ended = { kind: 'applied_not_verified', written: 'yes', reason };
    expect((await changes.get('change-1'))?.outcome).toMatchObject(ended);
  });
});

describe('a conflict', () => {
  it.each<[string, Allocation | 'none']>([
    ['somebody set other credits', OTHER],
    ['somebody changed another currency', anAllocation(aCurrency(), aCurrency({ currencyType: 'AI', allocated: 6 }))],
    ['somebody took a currency out', anAllocation(aCurrency())],
    ['there is no allocation any more', 'none'],
  ])('stops before the write where %s', async (_, found) => {
    const { apply, updateAllocation, changes } = aWorld([found]);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'conflict', stage: 'before_write', expected: BEFORE, found });
    expect(updateAllocation.called).toBe(false);
    const ended = { kind: 'conflict', written: 'no', reason: 'before_write', found };
    expect((await changes.get('change-1'))?.outcome).toEqual(ended);
  });

  it('is told where somebody else wrote between the write and the look', async () => {
    const { apply, changes } = aWorld([BEFORE, OTHER]);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'conflict', stage: 'after_write', expected: PLAN.after, found: OTHER });
    const ended = { kind: 'conflict', written: 'yes', found: OTHER };
    expect((await changes.get('change-1'))?.outcome).toMatchObject(ended);
  });
});

describe('a failure', () => {
  it.each<[string, Error, string]>([
    [
      'forbidden',
      new AdminRefusedError('admin_forbidden', 'update allocation', { requestId: 'r-2' }),
      'admin_forbidden',
    ],
    ['rejected', new AdminRejectedError('update allocation', 'too much', { requestId: 'r-2' }), 'admin_rejected'],
    [
      'governed',
      new AdminRefusedError('admin_locked_by_policy', 'update', { requestId: 'r-2' }),
      'admin_locked_by_policy',
    ],
    ['throttled', new AdminThrottledError('update allocation', 1000, { requestId: 'r-2' }), 'admin_throttled'],
  ])('of a write that is %s changes nothing, and keeps the id of the request', async (_, error, code) => {
    const { apply, changes } = aWorld([BEFORE], () => Promise.reject(error));

    const outcome = await apply(PLAN);

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code, requestId: 'r-2' } });
    const ended = { kind: 'failed', written: 'no', reason: code, requestIds: ['r-2'] };
    expect((await changes.get('change-1'))?.outcome).toEqual(ended);
  });

  it('to look again before the write sends nothing', async () => {
    const { apply, updateAllocation } = aWorld([new AdminThrottledError('read allocation', undefined)]);

    const outcome = await apply(PLAN);

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'admin_throttled' } });
    expect(updateAllocation.called).toBe(false);
  });

  it('to record the change sends nothing', async () => {
    const { apply, ports, updateAllocation } = aWorld([BEFORE]);
    ports.changes.begin = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(PLAN)).rejects.toThrow('the store is full');
    expect(updateAllocation.called).toBe(false);
  });

  it('to record the outcome does not hide it', async () => {
    const { apply, ports } = aWorld([BEFORE, PLAN.after]);
    ports.changes.finish = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(PLAN)).resolves.toEqual({ kind: 'verified' });
  });
});

describe('a write without an answer', () => {
  it('is verified where reading shows that it was carried out', async () => {
    const { apply } = aWorld([BEFORE, PLAN.after], lost);

    await expect(apply(PLAN)).resolves.toEqual({ kind: 'verified' });
  });

  it.each<[string, Read]>([
    ['the old credits are still shown', BEFORE],
    ['reading fails', new AdminUnreachableError('read allocation')],
  ])('is said to be unknown where %s', async (_, readBack) => {
    const { apply, changes } = aWorld([BEFORE, readBack], lost);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'no_answer' });
    const ended = { written: 'perhaps', reason: 'no_answer', requestIds: ['r-9'] };
    expect((await changes.get('change-1'))?.outcome).toMatchObject(ended);
  });

  it('is not said to have been sent where something else is found', async () => {
    const { apply, changes } = aWorld([BEFORE, OTHER], lost);

    const outcome = await apply(PLAN);

    expect(outcome).toEqual({ kind: 'conflict', stage: 'unanswered', expected: PLAN.after, found: OTHER });
    const ended = { kind: 'conflict', written: 'perhaps', reason: 'unanswered', found: OTHER };
    expect((await changes.get('change-1'))?.outcome).toMatchObject(ended);
  });
});

describe('a fault of our own', () => {
  it('before the write ends the record, and goes on', async () => {
    const { apply, changes, updateAllocation } = aWorld([new TypeError('a bug')]);

    await expect(apply(PLAN)).rejects.toThrow('a bug');

    expect((await changes.get('change-1'))?.outcome).toEqual({ kind: 'failed', written: 'no', reason: 'fault' });
    expect(updateAllocation.called).toBe(false);
  });

  it('in the write leaves the record open: perhaps it was sent', async () => {
    const { apply, changes } = aWorld([BEFORE], () => Promise.reject(new TypeError('a bug')));

    await expect(apply(PLAN)).rejects.toThrow('a bug');

    expect(await changes.get('change-1')).not.toHaveProperty('outcome');
  });
});

describe('two at once', () => {
  it('with one id are one change', async () => {
    const { apply, updateAllocation } = aWorld([BEFORE, PLAN.after]);

    const outcomes = await Promise.all([apply(PLAN), apply(PLAN)]);

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'verified']);
    expect(updateAllocation.callCount).toBe(1);
  });

  it('of one environment come one after the other, and the second finds what the first has set', async () => {
    let held = BEFORE;
    const { ports } = aWorld([]);
    ports.session.readAllocation = async () => held;
    ports.session.updateAllocation = async (allocation) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      held = allocation;
      return {};
    };

    const outcomes = await Promise.all(
      [2000, 3000].map((allocated) =>
        applyChange(ALLOCATION_KIND, aPlan(BEFORE, { allocated }), { ...REQUEST, changeId: `to ${allocated}` }, ports),
      ),
    );

    expect(outcomes[0]).toEqual({ kind: 'verified' });
    expect(outcomes[1]).toMatchObject({ kind: 'conflict', stage: 'before_write', expected: BEFORE, found: held });
    expect(held.currencyAllocations[0]?.allocated).toBe(2000);
  });
});

/** A change whose process died, `ago` ms before now. */
async function aBrokenOff(reads: Read[], ago: number) {
  const world = aWorld(reads);
  await world.changes.begin({
    ...{ schema: 1, id: 'broken-off', kind: 'allocation', team: 'E1', workspace: 'T1', user: 'U2' },
    ...{ environmentId: 'ENV-1', before: BEFORE, after: PLAN.after, at: NOW - ago },
  });
  return { ...world, outcomeOf: async () => (await world.changes.get('broken-off'))?.outcome };
}

describe('a change that broke off', () => {
  it.each<[string, Read, object]>([
    ['was carried out', PLAN.after, { kind: 'verified', written: 'yes', reason: 'interrupted' }],
    ['was not', BEFORE, { kind: 'failed', written: 'no', reason: 'interrupted' }],
    ['is lost in another', OTHER, { kind: 'conflict', written: 'perhaps', reason: 'interrupted', found: OTHER }],
    ['went with all of it', 'none', { kind: 'conflict', written: 'perhaps', reason: 'interrupted', found: 'none' }],
  ])('is ended by the next look: it %s', async (_, found, outcome) => {
    const { ports, outcomeOf } = await aBrokenOff([found], 120_000);

    const look = await lookUpAllocation('env-1', ports);

    expect(look).toMatchObject({ allocation: found, readAt: NOW, interrupted: { id: 'broken-off', outcome } });
    expect(await outcomeOf()).toEqual(outcome);
    expect(await lookUpAllocation('env-1', ports)).toEqual({ allocation: found, readAt: NOW });
  });

  it('is left alone while it may still run', async () => {
    const { ports, outcomeOf } = await aBrokenOff([BEFORE], 119_999);

    const look = await lookUpAllocation('env-1', ports);

    expect(look).toEqual({ allocation: BEFORE, readAt: NOW });
    expect(await outcomeOf()).toBeUndefined();
  });

  it.each([
    ['may still be on its way', 10, 'perhaps'],
    ['is over', 120_000, 'no'],
  ])('is ended by the next change, by what was there before that: its write %s', async (_, ago, written) => {
    const { apply, outcomeOf } = await aBrokenOff([BEFORE, PLAN.after], ago);

    await apply(PLAN);

    expect(await outcomeOf()).toEqual({ kind: 'failed', written, reason: 'interrupted' });
  });

  it('writes nothing where its process only stood still, and another has ended it meanwhile', async () => {
    const { apply, ports, changes, updateAllocation } = aWorld([BEFORE]);
    const { readAllocation } = ports.session;
    ports.session.readAllocation = async (id) => {
      const read = await readAllocation(id);
      await changes.finish('change-1', { kind: 'failed', written: 'perhaps', reason: 'interrupted' });
      return read;
    };

    const outcome = await apply(PLAN);

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'overtaken' } });
    expect(updateAllocation.called).toBe(false);
    const ended = { kind: 'failed', written: 'no', reason: 'overtaken' };
    expect((await changes.get('change-1'))?.outcome).toMatchObject(ended);
  });

  it('is not judged by what the next change has written', async () => {
    const { apply, ports, outcomeOf } = await aBrokenOff([BEFORE, PLAN.after], 10);
    const { finish } = ports.changes;
    let isFull = true;
    ports.changes.finish = async (id, outcome) => {
      if (isFull && id === 'broken-off') {
        isFull = false;
        throw new Error('the store is full');
      }
      await finish(id, outcome);
    };

    await expect(apply(PLAN)).resolves.toEqual({ kind: 'verified' });

    expect(await outcomeOf()).toBeUndefined();
  });

  it('is all that a look waits for others for', async () => {
    const { changes, ports } = await aBrokenOff([BEFORE], 120_000);
    await changes.finish('broken-off', { kind: 'verified', written: 'yes' });
    const waited: string[] = [];

    await lookUpAllocation('env-1', {
      ...ports,
      exclusively(key, run) {
        waited.push(key);
        return run();
      },
    });

    expect(waited).toEqual([]);
  });

  it('stays open where the look fails', async () => {
    const { ports, outcomeOf } = await aBrokenOff(
      [new AdminRefusedError('admin_forbidden', 'read allocation')],
      120_000,
    );

    await expect(lookUpAllocation('env-1', ports)).rejects.toMatchObject({ code: 'admin_forbidden' });
    expect(await outcomeOf()).toBeUndefined();
  });
});
