import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { aQuestion, aTurn } from '../conversation/a-question.ts';
import { anEntry } from '../governance/audit/samples.ts';
import { aLink } from './a-link.ts';
import { beginRun } from './begin-run.ts';
import { aConversation, changeThreads, engage, keep } from './change-thread.ts';
import { anInstallation } from './installation-store-contract.ts';
import { anAddition } from './usage-store-contract.ts';

export function describePurge(current: () => Store): void {
  describe('a purge', () => {
    it('removes all that is kept of a workspace', async () => {
      await fill(current(), 'T1');

      // Two parked, one open, one done; two people in the thread, and two conversations; one link; a count and a mark.
      expect(await current().purge('T1')).toBe(11);

      expect(await whatIsLeft(current(), 'T1')).toEqual(NOTHING);
      expect(await current().turns.counts()).toEqual({ byStage: {}, oldestAcceptedAt: undefined });
      expect(await current().purge('T1')).toBe(0);
    });

    it('leaves another workspace alone, where all is of the same ids', async () => {
      await fill(current(), 'T1');
      await fill(current(), 'T2');
      const before = await whatIsLeft(current(), 'T2');

      await current().purge('T1');

      expect(await whatIsLeft(current(), 'T2')).toEqual(before);
      expect(await whatIsLeft(current(), 'T1')).toEqual(NOTHING);
    });

    it('tells apart what two workspaces of an organisation have in one thread', async () => {
      const thread = 'E1:C1:100.1';
      await changeThreads(
        current().turns,
        engage(thread, 'UANA', 'T1'),
        engage(thread, 'UBEN', 'T2'),
        keep(thread, aConversation({ id: 'anas', owner: 'UANA', workspace: 'T1' })),
        keep(thread, aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person', workspace: 'T2' })),
      );

      // With the turn that they came with.
      expect(await current().purge('T1')).toBe(3);

      expect(await current().threads.isEngaged(thread, 'UANA')).toBe(false);
      expect(await current().threads.isEngaged(thread, 'UBEN')).toBe(true);
      expect(await current().threads.conversation(thread, 'UANA')).toBeUndefined();
      expect((await current().threads.conversation(thread, 'UBEN'))?.id).toBe('bens');
    });

    it('fences off the runs that are in progress', async () => {
      await current().turns.accept(aTurn());
      const run = await beginRun(current().turns, aTurn().id);

      await current().purge('T1');

      expect(run && (await current().turns.save({ ...run, stage: 'answered' }))).toBe(false);
      expect(await current().turns.get(aTurn().id)).toBeUndefined();
    });

    it('leaves the audit log and the installation', async () => {
      await current().installations.put(anInstallation());
      await current().audit.append(anEntry({ workspace: 'T1' }));

      await current().purge('T1');

      expect(await current().installations.get('T1')).toBeDefined();
      expect(await current().audit.list({ limit: 10 })).toHaveLength(1);
    });

    it('removes who was greeted, who opened the home tab, and whose report is the latest, in no other workspace', async () => {
      const keys = (team: string) => [`greeted:${team}:UANA`, `home:${team}:UANA`, `report-latest:${team}:UANA`];
      const others = [...keys('T2'), ...keys('T11'), 'other:T1:UANA'];
      for (const key of [...keys('T1'), ...others]) await current().once.put(key, 'yes', Date.now() + 60_000);

      expect(await current().purge('T1')).toBe(3);

      for (const key of keys('T1')) expect(await current().once.peek(key)).toBeUndefined();
      for (const key of others) expect(await current().once.peek(key)).toBe('yes');
    });

    it('lets the same ids be used again', async () => {
      await fill(current(), 'T1');

      await current().purge('T1');
      await fill(current(), 'T1');

      expect(await current().turns.counts()).toMatchObject({ byStage: { parked: 2, accepted: 1 } });
      expect(await current().links.get(aLink())).toBeDefined();
    });

    it('finds a link where it was moved to', async () => {
      await current().links.save(aLink({ team: 'E1', workspace: 'T1' }), 0);
      const { version = 0 } = (await current().links.get(aLink({ team: 'E1' }))) ?? {};
      await current().links.save(aLink({ team: 'E1', workspace: 'T2' }), version);

      expect(await current().purge('T1')).toBe(0);
      expect(await current().purge('T2')).toBe(1);
    });

    it('removes hundreds', async () => {
      for (let index = 0; index < 620; index++) {
        await current().turns.accept(aTurn({ id: `turn-${index}` }), [engage(`T1:C1:${index}`, 'UANA', 'T1')]);
      }

      expect(await current().purge('T1')).toBe(1240);

      expect(await current().turns.dueLanes(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });
  });
}

/** Something of everything, with ids that are the same in every workspace but for the team in the keys. */
async function fill({ turns, links, usage }: Store, team: string): Promise<void> {
  const thread = `${team}:C1:100.1`;
  const question = aQuestion({ asker: { team, user: 'UANA' }, workspace: team });
  const changes = [
    engage(thread, 'UANA', team),
    engage(thread, 'UBEN', team),
    keep(thread, aConversation({ id: 'ours', workspace: team })),
    keep(thread, aConversation({ id: 'bens', owner: 'UBEN', heldBy: 'person', workspace: team })),
  ];
  for (const [id, stage] of Object.entries({ a: 'parked', b: 'parked', c: 'accepted', d: 'done' } as const)) {
    const turn = aTurn({ id: `message:${team}:${id}`, lane: thread, question });
    await turns.accept(turn, id === 'a' ? changes : []);
    await turns.save({ ...turn, stage, ...(stage === 'done' && { result: 'failed' }) });
  }
  await links.save(aLink({ team, workspace: team }), 0);
  await usage.add({ ...anAddition(1, { questions: 1 }, { questions: ['ana'] }), workspace: team });
}

const NOTHING = {
  turns: [undefined, undefined, undefined, undefined],
  head: undefined,
  parked: [],
  dead: [],
  engaged: [false, false],
  conversations: [undefined, undefined],
  link: undefined,
  usage: { counts: {}, people: {}, firstDay: undefined },
};

async function whatIsLeft({ turns, threads, links, usage }: Store, team: string): Promise<typeof NOTHING | object> {
  const thread = `${team}:C1:100.1`;
  const ids = ['a', 'b', 'c', 'd'].map((id) => `message:${team}:${id}`);
  const users = ['UANA', 'UBEN'];
  return {
    turns: await Promise.all(ids.map((id) => turns.get(id))),
    head: await turns.head(thread),
    parked: await turns.parked({ team, user: 'UANA' }),
    dead: (await turns.deadLetters(10)).filter(({ id }) => id.includes(team)),
    engaged: await Promise.all(users.map((user) => threads.isEngaged(thread, user))),
    conversations: await Promise.all(users.map((user) => threads.conversation(thread, user))),
    link: await links.get(aLink({ team })),
    usage: await usage.read(team, 0),
  };
}
