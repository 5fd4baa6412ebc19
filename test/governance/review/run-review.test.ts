import { describe, expect, it } from 'vitest';
import { draftPolicy } from '../../../src/governance/review/draft-form.ts';
import { toFindingKey } from '../../../src/governance/review/finding.ts';
import { isInOrder, runReview } from '../../../src/governance/review/review.ts';
import { setEdit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../../../src/policy/policy.ts';
import { CURRENCY } from '../samples.ts';
import type { World } from '../world.ts';
import { anAllocationOf, aTenant, aThresholdOf, LIMIT, toPolicy } from './a-tenant.ts';

async function review({ services, session }: World, policy: Policy, words = '') {
  const progress: string[] = [];
  const onProgress = ({ done, total }: { done: number; total: number }) => void progress.push(`${done}/${total}`);
  const own = { ...services, policy: { read: async () => ({ policy, version: 1 }) } };
  const reviewed = await runReview(session, own, { words, onProgress, pace: { wait: async () => undefined } });
  return { reviewed, progress };
}

async function found(tenant: World, policy: Policy, words = '') {
  const { reviewed } = await review(tenant, policy, words);
  if (reviewed === undefined) throw new Error('nothing fits');
  return reviewed;
}

/** What is set is what is approved. */
async function approve(tenant: World): Promise<Policy> {
  const { seen } = await found(tenant, EMPTY_POLICY);
  const input = { productionWords: ['env-2'], makerLimit: LIMIT, productionLimit: undefined, currency: CURRENCY };
  tenant.service.calls.length = 0;
  return toPolicy(draftPolicy(seen, input).edits);
}

const countCalls = ({ service: { calls } }: World) =>
  Object.fromEntries([...Map.groupBy(calls, (call) => call)].map(([call, all]) => [call, all.length]));

describe('200 environments with 3,000 agents', () => {
  it('are reviewed with one read for each environment, and drift at 40 places is found exactly', async () => {
    const tenant = aTenant({ environments: 200, agentsEach: 15 });
    const { service } = tenant;
    const policy = await approve(tenant);

    const { reviewed, progress } = await review(tenant, policy);

    expect(reviewed?.findings).toEqual([]);
    expect(reviewed?.head).toMatchObject({ compared: 3_200, environments: 200, agents: 3_000 });
    expect(countCalls(tenant)).toEqual({ agents: 1, environments: 1, allocation: 200, thresholds: 1 });
    expect(progress.at(-1)).toBe('200/200');
    const limits = new Map(service.agents.map(({ name }) => [name, aThresholdOf(name)]));
    const planted = new Set<string>();
    for (let place = 0; place < 20; place += 1) {
      const environmentId = `env-${place * 9 + 1}`;
      const rules = place % 2 === 0 ? { TenantPool: true } : { Deny: false };
      service.allocations.set(environmentId, anAllocationOf(environmentId, place % 3 === 0 ? 9_000 : 1_000, rules));
      planted.add(`credits:["${environmentId}"]`);
      const agentId = `env-${place * 10 + 3}-agent-${(place % 15) + 1}`;
      const drifts = [{ limit: 900 }, { stopResource: true }, { stopIfOverCapacity: false }, { limit: 1 }];
      limits.set(agentId, aThresholdOf(agentId, drifts[place % 4]));
      planted.add(`threshold:["env-${place * 10 + 3}","${agentId}","servicemessages"]`);
    }
    service.thresholds = [...limits.values()];
    const { findings, head } = await found(tenant, policy);

    const keys = findings.map((finding) => ('item' in finding ? toFindingKey(finding) : finding.group));
    expect(new Set(keys)).toEqual(planted);
    expect(keys).toHaveLength(40);
    expect(head.counts.more + head.counts.less).toBe(40);
  });
});

describe('what cannot be read', () => {
  it('is never gone where the service did not list everything', async () => {
    const tenant = aTenant({ environments: 3 });
    const policy = await approve(tenant);
    tenant.service.environments.pop();
    tenant.service.agents.pop();

    expect((await found(tenant, policy)).head.gone).toEqual({ count: 1, names: ['env-3'] });
    tenant.service.isPart = true;
    expect((await found(tenant, policy)).head).toMatchObject({ gone: { count: 0 }, isPart: true });
  });

  it('is not all gone where the service lists nothing at all of what the policy names', async () => {
    const tenant = aTenant({ environments: 2 });
    const policy = await approve(tenant);
    Object.assign(tenant.service, { environments: [], agents: [] });

    const { head } = await found(tenant, policy);

    expect(head).toMatchObject({ isPart: true, gone: { count: 0 }, environments: 0 });
    expect(isInOrder(head)).toBe(false);
    expect((await found(tenant, EMPTY_POLICY)).head.isPart).toBe(false);
  });
});

describe('a review of words', () => {
  it.each([
    ['one environment with its agents, by its whole name', 'the env-1', ['env-1'], ['env-1-agent-1', 'env-1-agent-2']],
    ['the same by its id', 'ENV-1', ['env-1'], ['env-1-agent-1', 'env-1-agent-2']],
    ['agents by their names', 'env-3-agent-2', [], ['env-3-agent-2']],
    ['an environment by its whole name, although others begin with it', 'env:env-1', ['env-1'], expect.anything()],
    ['several with a part of their names', 'env:env-1 the', { length: 4 }, expect.anything()],
  ])('looks at %s', async (_, words, environments, agents) => {
    const tenant = aTenant({ environments: 12, agentsEach: 2 });
    const policy = await approve(tenant);

    const { seen } = await found(tenant, policy, words);

    expect(seen.environments.map(({ environmentId }) => environmentId)).toMatchObject(environments);
    expect(seen.agents.map(({ agentId }) => agentId)).toEqual(agents);
    // Of agents alone, no credits are read.
    expect(countCalls(tenant).allocation ?? 0).toBe(seen.environments.length);
  });

  it('says that nothing fits, which is not that nothing differs', async () => {
    const policy = toPolicy([setEdit('class', { environmentId: 'env-1' }, 'maker')]);

    expect((await review(aTenant(), policy, 'zebra')).reviewed).toBe(undefined);
  });
});
