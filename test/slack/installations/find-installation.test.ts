import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/errors.ts';
import { createTokenVault } from '../../../src/identity/token-vault.ts';
import type { InstallationStore } from '../../../src/slack/installation.ts';
import { createInstallationFinder, sealInstallation } from '../../../src/slack/installations/find-installation.ts';
import { createMemoryStore, type MemoryStore } from '../../storage/memory-store.ts';

const vault = createTokenVault([{ id: 'k1', key: randomBytes(32) }]);
const MINUTE_MS = 60_000;

let store: InstallationStore;
let rows: MemoryStore['rows'];
let reads: string[];
let now: number;
let fail: Error | undefined;

beforeEach(() => {
  ({ installations: store, rows } = createMemoryStore());
  reads = [];
  now = 1_000_000;
  fail = undefined;
});

function put(workspace: string, team = workspace, token = `xoxb-${workspace}`): Promise<void> {
  const isOrganisation = workspace === team && team.startsWith('E');
  const by = { botId: 'B1', botUserId: 'U1', installedBy: 'U2', installedAt: 1 };
  return store.put(sealInstallation(vault, { workspace, team, isOrganisation, ...by }, token));
}

const createFinder = (...allowed: string[]) =>
  createInstallationFinder({
    installations: {
      ...store,
      async get(workspace) {
        reads.push(workspace);
        if (fail) throw fail;
        return store.get(workspace);
      },
    },
    vault,
    allowed,
    refreshToken: async () => undefined,
    now: () => now,
  });

describe('an installation', () => {
  it('is found with its token, which is stored for this workspace alone', async () => {
    await put('T1');
    const { find } = createFinder('T1', 'T2');

    const ids = { workspace: 'T1', team: 'T1', botId: 'B1', botUserId: 'U1' };
    expect(await find('T1')).toEqual({ ...ids, botToken: 'xoxb-T1' });

    const moved = await store.get('T1');
    if (moved) await store.put({ ...moved, workspace: 'T2' });
    expect(JSON.stringify(rows('installation'))).not.toContain('xoxb-');
    await expect(find('T2')).rejects.toMatchObject({ code: 'token_tampered' });
  });

  /** Installed are an organisation and two of its teams, of which one has an installation of its own. */
  it.each([
    ['one of its own comes first', ['E1'], 'T1', 'E1', 'T1'],
    ['one of the organisation serves its teams', ['E1'], 'T2', 'E1', 'E1'],
    ['one of the organisation is found by its id', ['E1'], 'E1', undefined, 'E1'],
    ['a team is served where it is allowed', ['T1'], 'T1', undefined, 'T1'],
    ['a team is served where its organisation is allowed', ['E1'], 'T1', undefined, 'T1'],
    ['a team is not served where neither is allowed', ['T9'], 'T1', undefined, undefined],
    ['one of a team serves no other team of the organisation', ['E2'], 'T4', 'E2', undefined],
    ['nobody installed the app there', ['T1', 'T2'], 'T2', undefined, undefined],
    ['nobody installed the app in that organisation either', ['T1', 'T2'], 'T2', 'E9', undefined],
    ['nobody says where', ['T1'], '', undefined, undefined],
  ])('is looked for: %s', async (_, allowed, workspace, enterprise, found) => {
    for (const [id, team] of Object.entries({ E1: 'E1', T1: 'E1', T3: 'E2' })) await put(id, team);
    const finding = createFinder(...allowed).find(workspace, enterprise);

    if (found) expect(await finding).toMatchObject({ workspace: found, team: 'E1', botToken: `xoxb-${found}` });
    else await expect(finding).rejects.toMatchObject({ code: 'unknown_workspace' });
  });

  it('is read once a minute, by however many at once', async () => {
    await put('T1');
    const { find } = createFinder('T1');

    await Promise.all([find('T1'), find('T1'), find('T1')]);
    now += MINUTE_MS - 1;
    await find('T1');
    expect(reads).toEqual(['T1']);

    now += 1;
    await find('T1');
    expect(reads).toEqual(['T1', 'T1']);
  });

  it('is read again at once after it was forgotten, also where there was none, or while it was being read', async () => {
    const { find, forget } = createFinder('T1');
    await expect(find('T1')).rejects.toThrow();

    await put('T1', 'T1', 'xoxb-first');
    forget('T1');
    const first = await find('T1');
    forget('T1');
    const reading = find('T1');
    forget('T1');
    await reading;
    await put('T1', 'T1', 'xoxb-second');

    expect([first.botToken, (await find('T1')).botToken]).toEqual(['xoxb-first', 'xoxb-second']);
  });

  it('that was read before counts while the store is not there; else that is said', async () => {
    await put('T1');
    const { find } = createFinder('T1', 'T2');
    await find('T1');
    now += MINUTE_MS;
    fail = new StoreUnavailableError('gone');

    expect(await find('T1')).toMatchObject({ workspace: 'T1' });
    await expect(find('T2')).rejects.toBe(fail);

    fail = undefined;
    await expect(find('T2')).rejects.toMatchObject({ code: 'unknown_workspace' });
  });
});
