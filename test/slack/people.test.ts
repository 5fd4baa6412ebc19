import { describe, expect, it } from 'vitest';
import { createPeople } from '../../src/slack/people.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { INSTALLATION } from './an-installation.ts';

/** Slack answers when the test says so, with what Ana is at that moment: `answer[0]` is of the first call. */
function aWorld() {
  const ana = { id: 'U1', team_id: 'T1', is_admin: true };
  const answers: (() => void)[] = [];
  const call = (() => {
    const user = { ...ana };
    return new Promise((resolve) => answers.push(() => resolve({ ok: true, user })));
  }) as unknown as CallSlack;
  const people = createPeople(call, async () => INSTALLATION);
  const isAdmin = async (isFresh?: boolean) => {
    const profile = await people.profile('T1', 'U1', isFresh === undefined ? undefined : { isFresh });
    return profile.isWorkspaceAdmin;
  };
  const asked = async (count: number) => {
    while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { ana, answers, people, isAdmin, asked };
}

describe('somebody', () => {
  it.each([
    ['who has left is told from others by Slack’s mark alone', { deleted: true }, { hasLeft: true, isMember: false }],
    ['has the team that they are in', {}, { hasLeft: false, isMember: true, homeTeam: 'T1' }],
  ])('%s', async (_, marks, profile) => {
    const call = async () => ({ ok: true, user: { id: 'U1', team_id: 'T1', ...marks } });
    const people = createPeople(call as unknown as CallSlack, async () => INSTALLATION);

    expect(await people.profile('T1', 'U1')).toMatchObject(profile);
  });
});

describe('the language that somebody reads', () => {
  it.each([
    ['de-DE', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', 'de'],
    [undefined, 'de'],
  ])('with the locale %s in Slack is %s, where German is the default', async (locale, language) => {
    const call = async () => ({ ok: true, user: { id: 'U1', team_id: 'T1', locale } });
    const people = createPeople(call as unknown as CallSlack, async () => INSTALLATION, 'de');

    expect(await people.language('T1', 'U1')).toBe(language);
  });

  it('is the default where Slack cannot be asked', async () => {
    const call = () => Promise.reject(new Error('down'));
    const people = createPeople(call as unknown as CallSlack, async () => INSTALLATION);

    expect(await people.languageSoon('T1', 'U1')).toBe('en');
  });
});

describe('what is remembered of somebody', () => {
  it('saves Slack a call, but not where it has to be fresh', async () => {
    const { ana, answers, isAdmin, asked } = aWorld();
    const first = isAdmin();
    await asked(1);
    answers[0]?.();
    await first;
    ana.is_admin = false;

    const remembered = await isAdmin();
    const fresh = isAdmin(true);
    await asked(2);
    answers[1]?.();

    expect([await first, remembered, await fresh, await isAdmin()]).toEqual([true, true, false, false]);
    expect(answers).toHaveLength(2);
  });

  it('is not what was being read when it changed', async () => {
    const { ana, answers, people, isAdmin, asked } = aWorld();
    const reading = isAdmin();
    await asked(1);
    ana.is_admin = false;
    people.forget('T1', 'U1');

    const joined = isAdmin();
    await asked(2);
    answers[1]?.();
    const now = await joined;
    answers[0]?.();
    await reading;

    expect([now, await isAdmin()]).toEqual([false, false]);
    expect(answers).toHaveLength(2);
  });
});
