import { describe, expect, it } from 'vitest';
import {
  AdminOutcomeUnknownError,
  AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnreachableError,
  AdminUnreadableError,
} from '../../../src/admin-api/admin-errors.ts';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { applyChange } from '../../../src/governance/changes/apply-change.ts';
import type { Change } from '../../../src/governance/changes/change.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { lookUpLimit } from '../../../src/governance/limits/known-limit.ts';
import { LIMIT_KIND } from '../../../src/governance/limits/limit-kind.ts';
import { AGENT, aDeployedLimit, anAgentLimit, aPlan, aThreshold, NOW } from '../shell/samples.ts';
import { aLimitWorld, REQUEST, type Read } from './limit-world.ts';

const WRITTEN = aThreshold({ limit: 2000 });
const lost = async () => {
  throw new AdminOutcomeUnknownError('set threshold');
};

describe('a change that goes well', () => {
  it('is verified where it can be read back, and remembered with who and when', async () => {
    const { apply, changes, putThreshold } = aLimitWorld([[aThreshold()], [WRITTEN]]);
    const plan = aPlan(aDeployedLimit());

    const outcome = await apply(plan);

    expect(outcome).toEqual({ kind: 'verified' });
    expect(putThreshold.firstCall.args).toEqual([plan.change]);
    expect(await changes.get('change-1')).toEqual({
      schema: 1,
      id: 'change-1',
      kind: 'agent_limit',
      team: 'E1',
      workspace: 'T1',
      user: 'U1',
      environmentId: 'env-1',
      agentResourceId: 'bot-1',
      agentName: 'agent-1',
      before: aDeployedLimit(),
      after: anAgentLimit({ limit: 2000 }),
      at: NOW,
      outcome: { kind: 'verified', written: 'yes' },
    });
  });

  it('is recorded before anything is sent', async () => {
    const recorded: (Change | undefined)[] = [];
    const world = aLimitWorld(['not_offered'], async () => {
      recorded.push(await world.changes.get('change-1'));
      return {};
    });

    await world.apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    expect(recorded).toEqual([expect.objectContaining({ id: 'change-1', at: NOW })]);
    expect(recorded[0]).not.toHaveProperty('outcome');
  });

  it('is applied, not verified, where thresholds cannot be read', async () => {
    const { apply } = aLimitWorld(['not_offered']);

    const outcome = await apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'not_offered' });
  });

  it('leaves a stopped agent stopped', async () => {
    const { apply, putThreshold } = aLimitWorld([
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
    const { apply, changes } = aLimitWorld([[aThreshold()], readBack]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason });
    expect((await changes.get('change-1'))?.outcome).toEqual({ kind: 'applied_not_verified', written: 'yes', reason });
  });
});

