import { describe, expect, it } from 'vitest';
import type { TurnStore } from '../../src/conversation/stores.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { LONGEST_WAIT_MS } from '../../src/conversation/waits.ts';
import { aTurn } from '../conversation/a-question.ts';
import { beginRun } from './begin-run.ts';

const ANA = { team: 'T1', user: 'UANA' };

/** What turns.test.ts does not compare with its model: many at once, what is counted and forgotten, and clocks that are set. */
export function describeTurnStore(current: () => TurnStore): void {
  describe('turns', () => {
    it('are accepted once per id, however many deliver them at once', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => current().accept(aTurn())));
      expect(results.filter((result) => result === 'new')).toHaveLength(1);
    });

    it('that wait are looked at, and keep their fence until their time has come, or the clock was set back', async () => {
      await current().accept(aTurn({ notBefore: 5_000 }));

      const early = await current().takeHead(aTurn().lane, 4_999);
      const due = await current().takeHead(aTurn().lane, 5_000);
      const setBack = await current().takeHead(aTurn().lane, 4_999 - LONGEST_WAIT_MS);

      expect(setBack?.isTaken).toBe(true);
      expect(early).toMatchObject({ turn: { id: aTurn().id, fence: 0, notBefore: 5_000 }, isTaken: false });
      expect(due).toMatchObject({ turn: { fence: 1 }, isTaken: true });
    });

    it('stay done, whatever is written late', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'done', result: 'answer' }));

      expect(await current().save(aTurn({ stage: 'answered' }))).toBe(false);
      expect(await current().save(aTurn({ stage: 'done', result: 'answer' }))).toBe(true);
      expect(await current().get(aTurn().id)).toMatchObject({ stage: 'done', result: 'answer' });
      expect(await current().head(aTurn().lane)).toBeUndefined();
    });

    it('are counted by stage, done ones left out', async () => {
      const stages = { a: 'accepted', b: 'parked', c: 'parked', d: 'asking', e: 'done', f: 'accepted' } as const;
      for (const [index, [id, stage]] of Object.entries(stages).entries()) {
        await current().accept(aTurn({ id, acceptedAt: 100 - index }));
        await current().save(aTurn({ id, stage, acceptedAt: 100 - index }));
      }
      await current().end('a', 'stopped');

      expect(await current().counts()).toEqual({
        byStage: { stopped: 1, parked: 2, asking: 1, accepted: 1 },
        oldestAcceptedAt: 95,
      });
    });

    it('count from the end of their parking, not from when they came', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'parked' }));
      const before = Date.now() - 1_000;

      await current().unpark(aTurn().question.asker);

      expect((await current().counts()).oldestAcceptedAt).toBeGreaterThan(before);
    });

    it('leave nothing to be counted when all are done', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'parked' }));
      await current().end(aTurn().id, 'cancelled');
      const run = await beginRun(current(), aTurn().id);
      if (run) await current().save({ ...run, stage: 'done' });

      expect(await current().counts()).toEqual({ byStage: {}, oldestAcceptedAt: undefined });
      expect(await current().parked()).toEqual([]);
    });

    it('are listed by the hundred, and by the thousand', async () => {
      const ids = Array.from({ length: 450 }, (_, index) => `parked-${index}`);
      for (const id of ids) await current().accept(aTurn({ id }));
      await Promise.all(ids.map((id) => current().save(aTurn({ id, stage: 'parked' }))));

      expect((await current().parked(ANA)).map(({ id }) => id)).toEqual(ids);
    });

    it('of the next release keep the fields that this one does not know', async () => {
      const later = { ...aTurn(), schema: 2, mood: 'good' } as object as Turn;
      await current().accept(later);

      const run = await beginRun(current(), later.id);
      if (run) await current().save({ ...run, stage: 'answered' });

      expect(await current().get(later.id)).toMatchObject({ schema: 2, mood: 'good', stage: 'answered', fence: 1 });
    });

    it('that wait make their lane due at their time, or at once when they end or the clock was set back', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().save(aTurn({ id: 'a', stage: 'waiting', notBefore: 5_000 }));
      await current().accept(aTurn({ id: 'b' }));
      await current().accept(aTurn({ id: 'c', lane: 'parked' }));
      await current().save(aTurn({ id: 'c', lane: 'parked', stage: 'parked' }));

      expect(await current().dueLanes(4_999)).toEqual([]);
      for (const at of [5_000, 4_999 - LONGEST_WAIT_MS]) expect(await current().dueLanes(at)).toEqual([aTurn().lane]);
      await current().end('a', 'cancelled');
      expect(await current().dueLanes(4_999)).toEqual([aTurn().lane]);
    });

    it('that move to another lane make it due at once, also where others wait in it', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().accept(aTurn({ id: 'b', lane: 'another', notBefore: 5_000 }));
      await current().save(aTurn({ id: 'a', lane: 'another' }));

      expect(await current().dueLanes(4_999)).toEqual(['another']);
    });

    it('that are done are forgotten after their time, open ones never', async () => {
      await current().accept(aTurn({ id: 'old', acceptedAt: 10 }));
      await current().save(aTurn({ id: 'old', stage: 'done', acceptedAt: 10 }));
      await current().accept(aTurn({ id: 'open', acceptedAt: 10 }));
      await current().accept(aTurn({ id: 'new', acceptedAt: 30 }));
      await current().save(aTurn({ id: 'new', stage: 'done', acceptedAt: 30 }));

      expect(await current().forget(20)).toBe(1);

      expect(await current().get('old')).toBeUndefined();
      expect(await current().get('open')).toBeDefined();
      expect(await current().get('new')).toBeDefined();
    });

    it('are forgotten by the hundred, past open ones that are as old', async () => {
      for (let index = 0; index < 350; index++) {
        const turn = aTurn({ id: `turn-${index}`, acceptedAt: 10 });
        await current().accept(turn);
        if (index % 3 > 0) await current().save({ ...turn, stage: 'done', result: 'failed' });
      }

      expect(await current().forget(20)).toBe(233);

      expect(await current().counts()).toEqual({ byStage: { accepted: 117 }, oldestAcceptedAt: 10 });
      expect(await current().deadLetters(10)).toEqual([]);
    });
  });
}
