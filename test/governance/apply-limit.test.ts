import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import {
  AdminForbiddenError,
  AdminOutcomeUnknownError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnreachableError,
} from '../../src/admin/admin-errors.ts';
import type { AdminReceipt } from '../../src/admin/admin-trace.ts';
import type { Threshold } from '../../src/admin/threshold-wire.ts';
import { applyLimit, type LimitPorts } from '../../src/governance/apply-limit.ts';
import type { Change } from '../../src/governance/change-store.ts';
import { lookUpLimit } from '../../src/governance/known-limit.ts';
import type { LimitPlan } from '../../src/governance/limit-plan.ts';
import { createMemoryChangeStore } from './memory-change-store.ts';
import { AGENT, aDeployedLimit, anAgentLimit, aPlan, aThreshold, NOW } from './samples.ts';

const REQUEST = { changeId: 'change-1', by: { team: 'E1', workspace: 'T1', user: 'U1' } };

type Read = Threshold[] | 'not_offered' | Error;

/** Plays the reads one after another; the last one stays. */
function aWorld(reads: Read[], put: () => Promise<AdminReceipt> = async () => ({})) {
  const changes = createMemoryChangeStore();
  const left = [...reads];
  const putThreshold = sinon.spy(put);
  const ports: LimitPorts = {
    changes,
    now: () => NOW,
    putThreshold,
    async readThresholds() {
      const read = left.length > 1 ? left.shift() : left[0];
      if (read instanceof Error) throw read;
      return read ?? 'not_offered';
    },
  };
  return { changes, ports, putThreshold, apply: (plan: LimitPlan) => applyLimit(plan, REQUEST, ports) };
}

const WRITTEN = aThreshold({ limit: 2000 });
const lost = async () => {
  throw new AdminOutcomeUnknownError('set threshold');
};

describe('a change that goes well', () => {
  it('is verified where it can be read back, and remembered with who and when', async () => {
    const { apply, changes, putThreshold } = aWorld([[aThreshold()], [WRITTEN]]);
    const plan = aPlan(aDeployedLimit());

    const outcome = await apply(plan);

    expect(outcome).toEqual({ kind: 'verified' });
    expect(putThreshold.firstCall.args).toEqual([plan.change]);
    expect(changes.changes.get('change-1')).toEqual({
      schema: 1,
      id: 'change-1',
      kind: 'agent_limit',
      team: 'E1',
      workspace: 'T1',
      user: 'U1',
      environmentId: 'env-1',
      agentResourceId: 'bot-1',
      before: aDeployedLimit(),
      after: anAgentLimit({ limit: 2000 }),
      at: NOW,
      outcome: { kind: 'verified', written: 'yes' },
    });
  });

  it('is recorded before anything is sent', async () => {
    const recorded: (Change | undefined)[] = [];
    const world = aWorld(['not_offered'], async () => {
      recorded.push(world.changes.changes.get('change-1'));
      return {};
    });

    await world.apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    expect(recorded).toEqual([expect.objectContaining({ id: 'change-1', at: NOW })]);
    expect(recorded[0]).not.toHaveProperty('outcome');
  });

  it('is applied, not verified, where thresholds cannot be read', async () => {
    const { apply } = aWorld(['not_offered']);

    const outcome = await apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'not_offered' });
  });

  it('leaves a stopped agent stopped', async () => {
    const { apply, putThreshold } = aWorld([
      [aThreshold({ stopResource: true })],
      [aThreshold({ limit: 2000, stopResource: true })],
    ]);

    const outcome = await apply(aPlan(aDeployedLimit({ stopped: true }), {}, 'keep_stopped'));

    expect(outcome).toEqual({ kind: 'verified' });
    expect(putThreshold.firstCall.args).toEqual([expect.objectContaining({ stopResource: true })]);
  });

  it.each<[string, Read, string]>([
    ['it is not listed', [], 'not_listed'],
    ['it still shows the old values', [aThreshold()], 'still_old'],
    ['reading it back fails', new AdminUnreachableError('read thresholds'), 'read_back_failed'],
    ['the list does not tell what is stopped', [aThreshold({ limit: 2000, stopResource: 'unknown' })], 'stop_not_told'],
  ])('is applied, not verified, where %s', async (_, readBack, reason) => {
    const { apply, changes } = aWorld([[aThreshold()], readBack]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason });
    expect(changes.changes.get('change-1')?.outcome).toEqual({ kind: 'applied_not_verified', written: 'yes', reason });
  });
});

