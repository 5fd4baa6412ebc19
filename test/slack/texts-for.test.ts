import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { german } from '../../src/languages/german.ts';
import { UnknownWorkspaceError } from '../../src/slack/installation.ts';
import { createPeople } from '../../src/slack/people.ts';
import { textsFor } from '../../src/slack/texts-for.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { INSTALLATION } from './an-installation.ts';

const LOCALES: Record<string, string> = { UBEN: 'de-DE', UANA: 'en-US' };

const call = (async (_method: string, _token: string, { user }: { user: string }) => ({
  ok: true,
  user: { id: user, team_id: 'T1', locale: LOCALES[user] },
})) as unknown as CallSlack;

const never = () => new Promise<never>(() => undefined);

/** German is the default language. */
function toPorts({ findInstallation = async () => INSTALLATION, slack = call } = {}) {
  return { people: createPeople(slack, findInstallation, 'de'), findInstallation };
}

describe('the texts for somebody', () => {
  it.each([
    ['who clicked', { team: { id: 'T1' }, user: { id: 'UANA' } }],
    ['who gave a command', { command: '/assistant', team_id: 'T1', user_id: 'UANA' }],
  ])('%s are in their language', async (_who, body) => {
    expect(await textsFor(body, toPorts())).toBe(english);
    expect(await textsFor(JSON.parse(JSON.stringify(body).replace('UANA', 'UBEN')), toPorts())).toBe(german);
  });

  const body = { command: '/assistant', team_id: 'T1', user_id: 'UANA' };

  it('are in the default language where the workspace is not known', async () => {
    const findInstallation = async () => {
      throw new UnknownWorkspaceError('T1');
    };

    expect(await textsFor(body, toPorts({ findInstallation }))).toBe(german);
  });

  it.each([
    ['the store', { findInstallation: never }],
    ['Slack', { slack: never as unknown as CallSlack }],
  ])('are there in time, in the default language, where %s is slow', async (_what, slow) => {
    const first = await Promise.race([textsFor(body, toPorts(slow), 50), sleep(900, 'a timer set at the same moment')]);

    expect(first).toBe(german);
  });
});