describe('a conflict', () => {
  it('stops before the write where the limit is not what the plan was made from', async () => {
    const { apply, putThreshold, changes } = aLimitWorld([[aThreshold({ limit: 1500 })]]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    const found = aDeployedLimit({ limit: 1500 });
    expect(outcome).toEqual({ kind: 'conflict', stage: 'before_write', expected: aDeployedLimit(), found });
    expect(putThreshold.called).toBe(false);
    expect((await changes.get('change-1'))?.outcome).toMatchObject({ kind: 'conflict', written: 'no' });
  });

  it('stops before the write where somebody stopped the agent meanwhile', async () => {
    const { apply, putThreshold } = aLimitWorld([[aThreshold({ stopResource: true })]]);

    const outcome = await apply(aPlan(aDeployedLimit({ stopped: false })));

    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'before_write' });
    expect(putThreshold.called).toBe(false);
  });

  it('does not see one in what the agent has used meanwhile', async () => {
    const { apply } = aLimitWorld([[aThreshold({ consumption: 20 })], [WRITTEN]]);

    await expect(apply(aPlan(aDeployedLimit({}, 10)))).resolves.toEqual({ kind: 'verified' });
  });

  it('is told where somebody else wrote between the write and the look', async () => {
    const { apply, changes } = aLimitWorld([[aThreshold()], [aThreshold({ limit: 7 })]]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({
      kind: 'conflict',
      stage: 'after_write',
      expected: aDeployedLimit({ limit: 2000 }),
      found: aDeployedLimit({ limit: 7 }),
    });
    expect((await changes.get('change-1'))?.outcome).toMatchObject({ kind: 'conflict', written: 'yes' });
  });

  it('is found in what was set from here, where thresholds cannot be read', async () => {
    const { apply, rows, putThreshold, ports } = aLimitWorld(['not_offered']);
    const plan = aPlan({ source: 'unknown' }, {}, 'not_stopped');
    await applyChange(LIMIT_KIND, plan, { ...REQUEST, changeId: 'of somebody else' }, { ...ports, now: () => NOW - 1 });

    const outcome = await apply(plan);

    expect(outcome).toMatchObject({ kind: 'conflict', expected: { source: 'unknown' }, found: { source: 'last_set' } });
    expect(putThreshold.callCount).toBe(1);
    expect(rows('change')).toHaveLength(2);
  });

  it('is found in the stop alone, where the limit itself cannot be read', async () => {
    const { apply, putThreshold } = aLimitWorld([[aThreshold({ limit: undefined, stopResource: true })]]);

    const outcome = await apply(aPlan({ source: 'unknown', stopped: false }));

    expect(outcome).toMatchObject({ kind: 'conflict', found: { source: 'unknown', stopped: true } });
    expect(putThreshold.called).toBe(false);
  });
});

describe('a failure', () => {
  it.each<[string, Error, string]>([
    ['forbidden', new AdminRefusedError('admin_forbidden', 'set threshold'), 'admin_forbidden'],
    ['rejected', new AdminRejectedError('set threshold', 'limit is odd'), 'admin_rejected'],
    ['throttled', new AdminThrottledError('set threshold', 1000), 'admin_throttled'],
    ['not sent', new AdminUnreachableError('set threshold'), 'admin_unreachable'],
  ])('of a write that is %s changes nothing, and says so', async (_, error, code) => {
    const { apply, changes } = aLimitWorld([[aThreshold()]], async () => {
      throw error;
    });

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code } });
    expect((await changes.get('change-1'))?.outcome).toEqual({ kind: 'failed', written: 'no', reason: code });
  });

  it('to look again before the write sends nothing', async () => {
    const { apply, putThreshold } = aLimitWorld([new AdminThrottledError('read thresholds', undefined)]);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'admin_throttled' } });
    expect(putThreshold.called).toBe(false);
  });

  it.each<[string, Error, string]>([
    ['may not be read any more', new AdminRefusedError('admin_forbidden', 'read thresholds'), 'admin_forbidden'],
    ['comes in no form that can be read', new AdminUnreadableError('read thresholds'), 'admin_unreadable'],
  ])('of what the plan was made from, which %s, sends nothing and is told as it is', async (_, error, code) => {
    const made: KnownLimit[] = [
      aDeployedLimit(),
      { source: 'none', readAt: NOW },
      { source: 'unknown', stopped: true },
    ];
    for (const before of made) {
      const { apply, putThreshold, changes } = aLimitWorld([error]);

      const outcome = await apply(aPlan(before, {}, 'keep_stopped'));

      expect(outcome).toMatchObject({ kind: 'failed', failure: { code } });
      expect((await changes.get('change-1'))?.outcome).toEqual({ kind: 'failed', written: 'no', reason: code });
      expect(putThreshold.called).toBe(false);
    }
  });

  it('of our own before the write ends the record, and goes on', async () => {
    const { apply, changes, ports, putThreshold } = aLimitWorld(['not_offered']);
    const { lastSet } = changes;
    ports.changes.lastSet = (...asked) =>
      asked[2] === 'change-1' ? Promise.reject(new StoreUnavailableError('no answer')) : lastSet(...asked);

    await expect(apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'))).rejects.toThrow('no answer');

    const outcome = { kind: 'failed', written: 'no', reason: 'store_unavailable' };
    expect((await changes.get('change-1'))?.outcome).toEqual(outcome);
    expect(putThreshold.called).toBe(false);
  });

  it('of our own in the write leaves the record open: perhaps it was sent', async () => {
    const { apply, changes } = aLimitWorld([[aThreshold()]], () => Promise.reject(new TypeError('a bug')));

    await expect(apply(aPlan(aDeployedLimit()))).rejects.toThrow('a bug');

    expect(await changes.get('change-1')).not.toHaveProperty('outcome');
  });

  it('to record the change sends nothing', async () => {
    const { apply, ports, putThreshold } = aLimitWorld([[aThreshold()]]);
    ports.changes.begin = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(aPlan(aDeployedLimit()))).rejects.toThrow('the store is full');
    expect(putThreshold.called).toBe(false);
  });

  it('to record the outcome does not hide it', async () => {
    const { apply, ports } = aLimitWorld([[aThreshold()], [WRITTEN]]);
    ports.changes.finish = async () => {
      throw new Error('the store is full');
    };

    await expect(apply(aPlan(aDeployedLimit()))).resolves.toEqual({ kind: 'verified' });
  });
});

