// The whole way of an allocation against the stand-in of the administrative interface, over real HTTP.

import { SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { ALLOCATION_KIND } from '../../../src/governance/allocations/allocation-kind.ts';
import type { StatedCredits } from '../../../src/governance/allocations/allocation-plan.ts';
import { toCreditUsage } from '../../../src/governance/allocations/consumption.ts';
import { type AllocationLook, lookUpAllocation } from '../../../src/governance/allocations/known-allocation.ts';
import type { AuditStore } from '../../../src/governance/audit/audit-log.ts';
import { createAuditedChanges } from '../../../src/governance/audit/audited-changes.ts';
import { applyChange } from '../../../src/governance/changes/apply-change.ts';
import type { ChangeStore } from '../../../src/governance/changes/change.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readAll } from '../audit/samples.ts';
import { aPlan, CURRENCY } from './samples.ts';

const TOKEN = 'sandbox-kim';
const [PRODUCTION = '', MAKERS = '', DEFAULT = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let http: HttpClient;
let sandbox: AdminSandbox;
let session: AdminSession;
let changes: ChangeStore;
let audit: AuditStore;

beforeEach(async () => {
  http = createHttpClient();
  sandbox = await startAdmin();
  const store = createMemoryStore();
  audit = store.audit;
  changes = createAuditedChanges(store.changes, audit, Date.now);
  session = aSession(aClient(http, sandbox.url), TOKEN);
});
afterEach(async () => {
  await http.close();
  await sandbox.close();
});

/** Of one process; another admin may use another. */
const portsOf = (exclusively = createExclusively()) => ({
  session,
  changes,
  exclusively,
  now: Date.now,
});

async function plan(environmentId: string, stated: Partial<StatedCredits>) {
  const { allocation } = await lookUpAllocation(environmentId, portsOf());
  if (allocation === 'none') throw new Error('there is no allocation');
  return aPlan(allocation, stated);
}

const request = (changeId: string) => ({
  ...{ changeId, by: { team: 'T1', workspace: 'T1', user: 'UKIM' }, reason: 'the pilot grows' },
});
const held = (environmentId: string) => sandbox.state.allocations.get(environmentId.toLowerCase());
const creditsOf = (environmentId: string) =>
  held(environmentId)?.currencyAllocations.find(({ currencyType }) => currencyType === CURRENCY);

describe('an allocation', () => {
  it('is set and verified, and all else stays: another currency, an unknown rule, an unknown field', async () => {
    const before = structuredClone(held(PRODUCTION));

    const outcome = await applyChange(
      ALLOCATION_KIND,
      await plan(PRODUCTION, { allocated: 30_000, rules: { PayGo: true } }),
      request('c1'),
      portsOf(),
    );

    expect(outcome).toEqual({ kind: 'verified' });
    const [credits, ai] = before?.currencyAllocations ?? [];
    const rules = credits?.enforcementRules.map((rule) =>
      rule.ruleType === 'PayGo' ? { ...rule, enabled: true } : rule,
    );
    expect(held(PRODUCTION)?.currencyAllocations).toEqual([
      { ...credits, allocated: 30_000, enforcementRules: rules },
      ai,
    ]);
  });

  it('is in the log with what was there and what was to be, and the ids of the requests', async () => {
    await applyChange(ALLOCATION_KIND, await plan(PRODUCTION, { allocated: 30_000 }), request('c1'), portsOf());

    const who = { who: { user: 'UKIM' }, team: 'T1', reason: 'the pilot grows', what: 'allocation_change' };
    const values = (allocated: number) => ({ currencyAllocations: [{ allocated }, { allocated: 10 }] });
    const entries = await readAll(audit.all());
    expect(entries).toMatchObject([
      { ...who, before: values(25_000), after: values(30_000), outcome: { kind: 'begun' } },
      { ...who, outcome: { kind: 'verified', written: 'yes' }, requestIds: [expect.stringMatching(/^[0-9a-f-]{36}$/)] },
    ]);
    expect(JSON.stringify(entries)).not.toContain(TOKEN);
  });

  it('of two admins at once is set by one; the other sees both values, and nothing is lost', async () => {
    const exclusively = createExclusively();
    const plans = [await plan(PRODUCTION, { allocated: 30_000 }), await plan(PRODUCTION, { rules: { Deny: false } })];

    const outcomes = await Promise.all(
      plans.map((one, index) => applyChange(ALLOCATION_KIND, one, request(`c${index}`), portsOf(exclusively))),
    );

    expect(outcomes).toMatchObject([
      { kind: 'verified' },
      {
        kind: 'conflict',
        stage: 'before_write',
        expected: { currencyAllocations: [{ allocated: 25_000 }, {}] },
        found: { currencyAllocations: [{ allocated: 30_000 }, {}] },
      },
    ]);
    expect(creditsOf(PRODUCTION)).toMatchObject({ allocated: 30_000 });
    expect(creditsOf(PRODUCTION)?.enforcementRules).toContainEqual({ ruleType: 'Deny', enabled: true });
  });

  it('that somebody set elsewhere meanwhile is left as it is', async () => {
    const made = await plan(PRODUCTION, { allocated: 30_000 });
    const current = held(PRODUCTION);
    const [credits, ai] = current?.currencyAllocations ?? [];
    if (!current || !credits || !ai) throw new Error('the seeds are others');
    const elsewhere = { ...current, currencyAllocations: [credits, { ...ai, allocated: 11 }] };
    sandbox.state.allocations.set(PRODUCTION, elsewhere);

    const outcome = await applyChange(ALLOCATION_KIND, made, request('c1'), portsOf());

    expect(outcome).toMatchObject({ kind: 'conflict', stage: 'before_write' });
    expect(held(PRODUCTION)).toEqual(elsewhere);
    expect(sandbox.ledger.count(({ method }) => method === 'PATCH')).toBe(0);
  });

  it('shows both values where somebody else writes right after', async () => {
    sandbox.onWritten(() => {
      const written = held(PRODUCTION);
      const [credits, ...others] = written?.currencyAllocations ?? [];
      if (!written || !credits) return;
      const currencyAllocations = [{ ...credits, allocated: 7 }, ...others];
      sandbox.state.allocations.set(PRODUCTION, { ...written, currencyAllocations });
    });

    const outcome = await applyChange(
      ALLOCATION_KIND,
      await plan(PRODUCTION, { allocated: 30_000 }),
      request('c1'),
      portsOf(),
    );

    expect(outcome).toMatchObject({
      kind: 'conflict',
      stage: 'after_write',
      expected: { currencyAllocations: [{ allocated: 30_000 }, {}] },
      found: { currencyAllocations: [{ allocated: 7 }, {}] },
    });
  });

  it.each(['lost-500', 'reset-after-processing'] as const)('is found to be set after %s', async (fault) => {
    const made = await plan(PRODUCTION, { allocated: 30_000 });
    sandbox.faults.next(fault, { on: 'write-allocation' });

    const outcome = await applyChange(ALLOCATION_KIND, made, request('c1'), portsOf());

    expect(outcome).toEqual({ kind: 'verified' });
    expect(sandbox.ledger.count(({ method }) => method === 'PATCH')).toBe(1);
  });

  it('is said to be unsettled where the answer is lost and nothing can be read', async () => {
    const made = await plan(PRODUCTION, { allocated: 30_000 });
    sandbox.faults.next('reset-after-processing', { on: 'write-allocation' });
    sandbox.onWritten(() => sandbox.faults.always('403', { on: 'read-allocation' }));

    const outcome = await applyChange(ALLOCATION_KIND, made, request('c1'), portsOf());

    expect(outcome).toEqual({ kind: 'applied_not_verified', reason: 'no_answer' });
  });

  it.each([
    ['400', 'The request is invalid'],
    ['403', 'does not allow'],
    ['404', 'does not know'],
    ['429-seconds', 'in 1 second.'],
    ['429-date', 'Try again in'],
  ] as const)('ends with a clear sentence after %s, and nothing is changed', async (fault, words) => {
    const made = await plan(PRODUCTION, { allocated: 30_000 });
    sandbox.faults.next(fault, { on: 'write-allocation' });

    const outcome = await applyChange(ALLOCATION_KIND, made, request('c1'), portsOf());

    expect(outcome).toMatchObject({ kind: 'failed', failure: { sentence: expect.stringContaining(words) } });
    expect(creditsOf(PRODUCTION)).toMatchObject({ allocated: 25_000 });
  });

  it('is not set where a body that is no JSON stands for what is there', async () => {
    const made = await plan(PRODUCTION, { allocated: 30_000 });
    sandbox.faults.next('not-json', { on: 'read-allocation' });

    const outcome = await applyChange(ALLOCATION_KIND, made, request('c1'), portsOf());

    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'admin_unreadable' } });
    expect(creditsOf(PRODUCTION)).toMatchObject({ allocated: 25_000 });
  });

  it('of more than the tenant has is refused in the words of the service', async () => {
    const outcome = await applyChange(
      ALLOCATION_KIND,
      await plan(PRODUCTION, { allocated: 99_999 }),
      request('c1'),
      portsOf(),
    );

    expect(outcome).toMatchObject({ kind: 'failed', failure: { sentence: expect.stringContaining('More credits') } });
  });

  it('leaves a rule that a policy governs as it is, and says who governs it', async () => {
    const off = await plan(MAKERS, { allocated: 900, rules: { TenantPool: false } });
    const on = await plan(MAKERS, { allocated: 900, rules: { TenantPool: true } });

    const outcomes = [
      await applyChange(ALLOCATION_KIND, off, request('c1'), portsOf()),
      await applyChange(ALLOCATION_KIND, on, request('c2'), portsOf()),
    ];

    expect(outcomes).toMatchObject([
      { kind: 'failed', failure: { code: 'admin_locked_by_policy', sentence: expect.stringContaining('policy') } },
      { kind: 'verified' },
    ]);
  });

  it('is none where the environment has none, or is none', async () => {
    const looks = await Promise.all([DEFAULT, `it's "nowhere"`].map((id) => lookUpAllocation(id, portsOf())));

    expect(looks.map(({ allocation }: AllocationLook) => allocation)).toEqual(['none', 'none']);
  });
});

describe('usage', () => {
  it('is read as the service tells it', async () => {
    const usage = toCreditUsage(await session.readEntitlements(PRODUCTION), Date.now());

    const figures = { consumed: 18_250, capacity: 25_000, share: 0.73, payGoConsumed: 0, unit: 'Credit' };
    expect(usage).toMatchObject([{ currencyType: CURRENCY, ...figures, isStale: false }]);
  });
});
