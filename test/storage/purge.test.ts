// What becomes of the records of a workspace; of its turns and threads: turns.test.ts.
import { beforeEach, describe, expect, it } from 'vitest';
import { anEntry } from '../audit/samples.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { anAddition } from '../usage/an-addition.ts';
import { aLink } from './a-link.ts';
import { anInstallation } from './an-installation.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

let store: MemoryStore;

beforeEach(() => {
  store = createMemoryStore();
});

describe('a purge', () => {
  it('removes links and counts, and nothing of another workspace', async () => {
    for (const team of ['T1', 'T2']) {
      await store.links.save(aLink({ team, workspace: team }), 0);
      await store.usage.add({ ...anAddition(1, { questions: 1 }, { questions: ['ana'] }), workspace: team });
      const cap = { scope: 'channel', most: 9, day: { day: '2026-11-23', endsAt: Date.now() + 60_000 } } as const;
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
    for (const key of [...keys('T1'), ...others]) await store.once.put(key, 'yes', Date.now() + 60_000);

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
