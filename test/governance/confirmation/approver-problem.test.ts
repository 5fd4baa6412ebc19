import { describe, expect, it } from 'vitest';
import { findApproverProblem } from '../../../src/governance/confirmation/slack-approval-request.ts';
import type { AccessPorts } from '../../../src/governance/shell/access.ts';
import { parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';
import { BEN, BENS, KIM, KIMS } from './samples.ts';

/** `own`, `other`: the accounts of Kim and Ben. */
function find(own: string | undefined, other: string | undefined | 'never' | 'ended', approver = BEN.user) {
  const adminAccount = async ({ user }: { user: string }) => {
    if (user === KIM.user) return { isSignedIn: true, name: undefined, account: own };
    if (other === 'never') return undefined;
    return { isSignedIn: other !== 'ended', name: undefined, account: other === 'ended' ? undefined : other };
  };
  const ports = {
    ...{ rules: parseAdminRules(`${KIM.user},${BEN.user}`).rules, log: { info: () => undefined } },
  } as unknown as AccessPorts;
  return findApproverProblem(approver, KIM, { ...ports, adminAccount });
}

describe('the approver who is chosen', () => {
  it.each([
    ['has another account', BENS],
    ['has never signed in', 'never'],
    ['has to sign in again anyway', 'ended'],
  ])('may be somebody who %s', async (_, other) => {
    expect(await find(KIMS, other)).toBeUndefined();
  });

  it('is not the requester under another name', async () => {
    expect(await find(KIMS, KIMS)).toContain('this is you under another name');
  });

  it.each([
    ['is not known', undefined],
    ['is known by another claim', BENS.replace('|oid|', '|sub|')],
    ['is of another issuer', BENS.replace('/t/', '/u/')],
  ])('is nobody whose account %s', async (_, other) => {
    expect(await find(KIMS, other)).toContain('does not know which account they are signed in with');
  });

  it('is nobody as long as the account of who asks is not known', async () => {
    expect(await find(undefined, BENS)).toContain('Sign in again with /assistant-admin sign-in');
    expect(await find(undefined, 'never')).toContain('Sign in again with /assistant-admin sign-in');
  });
});
