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

const put = (workspace: string, team = workspace, token = `xoxb-${workspace}`) =>
  store.put(
    sealInstallation(
      vault,
      {
        workspace,
        team,
        isOrganisation: workspace === team && team.startsWith('E'),
        botId: 'B1',
        botUserId: 'U1',
        installedBy: 'U2',
        installedAt: 1,
      },
      token,
    ),
  );

const createFinder = (allowed: string[]) =>
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
    noteToken: () => undefined,
    now: () => now,
  });

describe('an installation', () => {
  it('is found with its token, which is stored for this workspace alone', async () => {
    await put('T1');
    const { find } = createFinder(['T1', 'T2']);

    expect(await find('T1')).toEqual({
      workspace: 'T1',
      team: 'T1',
      botToken: 'xoxb-T1',
      botId: 'B1',
      botUserId: 'U1',
    });

    const moved = await store.get('T1');
    if (moved) await store.put({ ...moved, workspace: 'T2' });
    expect(JSON.stringify(rows('installation'))).not.toContain('xoxb-');
    await expect(find('T2')).rejects.toMatchObject({ code: 'token_tampered' });
  });

  it('is not found where nobody installed the app', async () => {
    await put('T1');
    const { find } = createFinder(['T1', 'T2']);

    await expect(find('T2')).rejects.toMatchObject({ code: 'unknown_workspace' });
    await expect(find('T2', 'E1')).rejects.toMatchObject({ code: 'unknown_workspace' });
    await expect(find('')).rejects.toMatchObject({ code: 'unknown_workspace' });
  });

  it('of the organisation serves its teams, and one of their own comes first', async () => {
    await put('E1');
    await put('T1', 'E1');
    const { find } = createFinder(['E1']);

    expect(await find('T1', 'E1')).toMatchObject({ workspace: 'T1', team: 'E1' });
    expect(await find('T2', 'E1')).toMatchObject({ workspace: 'E1', team: 'E1', botToken: 'xoxb-E1' });
    expect(await find('E1')).toMatchObject({ workspace: 'E1' });
  });

  it('of one team serves no other team of the organisation', async () => {
    await put('T1', 'E1');
    const { find } = createFinder(['E1']);

    await expect(find('T2', 'E1')).rejects.toMatchObject({ code: 'unknown_workspace' });
  });

  it.each([
    ['neither is', ['T9'], false],
    ['it is', ['T1'], true],
    ['its organisation is', ['E1'], true],
  ])('is served where it or its organisation is allowed: %s (%s)', async (_, allowed, isServed) => {
    await put('T1', 'E1');

    const found = createFinder(allowed)
      .find('T1')
      .then(
        () => true,
        () => false,
      );

    expect(await found).toBe(isServed);
  });

  it('is read once a minute, by however many at once', async () => {
    await put('T1');
    const { find } = createFinder(['T1']);

    await Promise.all([find('T1'), find('T1'), find('T1')]);
    now += MINUTE_MS - 1;
    await find('T1');
    expect(reads).toEqual(['T1']);

    now += 1;
    await find('T1');
    expect(reads).toEqual(['T1', 'T1']);
  });

  it('is read again at once after it was forgotten, also where there was none', async () => {
    const { find, forget } = createFinder(['T1']);
    await expect(find('T1')).rejects.toThrow();

    await put('T1', 'T1', 'xoxb-first');
    forget('T1');
    const first = await find('T1');
    await put('T1', 'T1', 'xoxb-second');
    forget('T1');
    const second = await find('T1');

    expect([first.botToken, second.botToken]).toEqual(['xoxb-first', 'xoxb-second']);
  });

  it('that changes while it is read is not remembered as it was', async () => {
    await put('T1', 'T1', 'xoxb-old');
    const { find, forget } = createFinder(['T1']);
    const reading = find('T1');

    forget('T1');
    await reading;
    await put('T1', 'T1', 'xoxb-new');

    expect((await find('T1')).botToken).toBe('xoxb-new');
  });

  it('that was read before counts while the store is not there; else that is said', async () => {
    await put('T1');
    const { find } = createFinder(['T1', 'T2']);
    await find('T1');
    now += MINUTE_MS;
    fail = new StoreUnavailableError('gone');

    expect(await find('T1')).toMatchObject({ workspace: 'T1' });
    await expect(find('T2')).rejects.toBe(fail);

    fail = undefined;
    await expect(find('T2')).rejects.toMatchObject({ code: 'unknown_workspace' });
  });
});
