import { describe, expect, it } from 'vitest';
import type { ThreadConversation, ThreadStore } from '../../src/conversation/thread-store.ts';

export function describeThreadStore(
  current: () => ThreadStore,
  clock: { now(): number; pass(ms: number): void },
): void {
  describe('threads', () => {
    it('remember who has spoken in them', async () => {
      await current().engage('t', 'UANA', 'T1');
      await current().engage('t', 'UANA', 'T1');

      expect(await current().isEngaged('t', 'UANA')).toBe(true);
      expect(await current().isEngaged('t', 'UBEN')).toBe(false);
      expect(await current().isEngaged('other', 'UANA')).toBe(false);
    });

    it('have one conversation for all, and one for whoever needs their own', async () => {
      await current().keep('t', aConversation({ id: 'ours', owner: 'UANA' }));
      await current().keep('t', aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' }));

      expect((await current().conversation('t', 'UANA'))?.id).toBe('ours');
      expect((await current().conversation('t', 'UBEN'))?.id).toBe('bens');
      expect((await current().conversation('t', 'UKIM'))?.id).toBe('ours');
      expect(await current().conversation('other', 'UANA')).toBeUndefined();
    });

    it('write what changed about a conversation, wherever it is held', async () => {
      await current().keep('t', aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' }));

      await current().update('t', aConversation({ id: 'bens', owner: 'UBEN', turnCount: 3, hasPrivateAnswers: true }));

      expect(await current().conversation('t', 'UBEN')).toMatchObject({ turnCount: 3, hasPrivateAnswers: true });
    });

    it('fall back to the shared conversation when a person’s own is dropped', async () => {
      await current().keep('t', aConversation({ id: 'ours', owner: 'UANA' }));
      await current().keep('t', aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' }));

      await current().drop('t', 'bens');

      expect((await current().conversation('t', 'UBEN'))?.id).toBe('ours');
    });

    it('forget the conversation that another takes the place of', async () => {
      await current().keep('t', aConversation({ id: 'first' }));
      await current().keep('t', aConversation({ id: 'second' }), 'first');

      await current().update('t', aConversation({ id: 'first', turnCount: 9 }));
      await current().drop('t', 'first');

      expect(await current().conversation('t', 'UANA')).toMatchObject({ id: 'second', turnCount: 0 });
    });

    it('keep what another run has made meanwhile, whoever comes late with one', async () => {
      await current().keep('t', aConversation({ id: 'first' }));
      await current().keep('t', aConversation({ id: 'second' }), 'first');

      await current().keep('t', aConversation({ id: 'late' }), 'first');
      await current().keep('t', aConversation({ id: 'later still' }));

      expect((await current().conversation('t', 'UANA'))?.id).toBe('second');
    });

    it('never take back that a conversation has private answers', async () => {
      await current().keep('t', aConversation({ hasPrivateAnswers: true }));

      await current().update('t', aConversation({ hasPrivateAnswers: false, turnCount: 4 }));

      expect(await current().conversation('t', 'UANA')).toMatchObject({ hasPrivateAnswers: true, turnCount: 4 });
    });

    it('have no conversation any more when the only one is dropped', async () => {
      await current().keep('t', aConversation({ id: 'ours' }));

      await current().drop('t', 'ours');
      await current().update('t', aConversation({ id: 'ours' }));

      expect(await current().conversation('t', 'UANA')).toBeUndefined();
    });

    it('keep the fields that only a later release knows', async () => {
      const later = { ...aConversation(), schema: 2, mood: 'good' } as object as ThreadConversation;

      await current().keep('t', later);

      expect(await current().conversation('t', 'UANA')).toMatchObject({ schema: 2, mood: 'good' });
    });

    it('are forgotten when nothing happened in them', async () => {
      await current().engage('old', 'UANA', 'T1');
      await current().keep('old', aConversation());
      clock.pass(1_000);
      await current().engage('new', 'UANA', 'T1');

      const forgotten = await current().forget(clock.now());

      expect(forgotten).toBe(2);
      expect(await current().conversation('old', 'UANA')).toBeUndefined();
      expect(await current().isEngaged('old', 'UANA')).toBe(false);
      expect(await current().isEngaged('new', 'UANA')).toBe(true);
    });
  });
}

export function aConversation(change: Partial<ThreadConversation> = {}): ThreadConversation {
  return { schema: 1, id: 'c', owner: 'UANA', heldBy: 'thread', hasPrivateAnswers: false, turnCount: 0, ...change };
}
