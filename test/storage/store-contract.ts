import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetOld, type Store } from '../../src/backend/store.ts';
import { countDeaths } from '../../src/conversation/give-up.ts';
import type { ThreadChange, ThreadConversation, Turn } from '../../src/conversation/turn.ts';
import { LONGEST_WAIT_MS } from '../../src/conversation/waits.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { anAddition } from '../usage/an-addition.ts';
import { aLink } from './a-link.ts';
import { beginRun } from './begin-run.ts';
import { aConversation, changeThreads, engage, keep } from './change-thread.ts';

export type OpenStore = (now: () => number) => Promise<Store>;

const DAY_MS = 24 * 3_600_000;
const ANA = { team: 'T1', user: 'UANA' };

/**
 * What every store does with turns and threads that turns.test.ts does not compare with its model: many at once, what is
 * late, and what another release wrote. An adapter's test calls this with a function that opens an empty store of its kind.
 */
export function describeStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: the store contract`, () => {
    let store: Store;
    let time: number;

    beforeEach(async () => {
      time = 1_000_000;
      store = await open(() => time);
    });
    afterEach(() => store.close());

    describe('turns', () => {
      it('are accepted once per id, however many deliver them at once', async () => {
        const results = await Promise.all(Array.from({ length: 10 }, () => store.turns.accept(aTurn())));
        expect(results.filter((result) => result === 'new')).toHaveLength(1);
      });

      it('that were purged and came again are not written by a run of before', async () => {
        const accept = async () => {
          await store.turns.accept(aTurn());
          return aTurn(await beginRun(store.turns, aTurn().id));
        };
        const before = await accept();
        await store.purge('T1');
        const now = await accept();

        expect(now.fence).toBe(before.fence);
        expect(await store.turns.save({ ...before, stage: 'asking' })).toBe(false);
        expect(await store.turns.save({ ...now, stage: 'asking' })).toBe(true);
      });

      it('stay done, whatever is written late', async () => {
        await store.turns.accept(aTurn());
        await store.turns.save(aTurn({ stage: 'done', result: 'answer' }));

        expect(await store.turns.save(aTurn({ stage: 'answered' }))).toBe(false);
        expect(await store.turns.save(aTurn({ stage: 'done', result: 'answer' }))).toBe(true);
        expect(await store.turns.get(aTurn().id)).toMatchObject({ stage: 'done', result: 'answer' });
        expect(await store.turns.head(aTurn().lane)).toBeUndefined();
      });

      it('count from the end of their parking, not from when they came', async () => {
        await store.turns.accept(aTurn());
        await store.turns.save(aTurn({ stage: 'parked' }));
        const before = Date.now() - 1_000;

        await store.turns.unpark(aTurn().question.asker);

        expect((await store.turns.counts()).oldestAcceptedAt).toBeGreaterThan(before);
      });

      it('are listed by the hundred, and by the thousand', async () => {
        const ids = Array.from({ length: 450 }, (_, index) => `parked-${index}`);
        await Promise.all(ids.map((id) => store.turns.accept(aTurn({ id }))));
        await Promise.all(ids.map((id) => store.turns.save(aTurn({ id, stage: 'parked' }))));

        expect((await store.turns.parked(ANA)).map(({ id }) => id)).toEqual(ids);
      });

      it.each([
        ['stopped while they run', 0, (id: string) => store.turns.end(id, 'stopped')],
        ['stopped while they wait', 1, (id: string) => store.turns.end(id, 'stopped')],
        ['unparked', 1, () => store.turns.unpark(ANA)],
      ])('that are %s have not died by it', async (what, settled, raise) => {
        await store.turns.accept(aTurn());
        const run = aTurn(await beginRun(store.turns, aTurn().id));
        const stage = what === 'unparked' ? 'parked' : settled === 1 ? 'waiting' : 'asking';
        await store.turns.save({ ...run, stage, settled });

        await raise(run.id);

        const [first, second] = [
          await store.turns.takeHead(run.lane, Number.MAX_SAFE_INTEGER, 1),
          await store.turns.takeHead(run.lane, Number.MAX_SAFE_INTEGER, 1),
        ];
        expect([first?.isTaken, second?.isTaken]).toEqual([true, false]);
        expect(countDeaths(aTurn(first?.turn))).toBe(0);
      });

      it('of the next release keep the fields that this one does not know', async () => {
        const later = { ...aTurn(), schema: 2, mood: 'good' } as object as Turn;
        await store.turns.accept(later);

        const run = await beginRun(store.turns, later.id);
        if (run) await store.turns.save({ ...run, stage: 'answered' });

        expect(await store.turns.get(later.id)).toMatchObject({ schema: 2, mood: 'good', stage: 'answered', fence: 1 });
      });

      it('that wait make their lane due at their time, or at once when they end or the clock was set back', async () => {
        await store.turns.accept(aTurn({ id: 'a' }));
        await store.turns.save(aTurn({ id: 'a', stage: 'waiting', notBefore: 5_000 }));
        await store.turns.accept(aTurn({ id: 'b' }));
        await store.turns.accept(aTurn({ id: 'c', lane: 'parked' }));
        await store.turns.save(aTurn({ id: 'c', lane: 'parked', stage: 'parked' }));

        expect(await store.turns.dueLanes(4_999)).toEqual([]);
        for (const at of [5_000, 4_999 - LONGEST_WAIT_MS])
          expect(await store.turns.dueLanes(at)).toEqual([aTurn().lane]);
        await store.turns.end('a', 'cancelled');
        expect(await store.turns.dueLanes(4_999)).toEqual([aTurn().lane]);
      });

      it('that wait do not hold up their lane behind one that came before them, and is signed in by now', async () => {
        await store.turns.accept(aTurn({ id: 'a' }));
        await store.turns.save(aTurn({ id: 'a', stage: 'parked' }));
        await store.turns.accept(aTurn({ id: 'b' }));
        const run = await beginRun(store.turns, 'b');
        await store.turns.unpark(ANA);

        if (run) await store.turns.save({ ...run, stage: 'waiting', notBefore: 5_000 });

        expect(await store.turns.dueLanes(4_999)).toEqual([aTurn().lane]);
      });

      it('that are done are forgotten after their time, by the hundred, past open ones that are as old', async () => {
        const finish = (turn: Turn) => store.turns.save({ ...turn, stage: 'done', result: 'failed' });
        const turns = Array.from({ length: 350 }, (_, index) => aTurn({ id: `turn-${index}`, acceptedAt: 10 }));
        const newer = aTurn({ id: 'newer', acceptedAt: 30 });
        await Promise.all([...turns, newer].map((turn) => store.turns.accept(turn)));
        await Promise.all([...turns.filter((_, index) => index % 3 > 0), newer].map(finish));

        expect(await store.turns.forget(20)).toBe(233);

        expect(await store.turns.counts()).toEqual({ byStage: { accepted: 117 }, oldestAcceptedAt: 10 });
        expect((await store.turns.deadLetters(10)).map(({ id }) => id)).toEqual(['newer']);
      });

      it('that are done are forgotten, though the clock was ahead when hundreds before them came', async () => {
        const finish = (turn: Turn) => store.turns.save({ ...turn, stage: 'done', result: 'answer' });
        const turns = Array.from({ length: 600 }, (_, index) => aTurn({ id: `turn-${index}`, acceptedAt: 30 }));
        const all = [...turns, aTurn({ id: 'old', acceptedAt: 10 })];
        await Promise.all(all.map((turn) => store.turns.accept(turn)));
        await Promise.all(all.map(finish));

        expect(await store.turns.forget(20)).toBe(1);
      });

      it('are forgotten by the hundred for one person, and purged for one workspace, with their threads', async () => {
        const askers = Array.from({ length: 620 }, (_, index) => (index % 3 === 0 ? 'UBEN' : 'UANA'));
        const ask = async (user: string, index: number) => {
          const turn = aTurn({ id: `turn-${index}`, question: aQuestion({ asker: { team: 'T1', user } }) });
          await store.turns.accept(turn, [engage(`T1:C1:${index}`, user, 'T1')]);
          if (index < 450) await store.turns.save({ ...turn, stage: 'done' });
        };
        await Promise.all(askers.map(ask));
        await store.links.save(aLink(), 0);
        await store.usage.add(anAddition(1, { questions: 1 }, { questions: ['ana'] }));
        await store.once.put('home:T1:UANA', 'yes', time + 60_000);

        // 300 of those that are done, and where she has spoken.
        expect(await store.personal.forget(ANA)).toBe(300 + 413);
        expect(await store.personal.turns(ANA)).toHaveLength(113);
        // And the link, the count, the mark of a person, and that she opened the home tab.
        expect(await store.purge('T1')).toBe(320 + 207 + 4);
        expect(await store.links.get(aLink())).toBeUndefined();
        expect(await store.turns.dueLanes(Number.MAX_SAFE_INTEGER)).toEqual([]);
      });
    });

    describe('threads', () => {
      const change = (...changes: ThreadChange[]) => changeThreads(store.turns, ...changes);
      const conversation = (user: string, thread = 't') => store.threads.conversation(thread, user);
      const isEngaged = (thread: string, user: string) => store.threads.isEngaged(thread, user);

      it.each([
        [180, 30, 180],
        [7, 7, 7],
      ])('stay for %i days at most, and done turns for %i', async (days, turnDays, threadDays) => {
        const begin = time;
        const whatIsLeftAfter = async (ms: number) => {
          time = begin + ms;
          await forgetOld(store, time, { days, linkDays: 0, onForgotten: async () => undefined });
          return { turn: (await store.turns.get('asked')) !== undefined, thread: await isEngaged('t', 'UANA') };
        };
        await store.turns.accept(aTurn({ id: 'asked', stage: 'done', acceptedAt: begin }), [engage('t', 'UANA', 'T1')]);

        expect(await whatIsLeftAfter(turnDays * DAY_MS)).toEqual({ turn: true, thread: true });
        expect(await whatIsLeftAfter(turnDays * DAY_MS + 1)).toMatchObject({ turn: false });
        expect(await whatIsLeftAfter(threadDays * DAY_MS + 1)).toEqual({ turn: false, thread: false });
      });

      it('keep the fields that only a later release knows', async () => {
        const later = { ...aConversation(), schema: 2, mood: 'good' } as object as ThreadConversation;

        await change(keep('t', later));

        expect(await conversation('UANA')).toMatchObject({ schema: 2, mood: 'good' });
      });

      it('are forgotten when nothing happened in them', async () => {
        await change(engage('old', 'UANA', 'T1'), keep('old', aConversation()));
        time += 1_000;
        await change(engage('new', 'UANA', 'T1'));

        const forgotten = await store.threads.forget(time);

        expect(forgotten).toBe(2);
        expect(await conversation('UANA', 'old')).toBeUndefined();
        expect(await isEngaged('old', 'UANA')).toBe(false);
        expect(await isEngaged('new', 'UANA')).toBe(true);
      });
    });

    it('says that it answers', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
