import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { german } from '../../src/languages/german.ts';
import { UnknownWorkspaceError } from '../../src/slack/installation.ts';
import { createPeople } from '../../src/slack/people.ts';
import { textsFor } from '../../src/slack/texts-for.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { INSTALLATION } from './an-installation.ts';

/** Whoever asks reads English. */
const call = (async (_method: string, _token: string, { user }: { user: string }) => ({
  ok: true,
  user: { id: user, team_id: 'T1', locale: 'en-US' },
})) as unknown as CallSlack;

const never = () => new Promise<never>(() => undefined);

/** German is the default language. */
function toPorts({ findInstallation = async () => INSTALLATION, slack = call } = {}) {
  return { people: createPeople(slack, findInstallation, 'de'), findInstallation };
}

describe('the texts for somebody', () => {
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
