// Corrections made into plans: what is sent is all of what was there, with the drift undone.
import { describe, expect, it } from 'vitest';
import type { Allocation } from '../../../src/admin-api/licensing-wire.ts';
import { planAllocation } from '../../../src/governance/allocations/allocation-plan.ts';
import type { KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import { planLimit } from '../../../src/governance/limits/limit-plan.ts';
import type {
  ApprovedException,
  ApprovedLimit,
  RegisteredEnvironment,
} from '../../../src/governance/register/register.ts';
import {
  correctCredits,
  correctLimit,
  isCorrectable,
  listChoosable,
  narrow,
} from '../../../src/governance/review/correction.ts';
import { toDifferenceKey } from '../../../src/governance/review/finding.ts';
import { AGENT, anAgentLimit } from '../shell/samples.ts';
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
  STALE_MS,
} from './review-world.ts';

async function review(allocation: Allocation, known: KnownLimit, entry: Partial<RegisteredEnvironment> = {}) {
  const world = aWorld({
    register: aRegister({ environments: [aRegisteredEnvironment(entry)] }),
    allocations: new Map([['env-1', allocation]]),
    limits: new Map([['agent-1', known]]),
  });
  const { environment, agents } = holdingOne(await reviewWorld(world));
  const [agent] = agents;
  if (agent === undefined) throw new Error('there is no agent');
  return { environment, agent };
}

const accepting = (values: Partial<ApprovedException>): ApprovedException => ({
  agent: undefined,
  accepts: { setting: 'PayGo', currency: CURRENCY, value: 'on' },
  reason: 'r',
  approver: 'a',
  expiresOn: '2026-12-31',
  ...values,
});

const plan = (before: Allocation, stated: ReturnType<typeof correctCredits>['stated']) => {
  const result = planAllocation({ before, stated });
  if (result.kind !== 'planned') throw new Error('the plan needs a choice');
  return result.plan;
};

describe('credits', () => {
  it('go back to what is approved, and keep all that was there', async () => {
    const throttle = { ruleType: 'Throttle', enabled: true, others: { grace: 5 } };
    const drifted = aCurrency({ allocated: 9, rules: { TenantPool: true, Deny: false }, others: { color: 'red' } });
    const found: Allocation = {
      ...anAllocation(
        { ...drifted, enforcementRules: [throttle, ...drifted.enforcementRules] },
        aCurrency({ currencyType: 'Invoice' }),
      ),
      others: { tag: 'x' },
    };
    const { environment } = await review(found, aDeployed());

    const { stated, left } = correctCredits(environment);
    const { after } = plan(found, stated);

    const restored = aCurrency({ others: { color: 'red' } });
    expect(after).toEqual({
      ...found,
      currencyAllocations: [
        { ...restored, enforcementRules: [throttle, ...restored.enforcementRules] },
        found.currencyAllocations[1],
      ],
    });
    expect([isCorrectable(environment), left]).toEqual([true, []]);
    expect((await review(after, aDeployed())).environment.status).toBe('compliant');
  });

  it('keep what is accepted', async () => {
    const found = anAllocation(aCurrency({ allocated: 9, rules: { PayGo: true } }));
    const { environment } = await review(found, aDeployed(), { exceptions: [accepting({})] });

    const { stated, left } = correctCredits(environment);

    expect(stated).toEqual([{ currencyType: CURRENCY, allocated: 0, rules: {} }]);
    expect(left).toMatchObject([{ difference: { setting: 'PayGo' }, reason: 'accepted' }]);
    expect(plan(found, stated).after.currencyAllocations[0]).toEqual(aCurrency({ rules: { PayGo: true } }));
  });

  it('undo what is accepted no more', async () => {
    const found = anAllocation(aCurrency({ rules: { PayGo: true } }));
    const { environment } = await review(found, aDeployed(), { exceptions: [accepting({ expiresOn: '2026-01-01' })] });

    expect(correctCredits(environment)).toEqual({
      stated: [{ currencyType: CURRENCY, rules: { PayGo: false } }],
      left: [],
    });
  });

  it('leave alone what nobody stated, and what cannot be handed back to the platform', async () => {
    const rules = { Alert: 'platform-default', TenantPool: 'off', PayGo: 'off', Deny: 'on' } as const;
    const found = anAllocation(aCurrency(), aCurrency({ currencyType: 'AI', allocated: 10 }));
    const { environment } = await review(found, aDeployed(), {
      allocations: [{ currencyType: CURRENCY, allocated: 0, rules }],
    });

    const { stated, left } = correctCredits(environment);

    expect(stated).toEqual([]);
    expect(left.map(({ difference, reason }) => [difference.setting, reason])).toEqual([
      ['Alert', 'platform_default'],
      ['allocated', 'not_in_register'],
    ]);
    expect(isCorrectable(environment)).toBe(false);
  });

  it('leave it to the admin what a rule is to be that is approved as the platform has it', async () => {
    const rules = { Alert: 'platform-default', TenantPool: 'off', PayGo: 'off', Deny: 'on' } as const;
    const found = anAllocation(aCurrency({ rules: { Alert: 'absent', TenantPool: true } }));
    const { environment } = await review(found, aDeployed(), {
      allocations: [{ currencyType: CURRENCY, allocated: 0, rules }],
    });

    const result = planAllocation({ before: found, stated: correctCredits(environment).stated });

    expect(result).toEqual({ kind: 'needs_choice', open: [{ currencyType: CURRENCY, setting: 'Alert' }] });
  });
});

