// What the app asks Slack about people, and remembers.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { german } from '../../src/languages/german.ts';
import { createChannels } from '../../src/slack/channels.ts';

import { UnknownWorkspaceError } from '../../src/slack/installation.ts';
import { createDescribePerson, createPeople } from '../../src/slack/people.ts';
import { textsFor } from '../../src/slack/request-source.ts';
import { createGroups } from '../../src/slack/user-groups.ts';
import { SlackRefusedError } from '../../src/slack/web/slack-errors.ts';
import { aSlack, findInstallation } from './a-slack.ts';

const ANA = { id: 'U1', team_id: 'T1', name: 'ana', real_name: 'Ana Alvarez', is_admin: true };

const never = () => new Promise<never>(() => undefined);
const fail = () => Promise.reject(new UnknownWorkspaceError('T1'));

/** Slack where everybody is this user. */
const peopleOf = (user: object, defaultLanguage?: 'de') =>
  createPeople(aSlack(() => ({ user: { ...ANA, ...user } })).call, findInstallation, defaultLanguage);

describe('somebody', () => {
  it.each([
    ['who has left is told from others by Slack’s mark alone', { deleted: true }, { hasLeft: true, isMember: false }],
    ['has the team that they are in', {}, { hasLeft: false, isMember: true, homeTeam: 'T1' }],
  ])('%s', async (_, marks, profile) => {
    expect(await peopleOf(marks).profile('T1', 'U1')).toMatchObject(profile);
  });

  it.each([
    ['de-DE', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'de'],
    [undefined, 'de'],
  ])('with the locale %s in Slack reads %s, where German is the default', async (locale, language) => {
    expect(await peopleOf({ locale }, 'de').language('T1', 'U1')).toBe(language);
  });

  it.each([
    ['the workspace is not known', aSlack(() => ({ user: ANA })).call, fail],
    ['the store is slow', aSlack(() => ({ user: ANA })).call, never],
    ['Slack is slow', aSlack(never).call, findInstallation],
    ['Slack cannot be asked', aSlack(() => Promise.reject(new Error('down'))).call, findInstallation],
  ])('gets the texts of the default language in time where %s', async (_, call, find) => {
    const ports = { people: createPeople(call, find, 'de'), findInstallation: find };
    const texts = textsFor({ command: '/assistant', team_id: 'T1', user_id: 'U1' }, ports, 50);

    expect(await Promise.race([texts, sleep(900, 'a timer set at the same moment')])).toBe(german);
  });

  it.each([
    ['with the workspace, whose name is asked for once', () => ({ team: 'Acme', user: ANA }), ' in Acme', 1],
    ['without it where Slack does not tell it', () => ({ user: ANA }), '', 2],
    ['without it where Slack refuses', (method: string) => (method === 'auth.test' ? fail() : { user: ANA }), '', 2],
  ])('is named on a page %s', async (_, answer, where, asked) => {
    const { call, methods } = aSlack(answer);
    const describePerson = createDescribePerson({
      call,
      people: createPeople(call, findInstallation),
    });

    for (let time = 0; time < 2; time += 1) {
      expect(await describePerson({ user: 'U1' }, 'T1', english)).toBe(`Ana Alvarez (@ana)${where}`);
    }

    expect(methods().filter((method) => method === 'auth.test')).toHaveLength(asked);
  });
});

describe('a channel', () => {
  it.each([
    [{ is_ext_shared: true }, true],
    [{ is_pending_ext_shared: true }, true],
    [{ is_shared: true }, true],
    [{ is_shared: true, is_org_shared: true }, false],
    [{}, false],
  ])('of which Slack says %j is read by other organisations: %s', async (channel, isShared) => {
    const { look } = createChannels(aSlack(() => ({ channel })).call);

    expect(await look('T1', 'C1')).toMatchObject({ isShared });
  });

  it.each([
    [true, undefined],
    [false, 'plans'],
  ])('is named only where everybody may read it (private: %s)', async (is_private, name) => {
    const { look } = createChannels(aSlack(() => ({ channel: { is_private, name: 'plans' } })).call);

    expect((await look('T1', 'C1')).name).toBe(name);
  });

  it('is looked at again until the app is a member, who may be invited at once', async () => {
    const channel = { is_member: false };
    const { call, methods } = aSlack(() => ({ channel: { ...channel } }));
    const { look } = createChannels(call);
    await look('T1', 'C1');
    channel.is_member = true;

    expect(await look('T1', 'C1')).toMatchObject({ isMember: true });
    await look('T1', 'C1');

    expect(methods()).toHaveLength(2);
  });
});

