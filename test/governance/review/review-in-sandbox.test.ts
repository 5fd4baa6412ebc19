// A review against the stand-in of the administrative interface, over real HTTP, with the register's example.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory, SEED_ENVIRONMENTS } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { type AdminOptions, type AdminSandbox, startAdmin } from '@assistant-bridge/sandbox/admin/start-admin.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import { planAllocation } from '../../../src/governance/allocations/allocation-plan.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { correctCredits } from '../../../src/governance/review/correction.ts';
import { listFindings, type Review } from '../../../src/governance/review/review-summary.ts';
import { openLimits, runReview } from '../../../src/governance/review/run-review.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { aClient, aSession } from '../../admin-api/a-session.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { STALE_MS } from './review-world.ts';

const TOKEN = 'sandbox-kim';
const CURRENCY = 'ServiceMessages';
const EXAMPLE = readFileSync(new URL('../../../scripts/deploy/governance-register.yaml', import.meta.url), 'utf8');
const [PRODUCTION = '', MAKERS = ''] = SEED_ENVIRONMENTS.map(({ name }) => name);

let http: HttpClient;
let sandbox: AdminSandbox;
let session: AdminSession;

async function start(options: AdminOptions = {}) {
  sandbox = await startAdmin({ thresholdList: true, ...options });
  connect();
}

/** With nothing remembered of earlier exchanges. */
function connect(): void {
  http = createHttpClient();
  session = aSession(aClient(http, sandbox.url), TOKEN);
}

/** `waits`: told of each wait, in ms. */
async function review(waits: number[] = []): Promise<Review> {
  const read = readRegister(EXAMPLE);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { changes } = createMemoryStore();
  const ports = {
    ...session,
    openLimits: () => openLimits({ session, changes, now: Date.now }),
  };
  return runReview(ports, {
    register: read.register,
    registerHash: read.hash,
    currency: CURRENCY,
    limitStaleMs: STALE_MS,
    now: Date.now,
    wait: (ms, signal) => {
      waits.push(ms);
      return delay(ms, undefined, { signal });
    },
    signal: AbortSignal.timeout(20_000),
    onUnexpected: (error) => {
      throw error;
    },
  });
}

const unordered = (found: Review) =>
  [...listFindings(found)]
    .filter(({ status }) => status !== 'compliant')
    .map(({ name, status, reason, differences }) => [
      name,
      status,
      reason ?? differences.map(({ setting }) => setting),
    ]);

afterEach(async () => {
  await http.close();
  await sandbox.close();
});

describe('the seeds', () => {
  it('are as the example approves them', async () => {
    await start();

    const found = await review();

    expect(unordered(found)).toEqual([]);
    expect(found.summary).toMatchObject({
      environments: { compliant: 3 },
      agents: { compliant: 6 },
      isCompliant: true,
    });
  });

  it('drift where somebody turns a rule and raises a limit, and where something is new', async () => {
    await start();
    const allocation = sandbox.state.allocations.get(PRODUCTION);
    const key = toThresholdKey(MAKERS, 'bot-4');
    const threshold = sandbox.state.thresholds.get(key);
    if (!allocation || !threshold) throw new Error('the seeds are others');
    const [messages, ...others] = allocation.currencyAllocations;
    if (!messages) throw new Error('the seeds are others');
    const enforcementRules = messages.enforcementRules.map((rule) =>
      rule.ruleType === 'Deny' ? { ...rule, enabled: false } : rule,
    );
    sandbox.state.allocations.set(PRODUCTION, {
      ...allocation,
      currencyAllocations: [{ ...messages, enforcementRules }, ...others],
    });
    sandbox.state.thresholds.set(key, { ...threshold, limit: 9000 });
    sandbox.state.environments.push({ name: 'new-1', displayName: 'Zoo', ownerId: 'owner-9' });

    const found = await review();

    expect(unordered(found)).toEqual([
      ['Spec Writer', 'drift', ['monthlyLimit']],
      ['Contoso Production', 'drift', ['Deny']],
      ['Zoo', 'unclassified', 'no_allocation'],
    ]);
  });

  it('are put right by what a correction plans', async () => {
    await start();
    const production = sandbox.state.allocations.get(PRODUCTION);
    if (!production) throw new Error('the seeds are others');
    const [messages, ...others] = production.currencyAllocations;
    const raised = [{ ...messages, allocated: 26_000 }, ...others] as typeof production.currencyAllocations;
    sandbox.state.allocations.set(PRODUCTION, { ...production, currencyAllocations: raised });
    const drifting = [...listFindings(await review())].find(({ status }) => status === 'drift');
    const before = await session.readAllocation(PRODUCTION);
    if (drifting?.kind !== 'environment' || before === 'none') throw new Error('there is no drift');

    const result = planAllocation({ before, stated: correctCredits(drifting).stated });
    if (result.kind === 'planned') await session.updateAllocation(result.plan.after);

    expect(sandbox.state.allocations.get(PRODUCTION)).toEqual(production);
    expect(unordered(await review())).toEqual([]);
  });

  it('are read again after the service asked to wait', async () => {
    await start();
    sandbox.faults.next('429-seconds', { on: 'read-allocation', retryAfterS: 1, times: 4 });

    expect((await review()).summary.isCompliant).toBe(true);
  });

  it('are unreadable one by one where the service fails', async () => {
    await start();
    sandbox.faults.next('not-json', { on: 'read-allocation' });

    const { summary } = await review();

    expect(summary).toMatchObject({
      environments: { unreadable: 1, compliant: 2 },
      unreadable: { admin_unreadable: 1 },
    });
  });

  it.each([
    // Asked for once, and once more after all others.
    ['500', 'admin_failed', 1],
    ['html', 'admin_unreachable', 1],
    // Such an answer is asked for three times at each look.
    ['503', 'admin_unreachable', 5],
  ] as const)(
    'are judged, and so are 80 others, where the first 20 answer %s for good',
    async (fault, reason, more) => {
      await start();
      const { environments, allocations } = generateInventory({ environments: 100, agents: 0 });
      sandbox.state.environments.push(...environments);
      for (const allocation of allocations) sandbox.state.allocations.set(allocation.environmentId, allocation);
      await review();
      const readsWithout = sandbox.ledger.count();
      sandbox.ledger.clear();
      await http.close();
      connect();
      for (const { name } of environments.slice(0, 20)) sandbox.failing.set(name, fault);

      const waits: number[] = [];
      const found = await review(waits);
      const failed = found.environments.filter(({ environment }) => environment.reason === reason);

      expect(failed.map(({ environment }) => environment.name)).toEqual(
        environments.slice(0, 20).map(({ displayName }) => displayName),
      );
      expect(found.summary.environments).toMatchObject({ compliant: 3, unclassified: 100 });
      expect(found.summary.unreadable).toEqual({ [reason]: 20 });
      // The one wait is the one before the second look at those that failed.
      expect(waits).toEqual([1_000]);
      expect(sandbox.ledger.count()).toBe(readsWithout + 20 * more);
    },
  );

  it('are never compliant where limits are not told', async () => {
    await start({ thresholdList: false });

    const { summary } = await review();

    expect(summary).toMatchObject({
      environments: { compliant: 3 },
      // The register approves no limit for the agents of makers, and none was set from here.
      agents: { unreadable: 3, as_far_as_told: 3 },
      unreadable: { limit_not_told: 3 },
      untold: { lastSet: 0, noneSet: 3 },
      isCompliant: false,
    });
  });
});
