import { expect, it } from 'vitest';
import { type BulkButtonPorts, registerBulkButtons } from '../../../src/governance/bulk/bulk-buttons.ts';
import type { AdminShell, Clicked } from '../../../src/governance/shell/admin-shell.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { readTexts } from '../limits/limit-samples.ts';
import { aBulkWorld, KIM, LEE } from './bulk-world.ts';

const ID = 'abcdef012345';

it('gives its changes as a file to its admin, and to who was asked to approve it, and to nobody else', async () => {
  const world = aBulkWorld(2, createMemoryStore);
  await world.planAll(ID);
  const sent: string[] = [];
  const works = new Map<unknown, (clicked: Clicked) => Promise<void>>();
  const shell = { onClick: (id: unknown, work: (clicked: Clicked) => Promise<void>) => works.set(id, work) };
  const ports = {
    ...world.startProcess().ports,
    sendFile: async ({ user }: { user: string }) => void sent.push(user),
  };
  registerBulkButtons(shell as unknown as AdminShell, ports as unknown as BulkButtonPorts);
  const click = async (caller: typeof KIM) => {
    const said: unknown[] = [];
    const say = async (content: unknown) => said.push(content) > 0;
    await works.get('admin_bulk_export_csv')?.({ value: ID, caller, say } as unknown as Clicked);
    return readTexts(said);
  };

  const [own, foreign] = [await click(KIM), await click(LEE)];
  await world.records.choose(ID, LEE.user);
  const asked = await click(LEE);

  expect(own).toContain('2 rows');
  expect(foreign).toContain('is not kept any more');
  expect(asked).toContain('2 rows');
  expect(sent).toEqual([KIM.user, LEE.user]);
});
