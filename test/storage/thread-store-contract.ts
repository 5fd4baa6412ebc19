import { describe, expect, it } from 'vitest';
import { forgetOld, type Store } from '../../src/backend/store.ts';
import type { ThreadChange, ThreadConversation } from '../../src/conversation/turn.ts';
import { aTurn } from '../conversation/a-question.ts';
import { aConversation, changeThreads, engage, keep } from './change-thread.ts';

const DAY_MS = 24 * 3_600_000;

export function describeThreadStore(current: () => Store, clock: { now(): number; pass(ms: number): void }): void {
  describe('threads', () => {
    const change = (...changes: ThreadChange[]) => changeThreads(current().turns, ...changes);
    const conversation = (user: string, thread = 't') => current().threads.conversation(thread, user);
    const isEngaged = (thread: string, user: string) => current().threads.isEngaged(thread, user);

    it.each([
      [180, 30, 180],
      [7, 7, 7],
    ])('stay for %i days at most, and done turns for %i', async (days, turnDays, threadDays) => {
      const begin = clock.now();
      const whatIsLeftAfter = async (ms: number) => {
        clock.pass(begin + ms - clock.now());
        await forgetOld(current(), clock.now(), { days, linkDays: 0, onForgotten: async () => undefined });
        return { turn: (await current().turns.get('asked')) !== undefined, thread: await isEngaged('t', 'UANA') };
      };
      await current().turns.accept(aTurn({ id: 'asked', stage: 'done', acceptedAt: begin }), [
        engage('t', 'UANA', 'T1'),
      ]);

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
      clock.pass(1_000);
      await change(engage('new', 'UANA', 'T1'));

      const forgotten = await current().threads.forget(clock.now());

      expect(forgotten).toBe(2);
      expect(await conversation('UANA', 'old')).toBeUndefined();
      expect(await isEngaged('old', 'UANA')).toBe(false);
      expect(await isEngaged('new', 'UANA')).toBe(true);
    });
  });
}
