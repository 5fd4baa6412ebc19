import { describe, expect, it } from 'vitest';
import type { StoreReader } from '../../src/doctor/check.ts';
import { POLICY } from '../../src/doctor/checks/policy.ts';
import { EMPTY_POLICY, type Policy } from '../../src/policy/policy.ts';
import { aConfig } from '../a-config.ts';
import { aPolicy, WHY } from '../governance/policy-documents/policy-samples.ts';
import { say, startLooking } from './look.ts';

const { look, findUnseen } = startLooking();

const ADMIN = { ADMIN_API_BASE_URL: 'https://admin.example', ADMIN_SCOPE: 'api://admin/.default' };

async function lookAtPolicy(policy: Policy | undefined, config: Record<string, string> = ADMIN): Promise<string[]> {
  const reader = policy && ({ policy: { read: async () => ({ policy, version: 1 }) } } as unknown as StoreReader);
  const store = { isNew: false, findings: [], ...(reader && { reader }) };
  return say(await look(POLICY, aConfig(config), { store }));
}

function anException(days: number): Policy {
  const until = new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
  const target = { environmentId: 'e' };
  return aPolicy({ setting: 'stop', target, exception: { value: true, why: WHY, until } });
}

describe('the doctor and the policy', () => {
  it('says how much it says', async () => {
    const standard = { setting: 'standard', target: { className: 'maker' } } as const;
    const policy = aPolicy({ ...standard, standing: { value: { credits: {} }, why: WHY } });

    expect(await lookAtPolicy(policy)).toEqual(['ok: Policy 42: 1 entry, 1 class.']);
  });

  it('says how to begin where it is empty, unless there is nothing to govern', async () => {
    expect(await lookAtPolicy(EMPTY_POLICY)).toEqual([expect.stringMatching(/^ok: The policy is empty/)]);
    expect(await lookAtPolicy(EMPTY_POLICY, {})).toEqual([]);
    expect(await lookAtPolicy(undefined)).toEqual([]);
  });

  it('warns of exceptions that end soon, and not of those that are over', async () => {
    expect(await lookAtPolicy(anException(3))).toContainEqual(expect.stringMatching(/^warning: 1 exception .* ends/));
    expect(await lookAtPolicy(anException(30))).toHaveLength(1);
    expect(await lookAtPolicy(anException(-3))).toHaveLength(1);
  });

  it('has a test for every sentence', () => {
    expect(findUnseen(POLICY)).toEqual([]);
  });
});
