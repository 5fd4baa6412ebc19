import { describe, expect, it } from 'vitest';
import { english } from '../../src/languages/english.ts';
import { createDescribePerson } from '../../src/slack/describe-person.ts';
import { UnknownWorkspaceError } from '../../src/slack/installation.ts';
import type { People } from '../../src/slack/people.ts';
import type { CallSlack } from '../../src/slack/web/methods.ts';
import { INSTALLATION } from './an-installation.ts';
import { only } from './only.ts';

const PROFILE = { hasLeft: false, isMember: true, isWorkspaceAdmin: false, name: 'Ana Alvarez', handle: 'ana' };

/** Slack with this answer to auth.test, which counts the calls. */
function start(answer: () => object) {
  const calls: string[] = [];
  const call = (async (method: string) => {
    calls.push(method);
    return answer();
  }) as unknown as CallSlack;
  const people = only<People>({ profile: async () => PROFILE });
  return { calls, describePerson: createDescribePerson({ people, call, findInstallation: async () => INSTALLATION }) };
}

describe('a person on a page', () => {
  it('is named with handle and workspace, whose name is asked for once', async () => {
    const { describePerson, calls } = start(() => ({ ok: true, team: 'Acme' }));

    const both = [
      await describePerson({ user: 'U1' }, 'T1', english),
      await describePerson({ user: 'U1' }, 'T1', english),
    ];

    expect(both).toEqual(['Ana Alvarez (@ana) in Acme', 'Ana Alvarez (@ana) in Acme']);
    expect(calls).toEqual(['auth.test']);
  });

  it('is named without the workspace where Slack does not tell it', async () => {
    const refused = start(() => {
      throw new UnknownWorkspaceError('T1');
    });

    expect(await refused.describePerson({ user: 'U1' }, 'T1', english)).toBe('Ana Alvarez (@ana)');
    expect(await start(() => ({ ok: true })).describePerson({ user: 'U1' }, 'T1', english)).toBe('Ana Alvarez (@ana)');
  });
});
