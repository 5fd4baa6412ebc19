import { describe, expect, it } from 'vitest';
import { needsSecondApprover } from '../../../src/governance/changes/change.ts';
import { findObjection } from '../../../src/governance/confirmation/find-objection.ts';
import { aCurrency, anAllocation, aPlan as anAllocationPlan } from '../allocations/samples.ts';
import { aDeployedLimit, aLastSetLimit, aPlan } from '../shell/samples.ts';
import { aPending, BEN, KIM } from './samples.ts';

const needs = (plan: { loosens: boolean | 'unknown' }) => needsSecondApprover(plan, { needsApproval: true });

describe('a second admin is needed', () => {
  it.each([
    ['a higher limit', aPlan(aDeployedLimit({ limit: 1 }), { limit: 2 })],
    ['no stop any more', aPlan(aDeployedLimit({ limit: 2, stopWhenReached: true }), { limit: 2 })],
    ['an agent that runs again', aPlan(aDeployedLimit({ limit: 2, stopped: true }), { limit: 1 }, 'not_stopped')],
    ['a limit over an unknown one', aPlan({ source: 'unknown' }, { limit: 1 }, 'keep_stopped')],
    ['a higher limit than the one last set from here', aPlan(aLastSetLimit({ limit: 2 }), { limit: 3 }, 'not_stopped')],
    ['an agent stopped from here that runs again', aPlan(aLastSetLimit({ stopped: true }), {}, 'not_stopped')],
    ['more credits', anAllocationPlan(anAllocation(), { allocated: 1_001 })],
    ['the tenant pool', anAllocationPlan(anAllocation(), { rules: { TenantPool: true } })],
    [
      'a rule that nobody knows',
      anAllocationPlan(anAllocation(aCurrency({}, { Alert: true, PayGo: false, Deny: true })), {
        rules: { TenantPool: true },
      }),
    ],
  ])('for %s', (_, plan) => {
    expect(needs(plan)).toBe(true);
  });

  it.each([
    ['a lower limit', aPlan(aDeployedLimit({ limit: 2 }), { limit: 1 })],
    ['a first limit', aPlan({ source: 'none', readAt: 1 })],
    ['a first limit that nobody can read', aPlan({ source: 'unknown', neverSet: true }, {}, 'not_stopped')],
    ['a lower limit than the one last set from here', aPlan(aLastSetLimit({ limit: 2 }), { limit: 1 }, 'not_stopped')],
    ['a stop', aPlan(aDeployedLimit({ limit: 2 }), { limit: 2, stopWhenReached: true })],
    ['fewer credits', anAllocationPlan(anAllocation(), { allocated: 999 })],
    ['Deny', anAllocationPlan(anAllocation(), { rules: { Deny: true } })],
  ])('not for %s', (_, plan) => {
    expect(needs(plan)).toBe(false);
  });

  it('never where it is not asked for', () => {
    expect(needsSecondApprover({ loosens: true }, { needsApproval: false })).toBe(false);
  });
});

describe('who may decide', () => {
  it('is the one that was named', () => {
    expect(findObjection(aPending(), BEN)).toBeUndefined();
  });

  it('is not who asked, even where they named themselves', () => {
    expect(findObjection(aPending({ approver: KIM.user }), KIM)).toBe('own_request');
  });

  it('is nobody else, and nobody of the same id in another organisation', () => {
    expect(findObjection(aPending(), { ...BEN, user: 'U3' })).toBe('not_named');
    expect(findObjection(aPending(), { ...BEN, team: 'E2' })).toBe('not_named');
  });
});
