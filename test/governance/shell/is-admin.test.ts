import sinon from 'sinon';
import { describe, expect, it } from 'vitest';
import { type AdminLookups, type Caller, isAdmin, parseAdminRules } from '../../../src/governance/shell/admin-rules.ts';

const ANA = { team: 'E1', workspace: 'T1', user: 'U1' };

const lookups = () => ({
  groupMembers: sinon.spy(async (_caller: Caller, group: string) => (group === 'S99' ? ['U1', 'U2'] : [])),
  isWorkspaceAdmin: sinon.spy(async (_workspace: string, user: string) => user === 'U1'),
});

const check = (text: string, caller = ANA, asked: AdminLookups = lookups()) =>
  isAdmin(caller, parseAdminRules(text).rules, asked);

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

  it('admits nobody where it is empty', async () => {
    await expect(check('')).resolves.toBe(false);
  });
});

describe('isAdmin', () => {
  it.each([
    ['U1AB', { ...ANA, user: 'U1AB' }, true],
    ['U1AB', ANA, false],
    ['S99', ANA, true],
    ['S98', ANA, false],
    ['workspace-admins', ANA, true],
    ['workspace-admins', { ...ANA, user: 'U2' }, false],
    ['T1A:U1AB', { team: 'T1A', workspace: 'T1A', user: 'U1AB' }, true],
    ['T2A:U1AB', { team: 'T1A', workspace: 'T1A', user: 'U1AB' }, false],
    ['E1A:U1AB', { team: 'E1A', workspace: 'T1A', user: 'U1AB' }, true],
    ['T1A:U1AB', { team: 'E1A', workspace: 'T1A', user: 'U1AB' }, true],
    ['T2A:workspace-admins', ANA, false],
  ])('answers %s for %o with %s', async (text, caller, expected) => {
    await expect(check(text, caller)).resolves.toBe(expected);
  });

  it('asks Slack nothing where a rule names the person', async () => {
    const asked = lookups();

    await check('S99,workspace-admins,U1AB', { ...ANA, user: 'U1AB' }, asked);

    expect(asked.groupMembers.called || asked.isWorkspaceAdmin.called).toBe(false);
  });

  it('asks in the workspace of the caller', async () => {
    const asked = lookups();

    await check('S99', ANA, asked);

    expect(asked.groupMembers.firstCall.args).toEqual([ANA, 'S99', { isFresh: false }]);
  });

  it('admits by the team that somebody is in, where the app is installed for the organisation', async () => {
    const caller = { team: 'E1AB', workspace: 'E1AB', homeTeam: 'T1AB', user: 'U1' };

    expect(await check('T1AB:workspace-admins', caller)).toBe(true);
    expect(await check('T2AB:workspace-admins', caller)).toBe(false);
  });

  it('asks freshly where that is wanted', async () => {
    const asked = { groupMembers: sinon.spy(async () => []), isWorkspaceAdmin: sinon.spy(async () => false) };

    await isAdmin(ANA, parseAdminRules('S99,workspace-admins').rules, asked, { isFresh: true });

    const options = [asked.groupMembers, asked.isWorkspaceAdmin].map(({ firstCall }) => firstCall.lastArg);
    expect(options).toEqual([{ isFresh: true }, { isFresh: true }]);
  });

  const broken = async () => {
    throw new Error('slack is down');
  };

  it('admits by another rule where one cannot be checked', async () => {
    await expect(check('S99,workspace-admins', ANA, { ...lookups(), groupMembers: broken })).resolves.toBe(true);
  });

  it('throws rather than refuses where a rule cannot be checked and no other admits', async () => {
    const asked = { ...lookups(), groupMembers: broken };

    await expect(check('S99,workspace-admins', { ...ANA, user: 'U3' }, asked)).rejects.toThrow('slack is down');
  });
});
