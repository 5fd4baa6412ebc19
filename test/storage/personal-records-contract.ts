import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { aConversation, changeThreads, engage, keep } from './change-thread.ts';

const ANA = { team: 'T1', user: 'UANA' };
const BEN = { team: 'T1', user: 'UBEN' };

export function describePersonalRecords(current: () => Store): void {
  describe('what is kept of a person', () => {
    const ask = async (id: string, asker = ANA, acceptedAt = 1_000, workspace = 'T1') => {
      const turn = aTurn({ id, lane: `${asker.team}:C1:${id}`, acceptedAt, question: aQuestion({ asker, workspace }) });
      await current().turns.accept(turn, [engage(turn.lane, asker.user, workspace)]);
      return turn;
    };
    const finish = async (id: string, asker = ANA, acceptedAt = 1_000, workspace = 'T1') =>
      current().turns.save({ ...(await ask(id, asker, acceptedAt, workspace)), stage: 'done', result: 'failed' });
    const idsOf = async (person: typeof ANA) => (await current().personal.turns(person)).map(({ id }) => id);

    it('are their turns in every stage, in order of acceptance', async () => {
      await current().turns.save({ ...(await ask('parked', ANA, 30)), stage: 'parked' });
      await finish('done', ANA, 20);
      await ask('open', ANA, 10);
      await finish('of-ben', BEN);

      expect(await idsOf(ANA)).toEqual(['open', 'done', 'parked']);
      expect((await current().personal.turns(ANA)).map(({ stage }) => stage)).toEqual(['accepted', 'done', 'parked']);
      expect(await idsOf({ team: 'T2', user: 'UANA' })).toEqual([]);
    });

    it('are the threads that they spoke in, and the conversations that were created for them', async () => {
      await changeThreads(
        current().turns,
        engage('T1:C1:1.1', 'UANA', 'T1'),
        engage('T1:C1:1.1', 'UBEN', 'T1'),
        engage('T2:C1:1.1', 'UANA', 'T2'),
        keep('T1:C1:1.1', aConversation({ id: 'ours', owner: 'UANA', turnCount: 3 })),
        keep('T1:C1:1.1', aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' })),
      );

      expect(await current().personal.threads(ANA)).toMatchObject({
        spokenIn: ['T1:C1:1.1'],
        conversations: [{ thread: 'T1:C1:1.1', conversation: { id: 'ours', turnCount: 3 } }],
      });
      expect(await current().personal.threads(BEN)).toMatchObject({
        conversations: [{ conversation: { id: 'bens' } }],
      });
    });

    it('is found in all workspaces of an organisation', async () => {
      const person = { team: 'E1', user: 'UANA' };
      await ask('first', person, 10, 'T1');
      await ask('second', person, 20, 'T2');

      expect(await idsOf(person)).toEqual(['first', 'second']);
      expect((await current().personal.threads(person)).spokenIn.toSorted()).toEqual(['E1:C1:first', 'E1:C1:second']);
    });

    it('is forgotten for them alone, but for what is not done', async () => {
      const thread = 'T1:C1:open';
      await finish('done');
      await finish('of-ben', BEN);
      await ask('open');
      await changeThreads(
        current().turns,
        engage(thread, 'UBEN', 'T1'),
        keep(thread, aConversation({ id: 'ours', owner: 'UANA' })),
        keep(thread, aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person' })),
      );

      // A done turn, two threads, a conversation.
      expect(await current().personal.forget(ANA)).toBe(4);

      // Ana’s is the turn with which these threads were written.
      expect(await current().turns.get('done')).toBeUndefined();
      expect((await current().turns.deadLetters(5)).map(({ id }) => id)).toEqual(['of-ben']);
      expect(await current().turns.get('open')).toMatchObject({ stage: 'accepted' });
      expect(await current().personal.threads(ANA)).toEqual({ spokenIn: [], conversations: [] });
      expect(await current().threads.isEngaged(thread, 'UANA')).toBe(false);
      expect(await current().threads.isEngaged(thread, 'UBEN')).toBe(true);
      expect(await current().threads.conversation(thread, 'UANA')).toBeUndefined();
      expect((await current().threads.conversation(thread, 'UBEN'))?.id).toBe('bens');
      expect(await current().personal.forget(ANA)).toBe(0);
    });

    it('is forgotten by the hundred', async () => {
      for (let index = 0; index < 450; index++) await finish(`turn-${index}`, index % 3 === 0 ? BEN : ANA);

      expect(await current().personal.forget(ANA)).toBe(600);

      expect(await idsOf(ANA)).toEqual([]);
      expect(await idsOf(BEN)).toHaveLength(150);
    });
  });
}
