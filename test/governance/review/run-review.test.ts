import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { ReadSent } from '../../../src/governance/plan/seen.ts';
import { draftPolicy } from '../../../src/governance/review/draft-form.ts';
import { toFindingKey } from '../../../src/governance/review/finding.ts';
import { isInOrder, type ReviewServices, runReview } from '../../../src/governance/review/review.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/policy/policy.ts';
import {
  anAllocation,
  aThreshold,
  CURRENCY,
  createTenant,
  LIMIT,
  NOW,
  STALE_MS,
  type Tenant,
  toPolicy,
} from './a-tenant.ts';

const NOTHING_SENT: ReadSent = () => undefined;

async function review(tenant: Tenant, policy: Policy, words = '') {
  const services = {
    policy: { read: async () => ({ policy, version: 1 }) },
    sent: { readFor: async () => NOTHING_SENT },
    ...{ currency: CURRENCY, limitStaleMs: STALE_MS, readsLimits: true, stopping: new AbortController().signal },
    ...{ createId: () => 'r1', now: () => NOW },
  } as unknown as ReviewServices;
  const progress: string[] = [];
  const onProgress = ({ done, total }: { done: number; total: number }) => void progress.push(`${done}/${total}`);
  const reviewed = await runReview(tenant.session, services, {
    ...{ words, onProgress },
    pace: { wait: async () => undefined },
  });
  return { reviewed, progress };
}

async function found(tenant: Tenant, policy: Policy, words = '') {
  const { reviewed } = await review(tenant, policy, words);
  if (reviewed === undefined) throw new Error('nothing fits');
  return reviewed;
}

/** What is set is what is approved. */
async function approve(tenant: Tenant): Promise<Policy> {
  const { seen } = await found(tenant, EMPTY_POLICY);
  const input = { productionWords: ['env-2'], makerLimit: LIMIT, productionLimit: undefined, currency: CURRENCY };
  return toPolicy(draftPolicy(seen, input).edits);
}

describe('200 environments with 3,000 agents', () => {
  it('are reviewed with one read for each environment, and one of all limits', async () => {
    const tenant = createTenant({ environments: 200, agentsEach: 15 });
    const policy = await approve(tenant);
    Object.assign(tenant.reads, { inventory: 0, allocations: 0, thresholds: 0 });

    const { reviewed, progress } = await review(tenant, policy);

    expect(reviewed?.findings).toEqual([]);
    expect(reviewed?.head).toMatchObject({ compared: 3_200, environments: 200, agents: 3_000 });
    expect(tenant.reads).toEqual({ inventory: 2, allocations: 200, thresholds: 1, entitlements: 0 });
    expect(progress.at(-1)).toBe('200/200');
  });

  it('have drift at 40 places found exactly', async () => {
    const tenant = createTenant({ environments: 200, agentsEach: 15 });
    const policy = await approve(tenant);
    const planted = new Set<string>();
    for (let place = 0; place < 20; place += 1) {
      const environmentId = `env-${place * 9 + 1}`;
      const rules = place % 2 === 0 ? { TenantPool: true } : { Deny: false };
      tenant.allocations.set(environmentId, anAllocation(environmentId, place % 3 === 0 ? 9_000 : 1_000, rules));
      planted.add(`credits:["${environmentId}"]`);
      const agentId = `env-${place * 10 + 3}-agent-${(place % 15) + 1}`;
      const drifts = [{ limit: 900 }, { stopResource: true }, { stopIfOverCapacity: false }, { limit: 1 }];
      if (tenant.thresholds instanceof Map) tenant.thresholds.set(agentId, aThreshold(agentId, drifts[place % 4]));
      planted.add(`threshold:["env-${place * 10 + 3}","${agentId}","servicemessages"]`);
    }

    const { findings, head } = await found(tenant, policy);

    const keys = findings.map((finding) => ('item' in finding ? toFindingKey(finding) : finding.group));
    expect(new Set(keys)).toEqual(planted);
    expect(keys).toHaveLength(40);
    expect(head.counts.more + head.counts.less).toBe(40);
  });
});

