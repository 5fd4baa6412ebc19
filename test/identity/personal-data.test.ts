import { beforeEach, describe, expect, it } from 'vitest';
import { createPersonalData, exportKept, type PersonalData } from '../../src/identity/personal-data.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aSchedule, createScheduling } from '../delivery/schedule-world.ts';
import { aLink } from '../storage/a-link.ts';
import { changeThreads, engage } from '../storage/change-thread.ts';
import { createMemoryStore, type MemoryStore } from '../storage/memory-store.ts';

const ANA = { team: 'T1', user: 'UANA' };

let store: MemoryStore;
let data: PersonalData;
/** Called while questions end: the lanes go on meanwhile. */
let onWait: () => Promise<void>;
let forgotten: object[];

beforeEach(() => {
  store = createMemoryStore();
  forgotten = [];
  onWait = async () => undefined;
  data = createPersonalData({
    ...store,
    scheduling: createScheduling(store, Date.now),
    async unlink(person) {
      await store.links.delete({ ...person, purpose: 'assistant' });
      return ['assistant'];
    },
    endTurn: (id, stage) => store.turns.end(id, stage),
    forgetTraces: async (person, turnIds) => void forgotten.push({ person, turnIds }),
    wait: () => onWait(),
  });
});

const finish = async (id: string) => {
  const turn = await store.turns.get(id);
  if (turn) await store.turns.save({ ...turn, stage: 'done', result: 'cancelled' });
};

describe('to delete what is kept of a person', () => {
  it('ends what is open first, and leaves nothing of it', async () => {
    await store.links.save(aLink(), 0);
    await store.turns.accept(aTurn({ id: 'waits' }), [engage('T1:C1:100.1', 'UANA', 'T1')]);
    await createScheduling(store, Date.now).add(aSchedule());
    onWait = () => finish('waits');

    // The turn, the thread, and the scheduled question.
    expect(await data.remove(ANA)).toEqual({ signIns: 1, cancelled: 1, records: 3, left: 0 });

    expect(await data.read(ANA)).toEqual({ links: [], scheduled: [], turns: [], spokenIn: [], conversations: [] });
    expect(forgotten).toEqual([{ person: ANA, turnIds: ['waits'] }]);
  });

  it('says so where a question does not end', async () => {
    await store.turns.accept(aTurn({ id: 'hangs' }));

    expect(await data.remove(ANA)).toMatchObject({ cancelled: 1, records: 0, left: 1 });
    await finish('hangs');
    expect(await data.remove(ANA)).toMatchObject({ cancelled: 0, records: 1, left: 0 });
  });

  it('touches nobody else', async () => {
    const bens = aTurn({ id: 'bens', lane: 'bens', question: aQuestion({ asker: { team: 'T1', user: 'UBEN' } }) });
    await store.turns.accept(bens);
    await store.links.save(aLink({ user: 'UBEN' }), 0);
    await changeThreads(store.turns, engage('T1:C1:9.9', 'UBEN', 'T1'));

    await data.remove(ANA);

    expect(await data.read({ team: 'T1', user: 'UBEN' })).toMatchObject({
      links: [{ user: 'UBEN' }],
      turns: [{ id: 'bens', stage: 'accepted' }],
      spokenIn: ['T1:C1:9.9'],
    });
  });
});

describe('where answers to questions in channels go', () => {
  it('can be changed without a new sign-in, also while the tokens are refreshed', async () => {
    await store.links.save(aLink(), 0);
    const { get } = store.links;
    let looks = 0;
    store.links.get = async (key) => {
      const link = await get(key);
      looks += 1;
      if (looks === 1) await store.links.save(aLink({ sealedTokens: 'refreshed' }), link?.version ?? 0);
      return link;
    };

    expect(await data.chooseChannelAnswers(ANA, 'private')).toBe(true);

    expect(await get(aLink())).toMatchObject({ channelAnswers: 'private', sealedTokens: 'refreshed' });
  });

  it('is kept with the sign-in, so it needs one', async () => {
    expect(await data.chooseChannelAnswers(ANA, 'private')).toBe(false);
    await store.links.save(aLink({ sealedTokens: '' }), 0);
    expect(await data.chooseChannelAnswers(ANA, 'private')).toBe(false);
  });
});

it('an export is JSON with everything but the tokens', async () => {
  await store.links.save(aLink({ accountName: 'Ana', usedAt: 5, endedAt: 6 }), 0);
  const known = { decidedAt: 2_000, language: 'de' as const, details: { timeZone: 'UTC', requestId: 'r' } };
  await store.turns.accept(aTurn({ acceptedAt: 1_000, ...known }), [engage('T1:C1:100.1', 'UANA', 'T1')]);

  await createScheduling(store, Date.now).add(aSchedule());
  const text = exportKept(ANA, await data.read(ANA), 0);
  const times = { usedAt: '1970-01-01T00:00:00.005Z', endedAt: '1970-01-01T00:00:00.006Z' };

  expect(text).not.toContain('sealed');
  expect(JSON.parse(text)).toMatchObject({
    exportedAt: '1970-01-01T00:00:00.000Z',
    person: ANA,
    signIns: [{ purpose: 'assistant', accountName: 'Ana', hasTokens: true, ...times }],
    questions: [
      {
        ...known,
        acceptedAt: '1970-01-01T00:00:01.000Z',
        decidedAt: '1970-01-01T00:00:02.000Z',
        stage: 'accepted',
        channel: 'C1',
      },
    ],
    scheduledQuestions: [
      {
        ...{ days: [1, 2, 3, 4, 5], time: '08:00', zone: 'Europe/Berlin' },
        text: 'What changed in my projects?',
      },
    ],
    threadsSpokenIn: ['T1:C1:100.1'],
    conversations: [],
  });
  expect(
    JSON.parse(exportKept(ANA, { links: [], scheduled: [], turns: [], spokenIn: [], conversations: [] }, 0)),
  ).toMatchObject({
    questions: [],
  });
});
