// The records of people and of workspaces that are kept as documents, and what becomes of them.
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetOld } from '../../src/backend/store.ts';
import { type AccountLink, eachLink } from '../../src/identity/account-link.ts';
import { anEntry } from '../audit/samples.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { anAddition } from '../usage/an-addition.ts';
import { aLink } from './a-link.ts';
import { anInstallation } from './an-installation.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const DAY_MS = 24 * 3_600_000;

let store: MemoryStore;
let time: number;

beforeEach(() => {
  time = 1_000_000;
  store = createMemoryStore(() => time);
});

const save = (change: Partial<AccountLink>) => store.links.save(aLink(change), 0);

async function listAll(): Promise<AccountLink[]> {
  const found: AccountLink[] = [];
  for await (const link of eachLink(store.links)) found.push(link);
  return found;
}

describe('a link', () => {
  const read = async () => (await store.links.get(aLink())) ?? aLink();

  it('is written, and deleted as it was read, only over the version that was read', async () => {
    expect(await save({ accountName: 'first' })).toBe(true);
    expect(await save({ accountName: 'late' })).toBe(false);
    const first = await read();
    expect(await store.links.save(aLink({ accountName: 'next' }), first.version)).toBe(true);

    expect(await store.links.deleteUnchanged(first)).toBe(false);
    expect(await read()).toMatchObject({ accountName: 'next' });
    expect(await store.links.deleteUnchanged(await read())).toBe(true);
    expect(await store.links.get(aLink())).toBeUndefined();
    expect(await listAll()).toEqual([]);
  });
});

it('all links are listed page by page to the end, though some are deleted meanwhile', async () => {
  await Promise.all(
    Array.from({ length: 250 }, (_, index) => save({ user: `U${index}`, team: 'T1', workspace: 'T1' })),
  );
  await save({ user: 'ULAST', team: 'T2', workspace: 'T2' });
  expect(new Set((await listAll()).map(({ user }) => user)).size).toBe(251);
  const { next } = await store.links.list();

  await store.purge('T1');

  const rest = next === undefined ? [] : (await store.links.list(next)).links;
  expect(rest.map(({ user }) => user)).toEqual(['ULAST']);
});

describe('links that nobody uses', () => {
  async function forget(linkDays = 90): Promise<string[]> {
    const forgotten: string[] = [];
    const onForgotten = async ({ user }: AccountLink) => void forgotten.push(user);
    await forgetOld(store, time, { days: 180, linkDays, onForgotten });
    return forgotten;
  }

  it.each(['usedAt', 'linkedAt'] as const)('are deleted so many days after %s, and younger ones kept', async (last) => {
    await save({ user: 'UOLD', [last]: time });
    await save({ user: 'UNEW', [last]: time + 2 * DAY_MS });

    time += 90 * DAY_MS;
    expect(await forget()).toEqual([]);
    time += DAY_MS;

    expect(await forget()).toEqual(['UOLD']);
    expect((await listAll()).map(({ user }) => user)).toEqual(['UNEW']);
  });

  it('are kept with 0', async () => {
    await save({ usedAt: 1 });
    time += 5_000 * DAY_MS;

    expect(await forget(0)).toEqual([]);
  });

  it('are looked for once a day, however many replicas there are', async () => {
    time += 500 * DAY_MS;
    await save({ user: 'UONE', usedAt: 1 });
    expect(await forget()).toEqual(['UONE']);
    await save({ user: 'UTWO', usedAt: 1 });

    expect(await forget()).toEqual([]);
  });

  it('are looked for again at once where the clock is set back', async () => {
    time += 600 * DAY_MS;
    await save({ user: 'UONE', usedAt: 1 });
    await forget();
    await save({ user: 'UTWO', usedAt: 1 });

    time -= 50 * DAY_MS;

    expect(await forget()).toEqual(['UTWO']);
  });
});

describe('installations', () => {
  it('are replaced only while they are the one that is meant, and read as they were put', async () => {
    const rotation = { sealedRefreshToken: 'sealed, too', expiresAt: 5 };
    await store.installations.put(anInstallation({ installedAt: 2 }));

    expect(await store.installations.replace(anInstallation({ installedAt: 1, rotation }), 'sealed')).toBe(false);
    expect(await store.installations.replace(anInstallation({ workspace: 'T9', installedAt: 2 }), 'sealed')).toBe(
      false,
    );
    expect(await store.installations.replace(anInstallation({ installedAt: 2, rotation }), 'another')).toBe(false);
    expect(await store.installations.get('T1')).toEqual(anInstallation({ installedAt: 2 }));
    expect(await store.installations.replace(anInstallation({ installedAt: 2, rotation }), 'sealed')).toBe(true);
    expect(await store.installations.get('T1')).toEqual(anInstallation({ installedAt: 2, rotation }));
    expect(await store.installations.list()).toEqual(['T1']);
  });
});

// Of turns and threads: turns.test.ts.
describe('a purge', () => {
  it('removes links and counts, and nothing of another workspace', async () => {
    for (const team of ['T1', 'T2']) {
      await store.links.save(aLink({ team, workspace: team }), 0);
      await store.usage.add({ ...anAddition(1, { questions: 1 }, { questions: ['ana'] }), workspace: team });
      const cap = { scope: 'channel', most: 9, day: { day: '2026-11-23', endsAt: time + 60_000 } } as const;
      await store.caps.count(`${team}:${aTurn().id}`, [
        { ...cap, question: aQuestion({ workspace: team, asker: { team, user: 'UANA' } }) },
      ]);
    }

    // The link, the count, the mark of a person, a question that counted for a cap, and how many did.
    expect(await store.purge('T1')).toBe(5);

    expect(await store.links.get(aLink())).toBeUndefined();
    expect(await store.usage.read('T1', 0)).toEqual({ counts: {}, people: {}, firstDay: undefined });
    expect(await store.links.get(aLink({ team: 'T2' }))).toBeDefined();
    expect(await store.usage.read('T2', 0)).toMatchObject({ people: { questions: 1 } });
    expect(await store.purge('T1')).toBe(0);
  });

  it('leaves the audit log and the installation', async () => {
    await store.installations.put(anInstallation());
    await store.audit.append(anEntry({ workspace: 'T1' }));

    await store.purge('T1');

    expect(await store.installations.get('T1')).toBeDefined();
    expect(await store.audit.list({ limit: 10 })).toHaveLength(1);
  });

  it('removes who was greeted, who opened the home tab, and whose report is the latest, in no other workspace', async () => {
    const keys = (team: string) => [`greeted:${team}:UANA`, `home:${team}:UANA`, `report-latest:${team}:UANA`];
    const others = [...keys('T2'), ...keys('T11'), 'other:T1:UANA'];
    for (const key of [...keys('T1'), ...others]) await store.once.put(key, 'yes', time + 60_000);

    expect(await store.purge('T1')).toBe(3);

    for (const key of keys('T1')) expect(await store.once.peek(key)).toBeUndefined();
    for (const key of others) expect(await store.once.peek(key)).toBe('yes');
  });

  it('finds a link where it was moved to', async () => {
    await store.links.save(aLink({ team: 'E1', workspace: 'T1' }), 0);
    const { version = 0 } = (await store.links.get(aLink({ team: 'E1' }))) ?? {};
    await store.links.save(aLink({ team: 'E1', workspace: 'T2' }), version);

    expect(await store.purge('T1')).toBe(0);
    expect(await store.purge('T2')).toBe(1);
  });
});
