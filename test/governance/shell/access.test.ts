import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import {
  type AccessPorts,
  AdminCheckFailedError,
  admit,
  requireAdmin,
  requireOtherAdmin,
} from '../../../src/governance/shell/access.ts';
import { parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';

const KIM = { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T1AB', user: 'U1' };

/** Ben is an admin of T2AB alone, and in that team. */
function aWorld(rules: string, auditors = '') {
  const lookups = {
    groupMembers: sinon.spy(async () => ['U1', 'U2']),
    isWorkspaceAdmin: sinon.spy(async () => true),
  };
  const spend = sinon.spy(async () => undefined);
  const ports = {
    ...{
      rules: parseAdminRules(rules).rules,
      auditors: parseAdminRules(auditors).rules,
      lookups,
      allowance: { spend },
      log: { info: () => undefined },
    },
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

  it.each(['U1AB', 'E1AB:U1AB', 'S99', 'E1AB:S99', 'T1AB:U1AB,E1AB:U1AB'])(
    'is so for the whole organisation by a rule without a team, or of the organisation: %s',
    async (rules) => {
      const { ports } = aWorld(rules.replace('S99', 'S099'));
      const lookups = { ...ports.lookups, groupMembers: async () => ['U1AB'] };

      await expect(requireAdmin({ ...KIM, user: 'U1AB' }, { ...ports, lookups }, { isForAll: true })).resolves.toBe(
        'admin',
      );
    },
  );

  it.each(['T1AB:U1AB', 'T1AB:S099', 'T1AB:workspace-admins'])(
    'is not so for the whole organisation by a rule for one of its teams: %s',
    async (rules) => {
      const { ports } = aWorld(rules);
      const lookups = { ...ports.lookups, groupMembers: async () => ['U1AB'] };
      const asked = { ...ports, lookups };
      const caller = { ...KIM, user: 'U1AB' };

      await expect(requireAdmin(caller, asked, { isForAll: true })).rejects.toMatchObject({ code: 'not_admin_of_all' });
      await expect(requireAdmin(caller, asked)).resolves.toBe('admin');
    },
  );

  it('is so by a rule for the team that has installed the app itself', async () => {
    const { ports } = aWorld('T1AB:U1AB');
    const caller = { team: 'E1AB', workspace: 'T1AB', user: 'U1AB' };

    await expect(requireAdmin(caller, ports, { isForAll: true })).resolves.toBe('admin');
  });

  it('is no for nobody of ADMIN_USERS, whatever it is for', async () => {
    const { ports } = aWorld('T1AB:U2AB');

    await expect(requireAdmin(KIM, ports, { isForAll: true })).rejects.toMatchObject({ code: 'not_admin' });
  });

  it('is asked of an approver freshly, uncounted, and in the team that they are in themselves', async () => {
    const { ports, lookups, spend } = aWorld('T2AB:S99');

    await requireOtherAdmin({ by: KIM, user: 'U2' }, ports);
    const ofRequestersTeam = requireOtherAdmin({ by: KIM, user: 'U3' }, ports);

    await expect(ofRequestersTeam).rejects.toMatchObject({ code: 'not_admin' });
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

    await expect(requireOtherAdmin({ by: KIM, user: 'U2' }, { ...ports, lookups })).rejects.toThrow(
      AdminCheckFailedError,
    );
  });
});

describe('an auditor', () => {
  const ANA = { ...KIM, user: 'U7AB' };

  it('is admitted to what says so, and to nothing else', async () => {
    const { ports } = aWorld('U1AB', 'U7AB');

    await expect(requireAdmin(ANA, ports)).rejects.toMatchObject({ code: 'auditor' });
    await expect(requireAdmin(ANA, ports, { isFresh: true, isForAll: true })).rejects.toMatchObject({
      code: 'auditor',
    });
    await expect(requireAdmin(ANA, ports, { forAuditors: true })).resolves.toBe('auditor');
  });

  it('who is an administrator as well is one', async () => {
    const { ports } = aWorld('U7AB', 'U7AB');

    await expect(requireAdmin(ANA, ports)).resolves.toBe('admin');
  });

  it('approves nothing', async () => {
    const { ports } = aWorld('U1AB', 'U7AB');

    await expect(requireOtherAdmin({ by: { ...KIM, user: 'U1AB' }, user: 'U7AB' }, ports)).rejects.toMatchObject({
      code: 'not_admin',
    });
  });

  it('of one team is none for the whole organisation', async () => {
    const { ports } = aWorld('U1AB', 'T1AB:U7AB');

    await expect(requireAdmin(ANA, ports, { forAuditors: true, isForAll: true })).rejects.toMatchObject({
      code: 'not_admin',
    });
  });

  it('has a session that writes nothing', async () => {
    const { ports } = aWorld('U1AB', 'U7AB');
    const write = sinon.spy(async () => undefined);
    const session = { putThreshold: write, updateAllocation: write, findAgents: async () => ({ rows: [] }) };
    const admitting = {
      ...ports,
      findInstallation: async () => ({ team: 'T1AB', workspace: 'T1AB' }),
      openSession: async () => session,
    };
    const body = { team: { id: 'T1AB' }, user: { id: 'U7AB' } };
    const { openSession } = await admit({ body, user: 'U7AB' }, admitting as never, { forAuditors: true });
    const opened = await openSession();

    await expect(opened.putThreshold({} as never)).rejects.toMatchObject({ code: 'auditor' });
    await expect(opened.updateAllocation({} as never)).rejects.toMatchObject({ code: 'auditor' });
    await expect(opened.findAgents()).resolves.toEqual({ rows: [] });
    expect(write.callCount).toBe(0);
  });
});
