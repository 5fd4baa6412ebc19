// What an agent is called, held against the register.
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { AgentLimit, KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import type { ApprovedLimit } from '../../../src/governance/register/register.ts';
import { isInOrderAsTold } from '../../../src/governance/review/review-summary.ts';
import { anAgentLimit } from '../shell/samples.ts';
import {
  aDeployed,
  anAgent,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  holdingOne,
  NOW,
  reviewWorld,
  STALE_MS,
  told,
} from './review-world.ts';

async function reviewLimit(known: KnownLimit | Error, approved?: ApprovedLimit) {
  const entry = aRegisteredEnvironment(approved === undefined ? {} : { unnamedAgents: approved });
  const world = aWorld({ register: aRegister({ environments: [entry] }), limits: new Map([['agent-1', known]]) });
  const [agent] = holdingOne(await reviewWorld(world)).agents;
  if (agent === undefined) throw new Error('there is no agent');
  return agent;
}

function aLastSet(setAt: number, values: Partial<AgentLimit> = {}): KnownLimit {
  const limit = anAgentLimit({ limit: 500, stopWhenReached: true, ...values });
  return { source: 'last_set', limit, setAt, setBy: 'U1' };
}

describe('an agent whose limit the service does not show', () => {
  it('is as approved, as far as the service tells, until what was set from here is stale', async () => {
    const setAt = NOW - STALE_MS;

    const finding = await reviewLimit(aLastSet(setAt));

    expect(finding).toMatchObject({
      status: 'as_far_as_told',
      reason: undefined,
      limitSetAt: setAt,
      limitStaleAt: NOW,
    });
  });

  it('is so as well where no limit is approved, and none was set from here', async () => {
    const none: ApprovedLimit = { monthlyLimit: 'none' };

    expect(await reviewLimit({ source: 'unknown' }, none)).toMatchObject({ status: 'as_far_as_told' });
    expect(await reviewLimit({ source: 'unknown', inDoubt: true }, none)).toMatchObject({ status: 'unreadable' });
    expect(await reviewLimit({ source: 'unknown', isListed: true }, none)).toMatchObject({ status: 'unreadable' });
  });

  it('drifts where something else was set from here, however long ago', async () => {
    const finding = await reviewLimit(aLastSet(NOW - STALE_MS - 1, { limit: 900 }));

    expect(finding).toMatchObject({ status: 'drift', reason: undefined });
  });

  it('makes of a review one that is as approved as far as the service tells, and not compliant', async () => {
    const agents = [anAgent(), anAgent({ name: 'agent-2' }), anAgent({ name: 'agent-3' })];
    const set = [NOW - 9, NOW - 5].map((at, index) => [`agent-${index + 1}`, aLastSet(at)] as const);

    const { summary } = await reviewWorld(aWorld({ agents, limits: new Map(set) }));

    expect(summary).toMatchObject({
      isComplete: true,
      isCompliant: false,
      agents: { as_far_as_told: 2, compliant: 1 },
    });
    const times = { firstSetAt: NOW - 9, lastSetAt: NOW - 5, staleAt: NOW - 9 + STALE_MS };
    expect(summary.untold).toEqual({ lastSet: 2, noneSet: 0, ...times });
    expect(isInOrderAsTold(summary)).toBe(true);
  });

  it('does not make a review compliant by an exception for what was last set from here, which gets stale as well', async () => {
    const accepts = { setting: 'monthlyLimit', currency: undefined, value: 900 } as const;
    const exception = { agent: 'agent-1', accepts, reason: 'r', approver: 'a', expiresOn: '2026-12-31' };
    const register = aRegister({ environments: [aRegisteredEnvironment({ exceptions: [exception] })] });
    const reviewSetAt = (setAt: number) =>
      reviewWorld(aWorld({ register, limits: new Map([['agent-1', aLastSet(setAt, { limit: 900 })]]) }));

    const { summary } = await reviewSetAt(NOW);
    const [stale] = holdingOne(await reviewSetAt(NOW - STALE_MS - 1)).agents;

    expect(summary).toMatchObject({ agents: { approved_exception: 1 }, isCompliant: false, untold: { lastSet: 1 } });
    expect(stale).toMatchObject({ status: 'unreadable', reason: 'limit_stale' });
  });
});

describe('an agent', () => {
  it('is compliant with the limit that is approved for those that are not named', async () => {
    expect(await reviewLimit(aDeployed())).toMatchObject({
      status: 'compliant',
      limitSource: 'deployment',
      approvedLimit: { monthlyLimit: 500 },
    });
  });

  it('drifts with every setting that is found otherwise, and each has its way', async () => {
    const looser = await reviewLimit(aDeployed({ limit: 501, notificationThreshold: 90, stopWhenReached: false }));
    const tighter = await reviewLimit(aDeployed({ limit: 499.5, notificationThreshold: 70 }));

    expect(looser.status).toBe('drift');
    expect(told(looser.differences)).toEqual([
      ['monthlyLimit', 500, 501, 'looser'],
      ['alertAt', 80, 90, 'looser'],
      ['stopWhenReached', 'on', 'off', 'looser'],
    ]);
    expect(told(tighter.differences)).toEqual([
      ['monthlyLimit', 500, 499.5, 'tighter'],
      ['alertAt', 80, 70, 'tighter'],
    ]);
  });

  it.each<[string, KnownLimit, ApprovedLimit | undefined, unknown[]]>([
    ['is not notified', aDeployed({ notify: false }), undefined, ['alertAt', 80, 'off', 'looser']],
    [
      'is notified, and need not be',
      aDeployed(),
      { monthlyLimit: 500, alertAt: 'off', stopWhenReached: 'on' },
      ['alertAt', 'off', 80, 'tighter'],
    ],
    ['has no limit', { source: 'none', readAt: NOW }, undefined, ['monthlyLimit', 500, 'none', 'looser']],
    [
      'has a limit, and is to have none',
      aDeployed(),
      { monthlyLimit: 'none' },
      ['monthlyLimit', 'none', 500, 'tighter'],
    ],
  ])('drifts where it %s', async (_, known, approved, difference) => {
    expect(told((await reviewLimit(known, approved)).differences)).toEqual([difference]);
  });

  it('is compliant without a limit where none is approved', async () => {
    const finding = await reviewLimit({ source: 'none', readAt: NOW }, { monthlyLimit: 'none' });

    expect(finding.status).toBe('compliant');
  });

  it('is not held against whether somebody stopped it', async () => {
    expect((await reviewLimit(aDeployed({ stopped: true }))).status).toBe('compliant');
  });

  it.each<[string, KnownLimit | Error, string]>([
    ['it is not told', { source: 'unknown' }, 'limit_not_told'],
    ['the last change from here may or may not have been made', { source: 'unknown', inDoubt: true }, 'limit_in_doubt'],
    ['it was set from here as approved, and that is stale', aLastSet(NOW - STALE_MS - 1), 'limit_stale'],
    ['it is listed in a form that does not tell', { source: 'unknown', isListed: true }, 'value_not_told'],
    ['it is there in a form that does not tell', { source: 'unknown', stopped: false }, 'value_not_told'],
    ['it may not be read', new AdminRefusedError('admin_forbidden', 'read thresholds'), 'admin_forbidden'],
  ])('is unreadable where %s', async (_, known, reason) => {
    expect(await reviewLimit(known)).toMatchObject({ status: 'unreadable', reason });
  });

  it('drifts where it was set from here otherwise, and cannot be read', async () => {
    const finding = await reviewLimit({
      source: 'last_set',
      limit: anAgentLimit({ limit: 7 }),
      setAt: NOW,
      setBy: 'U1',
    });

    expect(finding).toMatchObject({ status: 'drift', limitSource: 'last_set' });
  });

  it.each(['agent-1', 'AGENT-1', 'bot-of-agent-1'])('is held against its own entry under the id %s', async (id) => {
    const limit = { monthlyLimit: 7, alertAt: 80, stopWhenReached: 'on' } as const;
    const entry = aRegisteredEnvironment({ agents: [{ id, name: undefined, owners: ['U8'], limit }] });

    const review = await reviewWorld(aWorld({ register: aRegister({ environments: [entry] }) }));

    const { agents } = holdingOne(review);
    expect(agents).toMatchObject([{ owners: ['U8'], differences: [{ setting: 'monthlyLimit', approved: 7 }] }]);
  });

  it('is held against the first of two entries, and the second is told', async () => {
    const entries = [
      { id: 'agent-1', limit: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' } as const },
      { id: 'bot-of-agent-1', limit: { monthlyLimit: 900, alertAt: 80, stopWhenReached: 'on' } as const },
    ].map((one) => ({ ...one, name: undefined, owners: [] }));
    const register = aRegister({ environments: [aRegisteredEnvironment({ agents: entries })] });

    const asFirst = holdingOne(await reviewWorld(aWorld({ register })));
    const limits = new Map([['agent-1', aDeployed({ limit: 900 })]]);
    const asSecond = holdingOne(await reviewWorld(aWorld({ register, limits })));

    expect(asFirst.agents).toMatchObject([{ status: 'unreadable', reason: 'named_twice' }]);
    expect(asSecond.agents).toMatchObject([{ status: 'drift', differences: [{ approved: 500, found: 900 }] }]);
  });

  it('is not told in part where a setting cannot be read, and the rest is compared', async () => {
    const told = { limit: 900, notify: true, notificationThreshold: 'unknown', stopWhenReached: 'unknown' } as const;
    const drifting = await reviewLimit({ source: 'unknown', told });
    const untold = await reviewLimit({ source: 'unknown', told: { ...told, limit: 500 } });

    expect(drifting.status).toBe('drift');
    expect(drifting.differences.map(({ setting, found, way }) => [setting, found, way])).toEqual([
      ['monthlyLimit', 900, 'looser'],
      ['alertAt', 'unknown', 'unclear'],
      ['stopWhenReached', 'unknown', 'unclear'],
    ]);
    expect(untold).toMatchObject({ status: 'unreadable', reason: 'value_not_told' });
  });

  it('is unclassified where nothing is approved for it', async () => {
    const register = aRegister({ environments: [aRegisteredEnvironment({ unnamedAgents: undefined })] });

    const { agents } = holdingOne(await reviewWorld(aWorld({ register })));

    expect(agents).toMatchObject([{ status: 'unclassified', differences: [] }]);
  });

  it('has vanished where it is named and a complete inventory does not list it', async () => {
    const entry = aRegisteredEnvironment({
      agents: [{ id: 'x', name: 'X', owners: ['U8'], limit: { monthlyLimit: 'none' } }],
    });
    const register = aRegister({ environments: [entry] });

    const complete = holdingOne(await reviewWorld(aWorld({ register })));
    const truncated = holdingOne(
      await reviewWorld(aWorld({ register, truncated: { environments: false, agents: true } })),
    );

    expect(complete.agents[1]).toMatchObject({ name: 'X', owners: ['U8'], status: 'vanished' });
    expect(truncated.agents[1]).toMatchObject({ status: 'unreadable', reason: 'inventory_truncated' });
  });

  it('is unreadable where the service does not name its environment', async () => {
    const review = await reviewWorld(aWorld({ agents: [anAgent({ environmentId: undefined })] }));

    expect(review.strayAgents).toMatchObject([{ status: 'unreadable', reason: 'no_environment', name: 'The agent-1' }]);
    expect(review.summary.agents.unreadable).toBe(1);
  });

  it('is left out where no harness made it and the register reviews those only, unless it is named', async () => {
    const agents = (['a', 'b', 'c'] as const).map((name) =>
      anAgent({ name, isHarness: name === 'c' ? 'unknown' : false }),
    );
    const entry = aRegisteredEnvironment({
      agents: [{ id: 'B', name: undefined, owners: [], limit: { monthlyLimit: 'none' } }],
    });
    const register = aRegister({ reviewedAgents: 'harness', environments: [entry] });

    const review = await reviewWorld(aWorld({ agents, register }));

    expect(holdingOne(review).agents.map(({ agentName }) => agentName)).toEqual(['b', 'c']);
    expect(review.summary.notReviewed).toBe(1);
  });
});
