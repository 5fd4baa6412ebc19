import { describe, expect, it } from 'vitest';
import type { ApprovedException } from '../../../src/governance/register/register.ts';
import {
  aCurrency,
  aDeployed,
  anAllocation,
  aRegister,
  aRegisteredEnvironment,
  aWorld,
  CURRENCY,
  holdingOne,
  NOW,
  reviewWorld,
} from './review-world.ts';

describe('an exception', () => {
  const accepting = (values: Partial<ApprovedException> = {}): ApprovedException => ({
    agent: undefined,
    accepts: { setting: 'TenantPool', currency: 'SERVICEMESSAGES', value: 'on' },
    reason: 'Agreed',
    approver: 'kim',
    expiresOn: '2026-03-04',
    ...values,
  });

  async function reviewWith(exceptions: ApprovedException[], now = NOW) {
    const world = aWorld({
      register: aRegister({ environments: [aRegisteredEnvironment({ exceptions })] }),
      allocations: new Map([['env-1', anAllocation(aCurrency({ rules: { TenantPool: true } }))]]),
      limits: new Map([['agent-1', aDeployed({ limit: 900 })]]),
    });
    return reviewWorld(world, { now: () => now });
  }

  it('makes drift approved until its last day is over, and then says so', async () => {
    const lastMoment = Date.parse('2026-03-05T00:00:00Z') - 1;

    const before = await reviewWith([accepting()], lastMoment);
    const after = await reviewWith([accepting()], lastMoment + 1);

    expect(holdingOne(before).environment).toMatchObject({ status: 'approved_exception', expiresOn: '2026-03-04' });
    expect(holdingOne(after).environment).toMatchObject({
      status: 'drift',
      differences: [{ exception: { isExpired: true, expiresOn: '2026-03-04', reason: 'Agreed', approver: 'kim' } }],
    });
    expect([before.summary.expired, after.summary.expired]).toEqual([0, 1]);
  });

  it.each<[string, Partial<ApprovedException>]>([
    ['another value', { accepts: { setting: 'TenantPool', currency: CURRENCY, value: 'platform-default' } }],
    ['another setting', { accepts: { setting: 'PayGo', currency: CURRENCY, value: 'on' } }],
    ['another currency', { accepts: { setting: 'TenantPool', currency: 'AI', value: 'on' } }],
    ['an agent', { agent: 'agent-1' }],
  ])('does not cover %s', async (_, values) => {
    expect(holdingOne(await reviewWith([accepting(values)])).environment.status).toBe('drift');
  });

  it('covers an agent under either of its ids', async () => {
    const accepts = { setting: 'monthlyLimit', currency: undefined, value: 900 } as const;

    const reviews = await Promise.all(
      ['Agent-1', 'bot-of-agent-1'].map((agent) => reviewWith([accepting({ agent, accepts })])),
    );

    expect(reviews.map((review) => holdingOne(review).agents[0]?.status)).toEqual(Array(2).fill('approved_exception'));
  });

  it('that holds longest counts', async () => {
    const days = ['2026-02-01', '2026-09-01', '2026-05-01'];

    const review = await reviewWith(days.map((expiresOn) => accepting({ expiresOn })));

    expect(holdingOne(review).environment).toMatchObject({ status: 'approved_exception', expiresOn: '2026-09-01' });
  });

  it('of each of several settings is needed, and the first to end is told', async () => {
    const agent = 'agent-1';
    const limit = accepting({ agent, accepts: { setting: 'monthlyLimit', currency: undefined, value: 900 } });
    const stop = { setting: 'stopWhenReached', currency: undefined, value: 'off' } as const;
    const limits = new Map([[agent, aDeployed({ limit: 900, stopWhenReached: false })]]);
    const reviewAgent = async (...exceptions: ApprovedException[]) => {
      const register = aRegister({ environments: [aRegisteredEnvironment({ exceptions })] });
      return holdingOne(await reviewWorld(aWorld({ register, limits }))).agents[0];
    };

    const one = await reviewAgent(limit);
    const both = await reviewAgent({ ...limit, expiresOn: '2026-03-31' }, accepting({ agent, accepts: stop }));

    expect(one).toMatchObject({ status: 'drift', differences: [{ exception: {} }, { exception: undefined }] });
    expect(both).toMatchObject({ status: 'approved_exception', expiresOn: '2026-03-04' });
  });
});