describe('what is remembered', () => {
  it('of the handles of groups saves Slack a call, also that there are none to see', async () => {
    const group = { id: 'S1', handle: 'design' };
    const seeing = aSlack(() => ({ usergroups: [group, { id: 'S2' }] }));
    const blind = aSlack(() => {
      throw new SlackRefusedError('usergroups.list', 'missing_scope');
    });
    const look = async ({ call }: typeof seeing) => {
      const { handles } = createGroups(call);
      await handles({ workspace: 'T1' });
      return [...(await handles({ workspace: 'T1' }))];
    };

    expect(await look(seeing)).toEqual([['S1', 'design']]);
    expect(await look(blind)).toEqual([]);
    expect([seeing.methods(), blind.methods()]).toEqual([['usergroups.list'], ['usergroups.list']]);
  });

  it('of somebody, and of a group, saves Slack a call, but not where it has to be fresh', async () => {
    const now = { user: { ...ANA }, users: ['U1', 'U2'] };
    const { call, methods } = aSlack(() => structuredClone(now));
    const people = createPeople(call, findInstallation);
    const { members: readGroup } = createGroups(call);
    const look = async (options?: { isFresh: boolean }) => [
      (await people.profile('T1', 'U1', options)).isWorkspaceAdmin,
      (await readGroup({ workspace: 'T1' }, 'S1', options)).length,
    ];

    const first = await look();
    Object.assign(now, { user: { ...ANA, is_admin: false }, users: ['U1'] });
    const [remembered, fresh] = [await look(), await look({ isFresh: true })];

    expect([first, remembered, fresh, await look()]).toEqual([
      [true, 2],
      [true, 2],
      [false, 1],
      [false, 1],
    ]);
    expect(methods()).toHaveLength(4);
  });

  it('of somebody stays as a hint where Slack cannot be asked for it anew', async () => {
    let isDown = false;
    const { call } = aSlack(() => (isDown ? fail() : { user: { ...ANA, tz: 'Europe/Berlin', locale: 'de-DE' } }));
    const people = createPeople(call, findInstallation);
    await people.profile('T1', 'U1');
    isDown = true;

    await expect(people.profile('T1', 'U1', { isFresh: true })).rejects.toThrow();

    expect([await people.timeZone('T1', 'U1'), await people.language('T1', 'U1')]).toEqual(['Europe/Berlin', 'de']);
    await expect(people.profile('T1', 'U1')).rejects.toThrow();
    expect(people.known('T1', 'U1')).toBe(undefined);
  });

  it.each([
    ['was being read when it changed', false],
    ['was being read when it was asked for anew', true],
  ])('of somebody is not what %s', async (_, isAskedAnew) => {
    const user = { ...ANA };
    const answers: (() => void)[] = [];
    const { call } = aSlack(() => {
      const read = { user: { ...user } };
      return new Promise((resolve) => answers.push(() => resolve(read)));
    });
    const people = createPeople(call, findInstallation);
    const isAdmin = async (isFresh = false) => (await people.profile('T1', 'U1', { isFresh })).isWorkspaceAdmin;
    const asked = async (count: number) => {
      while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const reading = isAdmin();
    await asked(1);
    user.is_admin = false;
    if (!isAskedAnew) people.forget('T1', 'U1');

    const joined = isAdmin(isAskedAnew);
    await asked(2);
    answers[1]?.();
    const now = await joined;
    answers[0]?.();
    await reading;

    expect([now, await isAdmin()]).toEqual([false, false]);
    expect(answers).toHaveLength(2);
  });
});
