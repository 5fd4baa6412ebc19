import { describe, expect, it } from 'vitest';
import { forgetOld, type Store } from '../../src/backend/store.ts';
import { SECRECY } from '../../src/conversation/secrecy.ts';
import type { ThreadChange, ThreadConversation } from '../../src/conversation/turn.ts';
import { aTurn } from '../conversation/a-question.ts';
import { beginRun } from './begin-run.ts';
import { aConversation, changeThreads, engage, keep } from './change-thread.ts';

const DAY_MS = 24 * 3_600_000;

export function describeThreadStore(current: () => Store, clock: { now(): number; pass(ms: number): void }): void {
  describe('threads', () => {
    const change = (...changes: ThreadChange[]) => changeThreads(current().turns, ...changes);
    const conversation = (user: string, thread = 't') => current().threads.conversation(thread, user);
    const isEngaged = (thread: string, user: string) => current().threads.isEngaged(thread, user);

    it('remember who has spoken in them', async () => {
      await change(engage('t', 'UANA', 'T1'));
      await change(engage('t', 'UANA', 'T1'));

      expect(await isEngaged('t', 'UANA')).toBe(true);
      expect(await isEngaged('t', 'UBEN')).toBe(false);
      expect(await isEngaged('other', 'UANA')).toBe(false);
    });

    it('change with the turn that is accepted, and not with one that is there already', async () => {
      await current().turns.accept(aTurn(), [engage('t', 'UANA', 'T1'), keep('t', aConversation())]);
      await current().turns.accept(aTurn(), [engage('t', 'UBEN', 'T1')]);

      expect(await isEngaged('t', 'UANA')).toBe(true);
      expect(await conversation('UANA')).toEqual(expect.objectContaining(aConversation()));
      expect(await isEngaged('t', 'UBEN')).toBe(false);
    });

    it('change with the turn that is saved, and not where a later run has begun', async () => {
      await current().turns.accept(aTurn());
      const early = await beginRun(current().turns, aTurn().id);
      const late = await beginRun(current().turns, aTurn().id);

      const saves = [
        early && (await current().turns.save(early, [keep('t', aConversation({ id: 'early' }))])),
        late &&
          (await current().turns.save(late, [engage('t', 'UANA', 'T1'), keep('t', aConversation({ id: 'late' }))])),
      ];

      expect(saves).toEqual([false, true]);
      expect((await conversation('UANA'))?.id).toBe('late');
      expect(await isEngaged('t', 'UANA')).toBe(true);
    });

    it('have one conversation for all, and one for whoever needs their own', async () => {
      await change(keep('t', aConversation({ id: 'ours', owner: 'UANA' })), keep('t', BENS));

      expect((await conversation('UANA'))?.id).toBe('ours');
      expect((await conversation('UBEN'))?.id).toBe('bens');
      expect((await conversation('UKIM'))?.id).toBe('ours');
      expect(await conversation('UANA', 'other')).toBeUndefined();
    });

    it('write what changed about a conversation, wherever it is held', async () => {
      await change(keep('t', BENS));

      await change(update({ ...BENS, turnCount: 3, secrecy: SECRECY.others }));

      expect(await conversation('UBEN')).toMatchObject({ turnCount: 3, secrecy: SECRECY.others });
    });

    it('fall back to the shared conversation when a person’s own is dropped', async () => {
      await change(keep('t', aConversation({ id: 'ours', owner: 'UANA' })), keep('t', BENS));

      await change(drop(BENS));

      expect((await conversation('UBEN'))?.id).toBe('ours');
    });

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

    it('forget the conversation that another takes the place of', async () => {
      await change(keep('t', aConversation({ id: 'first' })));
      await change(keep('t', aConversation({ id: 'second' }), 'first'));

      await change(update(aConversation({ id: 'first', turnCount: 9 })));
      await change(drop(aConversation({ id: 'first' })));

      expect(await conversation('UANA')).toMatchObject({ id: 'second', turnCount: 0 });
    });

    it('keep what another run has made meanwhile, whoever comes late with one', async () => {
      await change(keep('t', aConversation({ id: 'first' })));
      await change(keep('t', aConversation({ id: 'second' }), 'first'));

      await change(keep('t', aConversation({ id: 'late' }), 'first'));
      await change(keep('t', aConversation({ id: 'later still' })));

      expect((await conversation('UANA'))?.id).toBe('second');
    });

    it.each([
      [SECRECY.others, SECRECY.none],
      [SECRECY.thread, SECRECY.others],
    ])('never lower the secrecy %s of a conversation to %s', async (stored, lower) => {
      await change(keep('t', aConversation({ secrecy: stored })));

      await change(update(aConversation({ secrecy: lower, turnCount: 4 })));

      expect(await conversation('UANA')).toMatchObject({ secrecy: stored, turnCount: 4 });
    });

    it('have no conversation any more when the only one is dropped', async () => {
      await change(keep('t', aConversation({ id: 'ours' })));

      await change(drop(aConversation({ id: 'ours' })));
      await change(update(aConversation({ id: 'ours' })));

      expect(await conversation('UANA')).toBeUndefined();
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

const BENS = aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' });

function update(conversation: ThreadConversation): ThreadChange {
  return { kind: 'update', thread: 't', conversation };
}

function drop(conversation: ThreadConversation): ThreadChange {
  return { kind: 'drop', thread: 't', conversation };
}
