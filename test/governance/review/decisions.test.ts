// What is decided in Slack about a finding, and what the next review says then.
import { describe, expect, it } from 'vitest';
import { mergeOverlay } from '../../../src/governance/register/merge-overlay.ts';
import type { OverlayRecord } from '../../../src/governance/register/overlay.ts';
import type { Register } from '../../../src/governance/register/register.ts';
import {
  acceptDrift,
  approveLimit,
  classifyEnvironment,
  type Decided,
} from '../../../src/governance/review/decisions.ts';
import {
  aCurrency,
  aDeployed,
  anAllocation,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  holdingOne,
  NOW,
  reviewWorld,
  type World,
} from './review-world.ts';

const REQUEST = {
  id: 'decision-1',
  by: { team: 'T1', workspace: 'T1', user: 'U1' },
  at: NOW,
  registerHash: 'hash-1',
  reason: '  Agreed\nwith finance ',
};

async function look(world: Partial<World>) {
  const { environment, agents } = holdingOne(await reviewWorld(aWorld(world)));
  const [agent] = agents;
  if (agent === undefined) throw new Error('there is no agent');
  return { environment, agent };
}

function recordOf(decided: Decided<OverlayRecord>): OverlayRecord {
  if ('problem' in decided) throw new Error(decided.problem);
  return decided.record;
}

const withRecord = (world: Partial<World>, register: Register, decided: Decided<OverlayRecord>) =>
  look({ ...world, register: mergeOverlay(register, [recordOf(decided)]).register });

describe('accepted drift', () => {
  const world = {
    allocations: new Map([['env-1', anAllocation(aCurrency({ allocated: 9, rules: { TenantPool: true } }))]]),
    limits: new Map([['agent-1', aDeployed({ limit: 900 })]]),
  };

  it.each(['environment', 'agent'] as const)('of an %s is an approved exception from then on', async (kind) => {
    const found = await look(world);

    const decided = acceptDrift(found[kind], { ...REQUEST, expiresOn: '2026-03-31' });

    const again = await withRecord(world, aRegister(), decided);
    expect(again[kind]).toMatchObject({ status: 'approved_exception', expiresOn: '2026-03-31' });
    expect(again[kind].differences[0]?.exception).toMatchObject({ reason: 'Agreed with finance', approver: 'U1' });
  });

  it('names the second admin where one was needed', async () => {
    const { agent } = await look(world);

    const decided = acceptDrift(agent, { ...REQUEST, approvedBy: 'U2', expiresOn: '2026-03-31' });

    const again = await withRecord(world, aRegister(), decided);
    expect(again.agent.differences).toMatchObject([{ exception: { approver: 'U2' } }]);
  });

  it('is drift again once it drifts further', async () => {
    const { environment } = await look(world);
    const decided = acceptDrift(environment, { ...REQUEST, expiresOn: '2026-03-31' });
    const further = {
      allocations: new Map([['env-1', anAllocation(aCurrency({ allocated: 10, rules: { TenantPool: true } }))]]),
    };

    const again = await withRecord(further, aRegister(), decided);

    expect(again.environment).toMatchObject({
      status: 'drift',
      differences: [
        { setting: 'allocated', exception: undefined },
        { setting: 'TenantPool', exception: { isExpired: false } },
      ],
    });
  });

  it.each([
    ['there is no reason', { reason: ' \n ' }, 'Write the reason'],
    ['there is no such day', { expiresOn: '2026-02-30' }, 'Choose the last day'],
    ['the day is over', { expiresOn: '2026-03-03' }, 'This day is over'],
  ])('is refused where %s', async (_, values, words) => {
    const { environment } = await look(world);

    const decided = acceptDrift(environment, { ...REQUEST, expiresOn: '2026-03-31', ...values });

    expect(decided).toEqual({ problem: expect.stringContaining(words) });
  });

  it('is refused where there is none any more', async () => {
    const { environment } = await look({});

    expect(acceptDrift(environment, { ...REQUEST, expiresOn: '2026-03-31' })).toEqual({
      problem: expect.stringContaining('no drift'),
    });
  });
});

describe('a classification', () => {
  const [{ allocations, unnamedAgents }] = [aRegisteredEnvironment()];
  const register = aRegister({ environments: [], defaults: { 'maker-development': { allocations, unnamedAgents } } });

  it('holds the environment and its agents to the defaults from then on', async () => {
    const { environment } = await look({ register });

    const decided = classifyEnvironment(environment, {
      ...REQUEST,
      register,
      classification: 'maker-development',
      owners: ['U7'],
    });

    const again = await withRecord({ limits: new Map([['agent-1', aDeployed({ limit: 900 })]]) }, register, decided);
    expect(again.environment).toMatchObject({
      status: 'compliant',
      classification: 'maker-development',
      owners: ['U7'],
    });
    expect(again.agent.status).toBe('drift');
  });

  it('says itself what is approved where there are no defaults', async () => {
    const { environment } = await look({ register });
    const request = { ...REQUEST, register, classification: 'funded-production' as const };

    const open = classifyEnvironment(environment, request);
    const decided = classifyEnvironment(environment, { ...request, allocations: 'none' });

    expect(open).toEqual({ problem: expect.stringContaining('Complete its defaults') });
    const again = await withRecord({ allocations: new Map([['env-1', 'none']]) }, register, decided);
    expect(again.environment.status).toBe('compliant');
  });

  it('is refused where the register names the environment by now', async () => {
    const { environment } = await look({ register });

    const decided = classifyEnvironment(environment, {
      ...REQUEST,
      register: aRegister(),
      classification: 'maker-development',
    });

    expect(decided).toEqual({ problem: expect.stringContaining('names this environment by now') });
  });
});

describe('an approved limit', () => {
  it('is what the agent is held to from then on', async () => {
    const register = aRegister({ environments: [aRegisteredEnvironment({ unnamedAgents: undefined })] });
    const { agent } = await look({ register });

    const decided = approveLimit(agent, {
      ...REQUEST,
      limit: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' },
    });

    expect(agent.status).toBe('unclassified');
    expect((await withRecord({}, register, decided)).agent.status).toBe('compliant');
  });
});
