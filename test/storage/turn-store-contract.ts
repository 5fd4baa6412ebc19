import { describe, expect, it } from 'vitest';
import type { TurnStore } from '../../src/conversation/stores.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { LONGEST_WAIT_MS } from '../../src/conversation/waits.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { beginRun } from './begin-run.ts';

const HOLDER = '00000000-0000-4000-8000-000000000000 1';
const ANA = { team: 'T1', user: 'UANA' };

export function describeTurnStore(current: () => TurnStore): void {
  describe('turns', () => {
    it('are accepted once per id, however many deliver them at once', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => current().accept(aTurn())));
      expect(results.filter((result) => result === 'new')).toHaveLength(1);
    });

    it('keep their ids after they are done', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'done' }));

      expect(await current().accept(aTurn())).toBe('duplicate');
    });

    it('are taken as they are accepted when they are alone in their lane', async () => {
      await current().accept(aTurn({ id: 'a', stage: 'parked', notBefore: 5 }));
      const first = await current().accept(aTurn(), [], HOLDER);
      const behind = await current().accept(aTurn({ id: 'b' }), [], HOLDER);

      expect([first, behind]).toEqual(['taken', 'new']);
      expect((await current().get(aTurn().id))?.fence).toBe(1);
    });

    it('come back as they were written', async () => {
      const turn = aTurn({
        outcome: { kind: 'notice', code: 'empty' },
        parts: [{ step: 'placed', channel: 'C1', ts: '7.7' }],
      });
      await current().accept(turn);

      expect(await current().get(turn.id)).toEqual(turn);
      expect(await current().get('unknown')).toBeUndefined();
    });

    it('are headed by the first that arrived', async () => {
      for (const id of ['a', 'b', 'c']) await current().accept(aTurn({ id }));

      await current().save(aTurn({ id: 'a', stage: 'done' }));

      expect((await current().head(aTurn().lane))?.id).toBe('b');
    });

    it('that are parked or done do not hold up those behind them, which are listed by their lane', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await current().accept(aTurn({ id }));
      await current().accept(aTurn({ id: 'e', lane: 'T1:C1:200.1' }));
      await current().save(aTurn({ id: 'a', stage: 'parked', notBefore: 5 }));
      await current().save(aTurn({ id: 'c', stage: 'done' }));

      expect((await current().head(aTurn().lane))?.id).toBe('b');
      expect(await current().inLane(aTurn().lane)).toEqual([aTurn({ id: 'b' }), aTurn({ id: 'd' })]);
      expect(await current().inLane('T1:C1:300.1')).toEqual([]);
    });

    it('that wait do hold up those behind them', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().accept(aTurn({ id: 'b' }));
      await current().save(aTurn({ id: 'a', stage: 'waiting', notBefore: 5 }));

      expect(await current().head(aTurn().lane)).toMatchObject({ id: 'a', notBefore: 5 });
    });

    it('refuse every write of a run once a later one has begun', async () => {
      await current().accept(aTurn());
      const first = await beginRun(current(), aTurn().id);
      const second = await beginRun(current(), aTurn().id);
      if (!first || !second) throw new Error('the turn cannot be taken');

      const late = await current().save({ ...first, stage: 'answered' });
      const rightful = await current().save({ ...second, stage: 'asking' });

      expect([late, rightful]).toEqual([false, true]);
      expect(await current().get(aTurn().id)).toMatchObject({ stage: 'asking', fence: 2 });
    });

    it('that are done are not taken', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'done' }));

      expect(await current().takeHead(aTurn().lane, 0)).toBeUndefined();
      expect(await current().takeHead('unknown', 0)).toBeUndefined();
    });

    it('are taken one at a time, the first one first, and the last one is known', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().accept(aTurn({ id: 'b' }));

      const first = await current().takeHead(aTurn().lane, 0);
      if (first) await current().save({ ...first.turn, stage: 'done' });
      const second = await current().takeHead(aTurn().lane, 0);

      expect(first).toMatchObject({ turn: { id: 'a', fence: 1 }, isTaken: true, isLast: false });
      expect(second).toMatchObject({ turn: { id: 'b', fence: 1 }, isTaken: true, isLast: true });
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

    it('whose runs died are only looked at once too many did, until one of them has settled', async () => {
      const { lane } = aTurn();
      await current().accept(aTurn());
      await current().takeHead(lane, 0, 2);
      await current().takeHead(lane, 0, 2);

      const suspect = await current().takeHead(lane, 0, 2);
      const alone = await current().takeHead(lane, 0);
      if (alone) await current().save({ ...alone.turn, settled: alone.turn.fence });
      const settled = await current().takeHead(lane, 0, 2);

      expect(suspect).toMatchObject({ turn: { id: aTurn().id, fence: 2 }, isTaken: false, isLast: true });
      expect(alone).toMatchObject({ turn: { fence: 3 }, isTaken: true });
      expect(settled).toMatchObject({ turn: { fence: 4 }, isTaken: true });
    });

    it('that were stopped did not die of it', async () => {
      await current().accept(aTurn());
      await beginRun(current(), aTurn().id);
      await current().end(aTurn().id, 'stopped');

      expect(await current().takeHead(aTurn().lane, 0, 2)).toMatchObject({ isTaken: true });
    });

    it('that are ended fence off the run that is in progress', async () => {
      await current().accept(aTurn());
      const run = await beginRun(current(), aTurn().id);
      if (!run) throw new Error('the turn cannot be taken');

      const hasEnded = await current().end(run.id, 'stopped');

      expect(hasEnded).toBe(true);
      expect(await current().save({ ...run, stage: 'answered' })).toBe(false);
      expect(await current().get(run.id)).toMatchObject({ stage: 'stopped' });
    });

    it('whose outcome is decided can no longer be ended', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'answered' }));

      expect(await current().end(aTurn().id, 'cancelled')).toBe(false);
      expect(await current().end('unknown', 'cancelled')).toBe(false);
    });

    it('that were not sent ask something else from then on, which fences off the run that is in progress', async () => {
      const said = { text: 'else', webSearch: false, links: [], unusable: [{ name: 'a', reason: 'upload' as const }] };
      await current().accept(aTurn());
      const run = await beginRun(current(), aTurn().id);
      if (!run) throw new Error('the turn cannot be taken');

      const isRevised = await current().revise(run.id, said);

      expect(isRevised).toBe(true);
      expect(await current().save({ ...run, stage: 'asking' })).toBe(false);
      expect(await current().get(run.id)).toMatchObject({ stage: 'accepted', question: { ...run.question, ...said } });
      // Nothing died.
      expect(await current().takeHead(run.lane, 0, 1)).toMatchObject({ isTaken: true, turn: { question: said } });
    });

    it.each([
      ['wait', 'waiting'],
      ['are parked', 'parked'],
    ] as const)('that %s ask something else from then on, at the same time', async (_, stage) => {
      const said = { text: 'else', webSearch: true, links: ['https://files.example/a'], unusable: [] };
      await current().accept(aTurn());
      await current().save(aTurn({ stage, notBefore: 5_000, waitedMs: 1 }));

      expect(await current().revise(aTurn().id, said)).toBe(true);
      const turn = await current().get(aTurn().id);
      expect(turn).toMatchObject({ stage, notBefore: 5_000, waitedMs: 1, question: said });
    });

    it.each(['asking', 'answered', 'stopped', 'cancelled', 'done'] as const)(
      'that are %s keep what they asked',
      async (stage) => {
        await current().accept(aTurn());
        await current().save(aTurn({ stage }));

        expect(await current().revise(aTurn().id, { ...aQuestion(), text: 'else' })).toBe(false);
        expect(await current().revise('unknown', { ...aQuestion(), text: 'else' })).toBe(false);
        expect(await current().get(aTurn().id)).toEqual(aTurn({ stage }));
      },
    );

    it('of one person run again after the sign-in, and nobody else’s do', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().accept(aTurn({ id: 'b', lane: 'T1:C1:200.2' }));
      await current().accept(aTurn({ id: 'c', question: aQuestion({ asker: { team: 'T1', user: 'UBEN' } }) }));
      for (const id of ['a', 'b']) {
        const turn = await beginRun(current(), id);
        if (turn) await current().save({ ...turn, stage: 'parked', notBefore: 99 });
      }
      const ben = await beginRun(current(), 'c');
      if (ben) await current().save({ ...ben, stage: 'parked', notBefore: 99 });

      const lanes = await current().unpark(ANA);

      expect(lanes.toSorted()).toEqual(['T1:C1:100.1', 'T1:C1:200.2']);
      expect(await current().get('a')).toMatchObject({ stage: 'accepted' });
      expect((await current().get('a'))?.notBefore).toBeUndefined();
      expect((await current().parked()).map(({ id }) => id)).toEqual(['c']);
    });

    it('that are parked are listed in order of arrival, one person’s or everyone’s', async () => {
      for (const id of ['a', 'b']) {
        await current().accept(aTurn({ id }));
        await current().save(aTurn({ id, stage: 'parked' }));
      }

      expect((await current().parked(ANA)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await current().parked({ team: 'T2', user: 'UANA' })).toEqual([]);
    });

    it('move to another lane with a save', async () => {
      await current().accept(aTurn({ lane: 'command:1' }));

      await current().save(aTurn({ lane: 'T1:C1:300.3' }));

      expect(await current().head('command:1')).toBeUndefined();
      expect((await current().head('T1:C1:300.3'))?.id).toBe(aTurn().id);
    });

    it('keep their place in the order of arrival when they move to another lane', async () => {
      await current().accept(aTurn({ id: 'a', lane: 'command:1' }));
      await current().accept(aTurn({ id: 'b', lane: 'thread' }));
      await current().accept(aTurn({ id: 'c', lane: 'command:2' }));

      await current().save(aTurn({ id: 'c', lane: 'thread' }));
      await current().save(aTurn({ id: 'a', lane: 'thread' }));

      const order: string[] = [];
      for (let head = await current().head('thread'); head; head = await current().head('thread')) {
        order.push(head.id);
        await current().save({ ...head, stage: 'done' });
      }
      expect(order).toEqual(['a', 'b', 'c']);
      expect(await current().dueLanes(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('come back to their place in the order of arrival when they are no longer parked', async () => {
      await current().accept(aTurn({ id: 'a' }));
      await current().accept(aTurn({ id: 'b' }));
      await current().save(aTurn({ id: 'a', stage: 'parked' }));

      await current().unpark(ANA);

      expect((await current().head(aTurn().lane))?.id).toBe('a');
    });

    it('are done for whoever looks at once, also where that may be lost', async () => {
      await current().accept(aTurn());

      expect(await current().save(aTurn({ stage: 'done' }), [], true)).toBe(true);

      expect(await current().head(aTurn().lane)).toBeUndefined();
      expect(await current().accept(aTurn())).toBe('duplicate');
    });

    it('stay done, whatever is written late', async () => {
      await current().accept(aTurn());
      await current().save(aTurn({ stage: 'done', result: 'answer' }));

      expect(await current().save(aTurn({ stage: 'answered' }))).toBe(false);
      expect(await current().save(aTurn({ stage: 'done', result: 'answer' }))).toBe(true);
      expect(await current().get(aTurn().id)).toMatchObject({ stage: 'done', result: 'answer' });
      expect(await current().head(aTurn().lane)).toBeUndefined();
    });

    it('may wait for something and then for nothing', async () => {
      await current().accept(aTurn());

      await current().save(aTurn({ stage: 'waiting', notBefore: 9 }));
      expect((await current().head(aTurn().lane))?.notBefore).toBe(9);

      await current().save(aTurn({ stage: 'asking', notBefore: undefined }));
      expect((await current().head(aTurn().lane))?.notBefore).toBeUndefined();
    });

    it('that were given up are listed, the latest first, as many as are wanted', async () => {
      for (const [id, result] of Object.entries({ a: 'failed', b: 'answer', c: 'abandoned', d: 'failed' })) {
        await current().accept(aTurn({ id }));
        await current().save(aTurn({ id, stage: 'done', result }));
      }

      expect((await current().deadLetters(10)).map(({ id }) => id)).toEqual(['d', 'c', 'a']);
      expect((await current().deadLetters(2)).map(({ id }) => id)).toEqual(['d', 'c']);
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
