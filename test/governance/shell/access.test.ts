import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import {
  type AccessPorts,
  type AdminCheck,
  AdminCheckFailedError,
  admit,
  requireAdmin,
  requireOtherAdmin,
} from '../../../src/governance/shell/access.ts';
import { type Caller, parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';

/** In a workspace that has the app to itself. */
const ANA: Caller = { team: 'T1AB', workspace: 'T1AB', user: 'U1AB' };
/** In a team of an organisation that has the app as a whole. */
const KIM: Caller = { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T1AB', user: 'U1AB' };

/** U1AB and U2AB are in S99, and U1AB is an admin of its workspace. */
function aWorld(rules: string, auditors = '') {
  const lookups = {
    groupMembers: sinon.spy(async (_caller: Caller, group: string) => (group === 'S99' ? ['U1AB', 'U2AB'] : [])),
    isWorkspaceAdmin: sinon.spy(async (_workspace: string, user: string) => user === 'U1AB'),
  };
  const spend = sinon.spy(async () => undefined);
  const ports = {
    ...{ rules: parseAdminRules(rules).rules, auditors: parseAdminRules(auditors).rules, lookups },
    ...{ allowance: { spend }, log: { info: () => undefined } },
    homeTeam: async ({ user }: { user: string }) => (user === 'U2AB' ? 'T2AB' : 'T1AB'),
  } as unknown as AccessPorts;
  return { ports, lookups, spend };
}

describe('ADMIN_USERS', () => {
  it('names users, groups and workspace admins, each perhaps of one team', () => {
    const { rules, problems } = parseAdminRules(' U012AB, W012AB ,T1AB:S012AB,E1AB:workspace-admins,,workspace-admins');

    expect(problems).toEqual([]);
    expect(rules).toEqual([
      { kind: 'user', user: 'U012AB' },
      { kind: 'user', user: 'W012AB' },
      { team: 'T1AB', kind: 'group', group: 'S012AB' },
      { team: 'E1AB', kind: 'workspace_admins' },
      { kind: 'workspace_admins' },
    ]);
  });

  it.each(['ana', '@ana', 'u012ab', 'T1AB', 'X1:U012AB', 'T1AB:T2AB:U012AB', ':U012AB', 'T1AB:', 'admins'])(
    'gets a sentence for "%s", and no rule',
    (entry) => {
      const { rules, problems } = parseAdminRules(`U012AB,${entry}`);

      expect(rules).toHaveLength(1);
      expect(problems).toEqual([expect.stringMatching(/^entry 2: /)]);
    },
  );
});

describe('whether somebody is an admin', () => {
  const FOR_ALL: AdminCheck = { isForAll: true };
  const READING: AdminCheck = { forAuditors: true };
  const LEE = { ...ANA, user: 'U7AB' };

  it.each<[string, string, Caller, AdminCheck, string]>([
    ['', '', ANA, {}, 'not_admin'],
    ['U1AB', '', ANA, {}, 'admin'],
    ['U2AB', '', ANA, {}, 'not_admin'],
    ['S99', '', ANA, {}, 'admin'],
    ['S98', '', ANA, {}, 'not_admin'],
    ['workspace-admins', '', ANA, {}, 'admin'],
    ['workspace-admins', '', { ...ANA, user: 'U2AB' }, {}, 'not_admin'],
    ['T1AB:U1AB', '', ANA, {}, 'admin'],
    ['T2AB:U1AB', '', ANA, {}, 'not_admin'],
    ['T2AB:workspace-admins', '', ANA, {}, 'not_admin'],
    ['T1AB:workspace-admins', '', KIM, {}, 'admin'],
    ['T2AB:workspace-admins', '', KIM, {}, 'not_admin'],
    // For a whole organisation: by a rule without a team, or of the organisation, and not by one for one of its teams.
    ['U1AB', '', KIM, FOR_ALL, 'admin'],
    ['E1AB:U1AB', '', KIM, FOR_ALL, 'admin'],
    ['S99', '', KIM, FOR_ALL, 'admin'],
    ['E1AB:S99', '', KIM, FOR_ALL, 'admin'],
    ['T1AB:U1AB,E1AB:U1AB', '', KIM, FOR_ALL, 'admin'],
    ['T1AB:U1AB', '', KIM, FOR_ALL, 'not_admin_of_all'],
    ['T1AB:S99', '', KIM, FOR_ALL, 'not_admin_of_all'],
    ['T1AB:workspace-admins', '', KIM, FOR_ALL, 'not_admin_of_all'],
    ['T1AB:U2AB', '', KIM, FOR_ALL, 'not_admin'],
    // The team that has installed the app itself.
    ['T1AB:U1AB', '', { team: 'E1AB', workspace: 'T1AB', user: 'U1AB' }, FOR_ALL, 'admin'],
    // An auditor is admitted to what says so, and to nothing else.
    ['U1AB', 'U7AB', LEE, {}, 'auditor refused'],
    ['U1AB', 'U7AB', LEE, { isFresh: true, isForAll: true }, 'auditor refused'],
    ['U1AB', 'U7AB', LEE, READING, 'auditor'],
    ['U7AB', 'U7AB', LEE, {}, 'admin'],
    ['U1AB', 'T1AB:U7AB', { ...KIM, user: 'U7AB' }, { ...READING, ...FOR_ALL }, 'not_admin'],
  ])('with ADMIN_USERS=%s AUDIT_USERS=%s, %o for %o: %s', async (rules, auditors, caller, check, expected) => {
    const asked = requireAdmin(caller, aWorld(rules, auditors).ports, check);

    const found = await asked.catch(({ code }) => (code === 'auditor' ? 'auditor refused' : code));
    expect(found).toBe(expected);
  });

  it('is what is remembered for who looks, and asked at once for who changes something, in the own workspace', async () => {
    const { ports, lookups } = aWorld('S99,workspace-admins');
    const caller = { ...ANA, user: 'U3AB' };

    for (const check of [{}, { isFresh: true }, { isCounted: false }]) {
      await expect(requireAdmin(caller, ports, check)).rejects.toMatchObject({ code: 'not_admin' });
    }

    const options = [{ isFresh: false }, { isFresh: true }, { isFresh: true }];
    expect(lookups.groupMembers.args).toEqual(options.map((one) => [caller, 'S99', one]));
    expect(lookups.isWorkspaceAdmin.args).toEqual(options.map((one) => ['T1AB', 'U3AB', one]));
  });

  it('is not asked of Slack where a rule names the person', async () => {
    const { ports, lookups } = aWorld('S99,workspace-admins,U1AB');

    await requireAdmin(ANA, ports);

    expect(lookups.groupMembers.called || lookups.isWorkspaceAdmin.called).toBe(false);
  });

  it('is not known where a rule cannot be checked and no other admits', async () => {
    const { ports } = aWorld('S99,workspace-admins');
    const groupMembers = () => Promise.reject(new Error('slack is down'));
    const broken = { ...ports, lookups: { ...ports.lookups, groupMembers } };

    await expect(requireAdmin(ANA, broken)).resolves.toBe('admin');
    await expect(requireAdmin({ ...ANA, user: 'U3AB' }, broken)).rejects.toThrow(AdminCheckFailedError);
  });
});

describe('whether an approver is an admin', () => {
  it('is asked freshly, uncounted, and in the team that they are in themselves', async () => {
    const { ports, lookups, spend } = aWorld('T2AB:S99', 'U7AB');

    await requireOtherAdmin({ by: KIM, user: 'U2AB' }, ports);

    expect(lookups.groupMembers.firstCall.args).toEqual([
      { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T2AB', user: 'U2AB' },
      'S99',
      { isFresh: true },
    ]);
    expect(spend.callCount).toBe(0);
    for (const user of ['U3AB', 'U7AB']) {
      await expect(requireOtherAdmin({ by: KIM, user }, ports)).rejects.toMatchObject({ code: 'not_admin' });
    }
  });

  it('is not known where Slack does not answer in time for the form', async () => {
    const { ports } = aWorld('S99');
    const lookups = { ...ports.lookups, groupMembers: () => new Promise<never>(() => undefined) };

    await expect(requireOtherAdmin({ by: KIM, user: 'U2AB' }, { ...ports, lookups })).rejects.toThrow(
      AdminCheckFailedError,
    );
  });
});

it('an auditor has a session that writes nothing', async () => {
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
