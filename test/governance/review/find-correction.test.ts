// What corrects a finding is planned from what is there now, and from the register as it is now.
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { Allocation, Entitlement, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { ChangeStore } from '../../../src/governance/changes/change.ts';
import type { ApprovedException, Register } from '../../../src/governance/register/register.ts';
import {
  type CorrectionSources,
  type CorrectionWish,
  findCorrection,
} from '../../../src/governance/review/find-correction.ts';
import { type Finding, toDifferenceKey } from '../../../src/governance/review/finding.ts';
import { toStandards } from '../../../src/governance/review/standards.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aLimitChange, anAgentLimit, aThreshold } from '../shell/samples.ts';
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

type Now = {
  allocation?: Allocation | 'none';
  threshold?: Partial<Threshold> | 'not_offered';
  register?: Register;
  used?: number;
  changes?: ChangeStore;
};

const SET = { kind: 'applied_not_verified', written: 'yes', reason: 'not_offered' } as const;

const DRIFTED = anAllocation(aCurrency({ allocated: 900, rules: { TenantPool: true } }));

/** As a review finds it: the environment's credits and the agent's limit drifted. */
async function look() {
  const world = aWorld({
    allocations: new Map([['env-1', DRIFTED]]),
    limits: new Map([['agent-1', aDeployed({ limit: 900 })]]),
  });
  const { environment, agents } = holdingOne(await reviewWorld(world));
  return { environment, agent: agents[0] as Finding };
}

function correct(finding: Finding, now: Now = {}, wish: CorrectionWish = {}) {
  const { allocation = DRIFTED, threshold, register = aRegister(), used, changes = createMemoryStore().changes } = now;
  const entitlement = { entitlementId: CURRENCY, consumed: used } as Entitlement;
  const sources: CorrectionSources = {
    session: {
      readAllocation: async () => allocation,
      readThresholds: async () =>
        threshold === 'not_offered'
          ? threshold
          : [aThreshold({ resourceId: 'bot-of-agent-1', limit: 900, stopIfOverCapacity: true, ...threshold })],
      readEntitlements: async () => {
        if (used === undefined) throw new AdminRefusedError('admin_forbidden', 'read entitlements');
        return [entitlement];
      },
    },
    changes,
    exclusively: createExclusively(),
    now: () => NOW,
    judging: { standards: toStandards(register), currency: CURRENCY, limitStaleMs: STALE_MS, now: NOW },
  };
  return findCorrection(finding, wish, sources);
}

const withExceptions = (...exceptions: ApprovedException[]) =>
  aRegister({ environments: [aRegisteredEnvironment({ exceptions })] });

const anException = (accepts: ApprovedException['accepts']): ApprovedException => {
  return { agent: undefined, accepts, reason: 'r', approver: 'a', expiresOn: '2026-12-31' };
};

describe('of an environment', () => {
  it('goes back to what is approved, whatever was found by the review', async () => {
    const { environment } = await look();
    const allocation = anAllocation(aCurrency({ allocated: 77 }), aCurrency({ currencyType: 'AI', allocated: 0 }));

    const correction = await correct(environment, { allocation });

    expect(correction).toMatchObject({
      kind: 'allocation',
      plan: { before: allocation, wanted: [{ currencyType: CURRENCY, allocated: 0 }], kept: { currencies: ['AI'] } },
      left: [],
    });
  });

  it('brings back only what is chosen, and says what is left', async () => {
    const { environment } = await look();
    const pool = toDifferenceKey({ setting: 'TenantPool', currency: CURRENCY.toLowerCase() });

    const correction = await correct(environment, {}, { settings: [pool] });

    expect(correction).toMatchObject({
      kind: 'allocation',
      finding: { differences: [{ setting: 'allocated' }, { setting: 'TenantPool' }] },
      plan: { wanted: [{ allocated: 900, rules: { TenantPool: false } }] },
      left: [{ reason: 'not_chosen', difference: { setting: 'allocated' } }],
    });
  });

  it('is nothing where it is in order by now', async () => {
    const { environment } = await look();

    const correction = await correct(environment, { allocation: anAllocation(aCurrency()) });

    expect(correction).toMatchObject({ kind: 'nothing', finding: { status: 'compliant' }, left: [] });
  });

  it('leaves what was accepted meanwhile as it is, and says so', async () => {
    const { environment } = await look();
    const accepted = anException({ setting: 'allocated', currency: CURRENCY, value: 900 });

    const correction = await correct(environment, { register: withExceptions(accepted) });

    expect(correction).toMatchObject({
      kind: 'allocation',
      plan: { wanted: [{ allocated: 900, rules: { TenantPool: false } }] },
      left: [{ reason: 'accepted', difference: { setting: 'allocated' } }],
    });
  });

  it('follows the register as it is now', async () => {
    const { environment } = await look();
    const allocations = [
      { currencyType: CURRENCY, allocated: 500, rules: { Alert: 'on', TenantPool: 'on', PayGo: 'off', Deny: 'on' } },
    ] as const;
    const register = aRegister({ environments: [aRegisteredEnvironment({ allocations: [...allocations] })] });

    const correction = await correct(environment, { register });

    expect(correction).toMatchObject({ plan: { wanted: [{ allocated: 500, rules: { TenantPool: true } }] } });
  });

  it('asks about rules that are left to the platform, and takes the answer', async () => {
    const { environment } = await look();
    const allocation = anAllocation(aCurrency({ allocated: 900, rules: { PayGo: 'absent' } }));
    const register = aRegister({
      environments: [
        aRegisteredEnvironment({
          allocations: [
            {
              currencyType: CURRENCY,
              allocated: 0,
              rules: { Alert: 'on', TenantPool: 'off', PayGo: 'platform-default', Deny: 'on' },
            },
          ],
        }),
      ],
    });

    const open = await correct(environment, { allocation, register });
    const chosen = [{ currencyType: CURRENCY.toUpperCase(), rule: 'PayGo' as const, isOn: true }];
    const answered = await correct(environment, { allocation, register }, { chosen });

    expect(open).toMatchObject({ kind: 'needs_choice', open: [{ currencyType: CURRENCY, rule: 'PayGo' }] });
    expect(answered).toMatchObject({ kind: 'allocation', plan: { wanted: [{ rules: { PayGo: true } }] } });
  });

  it('never takes an answer for what the register states', async () => {
    const { environment } = await look();
    const chosen = [{ currencyType: CURRENCY, rule: 'TenantPool' as const, isOn: true }];

    expect(await correct(environment, {}, { chosen })).toMatchObject({
      plan: { wanted: [{ rules: { TenantPool: false } }] },
    });
  });

  it('is nothing where the service knows no allocation any more', async () => {
    const { environment } = await look();

    const correction = await correct(environment, { allocation: 'none' });

    expect(correction).toMatchObject({ kind: 'nothing', finding: { status: 'unreadable', reason: 'no_allocation' } });
  });

  it('warns of what is used already, where that can be read', async () => {
    const { environment } = await look();
    const rules = { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' } as const;
    const allocations = [{ currencyType: CURRENCY, allocated: 100, rules }];
    const register = aRegister({ environments: [aRegisteredEnvironment({ allocations })] });
    const readCodes = async (used: number | undefined) => {
      const correction = await correct(environment, { register, ...(used === undefined ? {} : { used }) });
      return correction.kind === 'allocation' ? correction.plan.warnings.map(({ code }) => code) : [];
    };

    expect(await readCodes(300)).toContain('denies_at_once');
    expect(await readCodes(undefined)).not.toContain('denies_at_once');
    expect(await readCodes(undefined)).toContain('lowers');
  });
});

describe('of an agent', () => {
  it('sets what is approved, and keeps the rest of its limit', async () => {
    const { agent } = await look();

    const correction = await correct(agent, { threshold: { notificationThreshold: 80 } }, { environmentName: 'One' });

    expect(correction).toMatchObject({
      kind: 'limit',
      plan: { agent: { agentResourceId: 'bot-of-agent-1', environmentName: 'One' }, after: { limit: 500 } },
    });
  });

  it('asks about one who is stopped, and keeps it so where it is told to', async () => {
    const { agent } = await look();
    const threshold = { stopResource: true };

    const open = await correct(agent, { threshold });
    const kept = await correct(agent, { threshold }, { stopDecision: 'keep_stopped' });

    expect(open).toMatchObject({ kind: 'needs_stop_decision', stopped: true });
    expect(kept).toMatchObject({ kind: 'limit', plan: { after: { limit: 500, stopped: true } } });
  });

  it('is nothing where its limit is as approved by now', async () => {
    const { agent } = await look();

    const correction = await correct(agent, { threshold: { limit: 500 } });

    expect(correction).toMatchObject({ kind: 'nothing', finding: { status: 'compliant' } });
  });

  it('is nothing where the register approves no limit by now, and says that one cannot be removed', async () => {
    const { agent } = await look();
    const register = aRegister({
      environments: [aRegisteredEnvironment({ unnamedAgents: { monthlyLimit: 'none' } })],
    });

    const correction = await correct(agent, { register });

    expect(correction).toMatchObject({ kind: 'nothing', left: [{ reason: 'no_removal' }] });
  });
});

describe('of an agent whose limit the service does not show', () => {
  /** A limit as approved, set so many ms ago from here. */
  async function setFromHere(agoMs: number) {
    const { changes } = createMemoryStore();
    const after = anAgentLimit({ limit: 500, stopWhenReached: true });
    const ids = { environmentId: 'env-1', agentResourceId: 'bot-of-agent-1' };
    await changes.begin(aLimitChange({ ...ids, after, at: NOW - agoMs, outcome: SET }));
    return changes;
  }

  it('sets what is approved where nothing was set from here, once somebody says whether it is stopped', async () => {
    const { agent } = await look();

    const open = await correct(agent, { threshold: 'not_offered' });
    const set = await correct(agent, { threshold: 'not_offered' }, { stopDecision: 'not_stopped' });

    expect(open).toMatchObject({ kind: 'needs_stop_decision', stopped: 'unknown' });
    expect(set).toMatchObject({ kind: 'limit', plan: { after: { limit: 500, stopped: false }, changes: true } });
  });

  it('sets it again where that is stale', async () => {
    const { agent } = await look();
    const changes = await setFromHere(STALE_MS + 1);

    const again = await correct(agent, { threshold: 'not_offered', changes }, { stopDecision: 'not_stopped' });

    expect(again).toMatchObject({
      kind: 'limit',
      finding: { reason: 'limit_stale' },
      plan: { before: { source: 'last_set' }, after: { limit: 500 }, changes: true },
    });
  });

  it('is nothing while it counts', async () => {
    const { agent } = await look();

    const correction = await correct(agent, { threshold: 'not_offered', changes: await setFromHere(STALE_MS) });

    expect(correction).toMatchObject({ kind: 'nothing', finding: { status: 'as_far_as_told' } });
  });
});