describe('what cannot be read', () => {
  it('is unknown, and all the rest is reviewed', async () => {
    const tenant = createTenant({ environments: 3 });
    const policy = await approve(tenant);
    tenant.allocations.set('env-2', new AdminRefusedError('admin_forbidden', 'read allocation'));

    const { head, findings } = await found(tenant, policy);

    expect(findings).toEqual([]);
    expect(head.unreadable).toEqual({ count: 1, names: ['The env-2'] });
  });

  it('is no difference where the service hides its limits', async () => {
    const tenant = createTenant({ environments: 2, agentsEach: 3 });
    const policy = await approve(tenant);
    tenant.thresholds = 'not_offered';

    const { head, findings } = await found(tenant, policy);

    expect(findings.every(({ group }) => group === 'unknown')).toBe(true);
    expect(head.counts).toMatchObject({ more: 0, less: 0, unknown: 6 });
  });

  it('is never gone where the service did not list everything', async () => {
    const tenant = createTenant({ environments: 3 });
    const policy = await approve(tenant);
    tenant.environments.pop();
    tenant.agents.pop();

    expect((await found(tenant, policy)).head.gone).toEqual({ count: 1, names: ['env-3'] });
    tenant.isTruncated = true;
    expect((await found(tenant, policy)).head).toMatchObject({ gone: { count: 0 }, isPart: true });
  });

  it('is not all gone where the service lists nothing at all of what the policy names', async () => {
    const tenant = createTenant({ environments: 2, agentsEach: 1 });
    const policy = await approve(tenant);
    Object.assign(tenant, { environments: [], agents: [] });

    const { head } = await found(tenant, policy);

    expect(head).toMatchObject({ isPart: true, gone: { count: 0 }, environments: 0 });
    expect(isInOrder(head)).toBe(false);
    expect((await found(tenant, EMPTY_POLICY)).head.isPart).toBe(false);
  });

  it('stops the review where it is the inventory', async () => {
    const tenant = createTenant();
    const policy = await approve(tenant);
    tenant.session.findEnvironments = async () => {
      throw new AdminRefusedError('admin_forbidden', 'query inventory');
    };

    await expect(review(tenant, policy)).rejects.toThrow();
  });
});

describe('a review of words', () => {
  const names = ({ seen }: Awaited<ReturnType<typeof found>>) => [
    seen.environments.map(({ environmentId }) => environmentId),
    seen.agents.map(({ agentId }) => agentId),
  ];

  it('looks at one environment with its agents, by its whole name or id', async () => {
    const tenant = createTenant({ environments: 12, agentsEach: 2 });
    const policy = await approve(tenant);

    const agents = ['env-1-agent-1', 'env-1-agent-2'];
    expect(names(await found(tenant, policy, 'the env-1'))).toEqual([['env-1'], agents]);
    expect(names(await found(tenant, policy, 'ENV-1'))).toEqual([['env-1'], agents]);
  });

  it('looks at agents by their names, and reads no credits then', async () => {
    const tenant = createTenant({ environments: 3, agentsEach: 2 });
    const policy = await approve(tenant);
    tenant.reads.allocations = 0;

    expect(names(await found(tenant, policy, 'env-3-agent-2'))).toEqual([[], ['env-3-agent-2']]);
    expect(tenant.reads.allocations).toBe(0);
  });

  it('looks at several environments with a part of their names', async () => {
    const tenant = createTenant({ environments: 12 });
    const policy = await approve(tenant);

    expect(names(await found(tenant, policy, 'env:env-1'))[0]).toEqual(['env-1']);
    expect(names(await found(tenant, policy, 'env:the env-1'))[0]).toEqual(['env-1']);
    expect(names(await found(tenant, policy, 'env:env-1 the'))[0]).toHaveLength(4);
  });

  it('says that nothing fits, which is not that nothing differs', async () => {
    const tenant = createTenant();

    expect(
      (await review(tenant, toPolicy([setEdit('class', { environmentId: 'env-1' }, 'maker')]), 'zebra')).reviewed,
    ).toBe(undefined);
  });
});
