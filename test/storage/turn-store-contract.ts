import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { LONGEST_WAIT_MS } from '../../src/conversation/waits.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { beginRun } from './begin-run.ts';
import { engage } from './change-thread.ts';

const ANA = { team: 'T1', user: 'UANA' };

/** What turns.test.ts does not compare with its model: many at once, what is late, and what another release wrote. */
export function describeTurnStore(current: () => Store): void {
  describe('turns', () => {
    const turns = () => current().turns;

    it('are accepted once per id, however many deliver them at once', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => turns().accept(aTurn())));
      expect(results.filter((result) => result === 'new')).toHaveLength(1);
    });

    it('stay done, whatever is written late', async () => {
      await turns().accept(aTurn());
      await turns().save(aTurn({ stage: 'done', result: 'answer' }));

      expect(await turns().save(aTurn({ stage: 'answered' }))).toBe(false);
      expect(await turns().save(aTurn({ stage: 'done', result: 'answer' }))).toBe(true);
      expect(await turns().get(aTurn().id)).toMatchObject({ stage: 'done', result: 'answer' });
      expect(await turns().head(aTurn().lane)).toBeUndefined();
    });

    it('count from the end of their parking, not from when they came', async () => {
      await turns().accept(aTurn());
      await turns().save(aTurn({ stage: 'parked' }));
      const before = Date.now() - 1_000;

      await turns().unpark(aTurn().question.asker);

      expect((await turns().counts()).oldestAcceptedAt).toBeGreaterThan(before);
    });

    it('are listed by the hundred, and by the thousand', async () => {
      const ids = Array.from({ length: 450 }, (_, index) => `parked-${index}`);
      for (const id of ids) await turns().accept(aTurn({ id }));
      await Promise.all(ids.map((id) => turns().save(aTurn({ id, stage: 'parked' }))));

      expect((await turns().parked(ANA)).map(({ id }) => id)).toEqual(ids);
    });

    it('of the next release keep the fields that this one does not know', async () => {
      const later = { ...aTurn(), schema: 2, mood: 'good' } as object as Turn;
      await turns().accept(later);

      const run = await beginRun(turns(), later.id);
      if (run) await turns().save({ ...run, stage: 'answered' });

      expect(await turns().get(later.id)).toMatchObject({ schema: 2, mood: 'good', stage: 'answered', fence: 1 });
    });

    it('that wait make their lane due at their time, or at once when they end or the clock was set back', async () => {
      await turns().accept(aTurn({ id: 'a' }));
      await turns().save(aTurn({ id: 'a', stage: 'waiting', notBefore: 5_000 }));
      await turns().accept(aTurn({ id: 'b' }));
      await turns().accept(aTurn({ id: 'c', lane: 'parked' }));
      await turns().save(aTurn({ id: 'c', lane: 'parked', stage: 'parked' }));

      expect(await turns().dueLanes(4_999)).toEqual([]);
      for (const at of [5_000, 4_999 - LONGEST_WAIT_MS]) expect(await turns().dueLanes(at)).toEqual([aTurn().lane]);
      await turns().end('a', 'cancelled');
      expect(await turns().dueLanes(4_999)).toEqual([aTurn().lane]);
    });

    it('that are done are forgotten after their time, by the hundred, past open ones that are as old', async () => {
      const finish = (turn: Turn) => turns().save({ ...turn, stage: 'done', result: 'failed' });
      for (let index = 0; index < 350; index++) {
        const turn = aTurn({ id: `turn-${index}`, acceptedAt: 10 });
        await turns().accept(turn);
        if (index % 3 > 0) await finish(turn);
      }
      const newer = aTurn({ id: 'newer', acceptedAt: 30 });
      await turns().accept(newer);
      await finish(newer);

      expect(await turns().forget(20)).toBe(233);

      expect(await turns().counts()).toEqual({ byStage: { accepted: 117 }, oldestAcceptedAt: 10 });
      expect((await turns().deadLetters(10)).map(({ id }) => id)).toEqual(['newer']);
    });

    it('are forgotten by the hundred for one person, and purged for one workspace, with their threads', async () => {
      for (let index = 0; index < 620; index++) {
        const user = index % 3 === 0 ? 'UBEN' : 'UANA';
        const turn = aTurn({ id: `turn-${index}`, question: aQuestion({ asker: { team: 'T1', user } }) });
        await turns().accept(turn, [engage(`T1:C1:${index}`, user, 'T1')]);
        if (index < 450) await turns().save({ ...turn, stage: 'done' });
      }

      // 300 of those that are done, and where she has spoken.
      expect(await current().personal.forget(ANA)).toBe(300 + 413);
      expect(await current().personal.turns(ANA)).toHaveLength(113);
      expect(await current().purge('T1')).toBe(320 + 207);
      expect(await turns().dueLanes(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });
  });
}
