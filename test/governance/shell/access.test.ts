import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { isSameAccount } from '../../../src/governance/confirmation/slack-approval-request.ts';
import {
  type AccessPorts,
  AdminCheckFailedError,
  NotAdminError,
  requireAdmin,
  requireOtherAdmin,
} from '../../../src/governance/shell/access.ts';
import { parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';

const KIM = { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T1AB', user: 'U1' };

/** Ben is an admin of T2AB alone, and in that team. */
function aWorld(rules: string) {
  const lookups = {
    groupMembers: sinon.spy(async () => ['U1', 'U2']),
    isWorkspaceAdmin: sinon.spy(async () => true),
  };
  const spend = sinon.spy(async () => undefined);
  const ports = {
    ...{ rules: parseAdminRules(rules).rules, lookups, allowance: { spend }, log: { info: () => undefined } },
    homeTeam: async ({ user }: { user: string }) => (user === 'U2' ? 'T2AB' : 'T1AB'),
  } as unknown as AccessPorts;
  return { ports, lookups, spend };
}

describe('whether somebody is an admin', () => {
  it('is what is remembered for who looks, and asked at once for who changes something', async () => {
    const { ports, lookups } = aWorld('S99');

    await requireAdmin(KIM, ports);
    await requireAdmin(KIM, ports, { isFresh: true });
    await requireAdmin(KIM, ports, { isCounted: false });

    expect(lookups.groupMembers.args.map((args: unknown[]) => args[2])).toEqual([
      { isFresh: false },
      { isFresh: true },
      { isFresh: true },
    ]);
  });

  it('is asked of an approver freshly, uncounted, and in the team that they are in themselves', async () => {
    const { ports, lookups, spend } = aWorld('T2AB:S99');

    await requireOtherAdmin({ by: KIM, user: 'U2' }, ports);
    const ofRequestersTeam = requireOtherAdmin({ by: KIM, user: 'U3' }, ports);

    await expect(ofRequestersTeam).rejects.toThrow(NotAdminError);
    expect(lookups.groupMembers.firstCall.args).toEqual([
      { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T2AB', user: 'U2' },
      'S99',
      { isFresh: true },
    ]);
    expect(spend.callCount).toBe(0);
  });

  it('is not known of an approver where Slack does not answer in time for the form', async () => {
    const { ports } = aWorld('S99');
    const lookups = { ...ports.lookups, groupMembers: () => new Promise<never>(() => undefined) };
    const began = performance.now();

    await expect(requireOtherAdmin({ by: KIM, user: 'U2' }, { ...ports, lookups })).rejects.toThrow(
      AdminCheckFailedError,
    );
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});

describe('two people in Slack', () => {
  it.each([
    ['a1', 'A1', true],
    ['a1', 'a2', false],
    ['a1', undefined, false],
    [undefined, undefined, false],
  ])('of the accounts %s and %s are the same: %s', async (one, other, expected) => {
    const directoryId = async ({ user }: { user: string }) => (user === 'U1' ? one : other);

    expect(await isSameAccount(KIM, { team: 'E1AB', user: 'U2' }, { directoryId })).toBe(expected);
  });
});