describe('a limit', () => {
  const approved: ApprovedLimit = { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' };
  const APPROVED = { limit: 500, notify: true, notificationThreshold: 80, stopWhenReached: true };

  async function correct(known: KnownLimit, entry: Partial<RegisteredEnvironment> = {}, current = known) {
    const { agent } = await review(anAllocation(aCurrency()), known, { unnamedAgents: approved, ...entry });
    return correctLimit(agent, current);
  }

  it.each<[string, KnownLimit]>([
    ['one that drifted', aDeployed({ limit: 900, notificationThreshold: 95, stopWhenReached: false })],
    ['none at all', { source: 'none', readAt: NOW }],
    ['one that was set from here', { source: 'last_set', limit: anAgentLimit({ limit: 7 }), setAt: NOW, setBy: 'U1' }],
  ])('goes back to what is approved from %s', async (_, known) => {
    expect(await correct(known)).toEqual({ wanted: APPROVED, left: [] });
  });

  it('keeps what is accepted, as it is now', async () => {
    const known = aDeployed({ limit: 900, notificationThreshold: 95 });
    const accepts = { setting: 'monthlyLimit', currency: undefined, value: 900 } as const;
    const exceptions = [accepting({ agent: 'agent-1', accepts })];

    const { wanted, left } = await correct(known, { exceptions }, aDeployed({ limit: 901, notificationThreshold: 95 }));

    expect(wanted).toEqual({ ...APPROVED, limit: 901 });
    expect(left).toMatchObject([{ difference: { setting: 'monthlyLimit' }, reason: 'accepted' }]);
  });

  it('keeps what is accepted of one of which not all can be read', async () => {
    const told = { limit: 900, notify: true, notificationThreshold: 80, stopWhenReached: 'unknown' } as const;
    const accepts = { setting: 'monthlyLimit', currency: undefined, value: 900 } as const;
    const exceptions = [accepting({ agent: 'agent-1', accepts })];

    const { wanted } = await correct({ source: 'unknown', told }, { exceptions });

    expect(wanted).toEqual({ ...APPROVED, limit: 900 });
  });

  it('is set again with what is accepted, where what was set from here is stale', async () => {
    const limit = anAgentLimit({ limit: 900, notify: true, notificationThreshold: 80, stopWhenReached: true });
    const known: KnownLimit = { source: 'last_set', limit, setAt: NOW - STALE_MS - 1, setBy: 'U1' };
    const accepts = { setting: 'monthlyLimit', currency: undefined, value: 900 } as const;

    const { wanted } = await correct(known, { exceptions: [accepting({ agent: 'agent-1', accepts })] });

    expect(wanted).toMatchObject({ ...APPROVED, limit: 900 });
  });

  it('leaves out what nobody chose, but not what cannot be read: a limit is written as a whole', async () => {
    const told = { limit: 900, notify: true, notificationThreshold: 95, stopWhenReached: 'unknown' } as const;
    const { agent } = await review(anAllocation(aCurrency()), { source: 'unknown', told });
    const [first] = listChoosable(agent);
    if (first === undefined) throw new Error('there is nothing to choose');

    const { leftOut } = narrow(agent, [toDifferenceKey(first)]);

    expect(listChoosable(agent).map(({ setting }) => setting)).toEqual(['monthlyLimit', 'alertAt']);
    expect(leftOut.map(({ difference }) => difference.setting)).toEqual(['alertAt']);
  });

  it('is whole where it has gone since', async () => {
    const gone: KnownLimit = { source: 'none', readAt: NOW };

    expect(await correct(aDeployed({ limit: 900 }), {}, gone)).toMatchObject({ wanted: APPROVED });
  });

  it('is whole where there was none, and somebody has set one since', async () => {
    const set = aDeployed({ limit: 7, notify: false, stopWhenReached: false });

    expect(await correct({ source: 'none', readAt: NOW }, {}, set)).toMatchObject({ wanted: APPROVED });
  });

  it('keeps the percentage where nobody is to be notified', async () => {
    const unnamedAgents: ApprovedLimit = { monthlyLimit: 500, alertAt: 'off', stopWhenReached: 'on' };

    const { wanted } = await correct(aDeployed({ notificationThreshold: 33 }), { unnamedAgents });

    expect(wanted).toEqual({ ...APPROVED, notify: false, notificationThreshold: 33 });
  });

  it('cannot be removed', async () => {
    const { wanted, left } = await correct(aDeployed(), { unnamedAgents: { monthlyLimit: 'none' } });

    expect(wanted).toBeUndefined();
    expect(left).toMatchObject([{ reason: 'no_removal' }]);
  });

  it('asks about an agent that somebody stopped', async () => {
    const known = aDeployed({ limit: 900, stopped: true });

    const { wanted = APPROVED } = await correct(known);

    expect(planLimit({ agent: AGENT, before: known, wanted })).toEqual({ kind: 'needs_stop_decision', stopped: true });
  });
});