describe('a conflict', () => {
  it('stops before the write where the limit is not what the plan was made from', async () => {
    const { apply, putThreshold, changes } = aWorld([[aThreshold({ limit: 1500 })]]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    const found = aDeployedLimit({ limit: 1500 });
    expect(outcome).toEqual({ kind: 'conflict', stage: 'before_write', expected: aDeployedLimit(), found });
    expect(putThreshold.called).toBe(false);
    expect(changes.changes.get('change-1')?.outcome).toMatchObject({ kind: 'conflict', written: 'no' });
  });

  it('stops before the write where somebody stopped the agent meanwhile', async () => {
    const { apply, putThreshold } = aWorld([[aThreshold({ stopResource: true })]]);

    const outcome = await apply(aPlan(aDeployedLimit({ stopped: false })));

    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'before_write' });
    expect(putThreshold.called).toBe(false);
  });

  it('does not see one in what the agent has used meanwhile', async () => {
    const { apply } = aWorld([[aThreshold({ consumption: 20 })], [WRITTEN]]);

    await expect(apply(aPlan(aDeployedLimit({}, 10)))).resolves.toEqual({ kind: 'verified' });
  });

  it('is told where somebody else wrote between the write and the look', async () => {
    const { apply, changes } = aWorld([[aThreshold()], [aThreshold({ limit: 7 })]]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({
      kind: 'conflict',
      stage: 'after_write',
      expected: aDeployedLimit({ limit: 2000 }),
      found: aDeployedLimit({ limit: 7 }),
    });
    expect(changes.changes.get('change-1')?.outcome).toMatchObject({ kind: 'conflict', written: 'yes' });
  });

  it('is found in what was set from here, where thresholds cannot be read', async () => {
    const { apply, changes, putThreshold, ports } = aWorld(['not_offered']);
    const plan = aPlan({ source: 'unknown' }, {}, 'not_stopped');
    await applyLimit(plan, { ...REQUEST, changeId: 'of somebody else' }, { ...ports, now: () => NOW - 1 });

    const outcome = await apply(plan);

    expect(outcome).toMatchObject({ kind: 'conflict', expected: { source: 'unknown' }, found: { source: 'last_set' } });
    expect(putThreshold.callCount).toBe(1);
    expect(changes.changes.size).toBe(2);
  });

  it('stops where what could be read cannot be read any more', async () => {
    const { apply, putThreshold } = aWorld([new AdminForbiddenError('read thresholds')]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'before_write', found: { source: 'unknown' } });
    expect(putThreshold.called).toBe(false);
  });
});

describe('a failure', () => {
  it.each<[string, Error, string]>([
    ['forbidden', new AdminForbiddenError('set threshold'), 'admin_forbidden'],
    ['rejected', new AdminRejectedError('set threshold', 'limit is odd'), 'admin_rejected'],
    ['throttled', new AdminThrottledError('set threshold', 1000), 'admin_throttled'],
    ['not sent', new AdminUnreachableError('set threshold'), 'admin_unreachable'],
  ])('of a write that is %s changes nothing, and says so', async (_, error, code) => {
    const { apply, changes } = aWorld([[aThreshold()]], async () => {
      throw error;
    });

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code } });
    expect(changes.changes.get('change-1')?.outcome).toEqual({ kind: 'failed', written: 'no', reason: code });
  });

  it('to look again before the write sends nothing', async () => {
    const { apply, putThreshold } = aWorld([new AdminThrottledError('read thresholds', undefined)]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'admin_throttled' } });
    expect(putThreshold.called).toBe(false);
  });

  it('to record the change sends nothing', async () => {
    const { apply, ports, putThreshold } = aWorld([[aThreshold()]]);
    ports.changes.begin = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(aPlan(aDeployedLimit()))).rejects.toThrow('the store is full');
    expect(putThreshold.called).toBe(false);
  });

  it('to record the outcome does not hide it', async () => {
    const { apply, ports } = aWorld([[aThreshold()], [WRITTEN]]);
    ports.changes.finish = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(aPlan(aDeployedLimit()))).resolves.toEqual({ kind: 'verified' });
  });
});

describe('a write without an answer', () => {
  it('is verified where reading shows that it was carried out', async () => {
    const { apply } = aWorld([[aThreshold()], [WRITTEN]], lost);

    await expect(apply(aPlan(aDeployedLimit()))).resolves.toEqual({ kind: 'verified' });
  });

  it.each<[string, Read]>([
    ['the old values are still shown', [aThreshold()]],
    ['reading fails', new AdminUnreachableError('read thresholds')],
  ])('is said to be unknown where %s', async (_, readBack) => {
    const { apply } = aWorld([[aThreshold()], readBack], lost);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'no_answer' });
  });

  it('leaves the limit unknown, not at a value that may not hold', async () => {
    const { apply, changes, ports } = aWorld(['not_offered'], lost);
    await apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    const { known } = await lookUpLimit(AGENT, ports);

    expect(changes.changes.get('change-1')?.outcome).toMatchObject({ written: 'perhaps', reason: 'no_answer' });
    expect(known).toEqual({ source: 'unknown' });
  });
});

describe('a double click', () => {
  it('is one change', async () => {
    const { apply, putThreshold } = aWorld(['not_offered']);
    const plan = aPlan({ source: 'unknown' }, {}, 'not_stopped');

    const outcomes = await Promise.all([apply(plan), apply(plan)]);

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['applied_not_verified', 'duplicate']);
    expect(putThreshold.callCount).toBe(1);
  });
});