describe('a write without an answer', () => {
  it('is verified where reading shows that it was carried out', async () => {
    const { apply } = aLimitWorld([[aThreshold()], [WRITTEN]], lost);

    await expect(apply(aPlan(aDeployedLimit()))).resolves.toEqual({ kind: 'verified' });
  });

  it.each<[string, Read]>([
    ['the old values are still shown', [aThreshold()]],
    ['reading fails', new AdminUnreachableError('read thresholds')],
  ])('is said to be unknown where %s', async (_, readBack) => {
    const { apply } = aLimitWorld([[aThreshold()], readBack], lost);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'no_answer' });
  });

  it('is said to be answered with an error where it was, and perhaps to be written', async () => {
    const failed = () => Promise.reject(new AdminOutcomeUnknownError('set threshold', { status: 500 }));
    const { apply, changes } = aLimitWorld([[aThreshold()]], failed);

    const outcome = await apply(aPlan(aDeployedLimit()));

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'error_answer' });
    expect((await changes.get('change-1'))?.outcome).toMatchObject({ written: 'perhaps', reason: 'error_answer' });
  });

  it('is not said to have been sent where something else is found', async () => {
    const { apply, changes } = aLimitWorld([[aThreshold()], [aThreshold({ limit: 7 })]], lost);

    const outcome = await apply(aPlan(aDeployedLimit()));

    const found = aDeployedLimit({ limit: 7 });
    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'unanswered', found });
    const ended = { kind: 'conflict', written: 'perhaps', reason: 'unanswered', found };
    expect((await changes.get('change-1'))?.outcome).toEqual(ended);
  });

  it('leaves the limit unknown, not at a value that may not hold', async () => {
    const { apply, changes, ports } = aLimitWorld(['not_offered'], lost);
    await apply(aPlan({ source: 'unknown' }, {}, 'not_stopped'));

    const { known } = await lookUpLimit(AGENT, ports);

    expect((await changes.get('change-1'))?.outcome).toMatchObject({ written: 'perhaps', reason: 'no_answer' });
    expect(known).toEqual({ source: 'unknown', inDoubt: true });
  });
});

describe('a double click', () => {
  it('is one change', async () => {
    const { apply, putThreshold } = aLimitWorld(['not_offered']);
    const plan = aPlan({ source: 'unknown' }, {}, 'not_stopped');

    const outcomes = await Promise.all([apply(plan), apply(plan)]);

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['applied_not_verified', 'duplicate']);
    expect(putThreshold.callCount).toBe(1);
  });
});
