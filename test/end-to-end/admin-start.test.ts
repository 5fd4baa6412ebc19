// What administrators do is loaded after the start: a command that comes at that moment is answered as any other.
import { expect, it } from 'vitest';
import { readPrivate } from '../app/administer.ts';
import { KIM } from './admin-world.ts';
import { openAdminWorld } from './live-admin.ts';

const COMMANDS = ['agents', 'help', 'log'];

it('commands right at the start are taken, and answered', async () => {
  const world = await openAdminWorld();

  for (const round of [1, 2, 3]) {
    const before = readPrivate(world, KIM).length;
    await world.restart();
    const give = (text: string) => world.slack.as(KIM).command('/assistant-admin', text, 'C0GENERAL');
    const taken = await Promise.all(COMMANDS.map(give));
    const find = () => readPrivate(world, KIM)[before + COMMANDS.length - 1];
    await world.slack.until(find, { what: 'an answer to each' });

    // On a busy machine Slack may not wait for it, and the answer comes all the same.
    const refused = taken.filter(({ status = 200 }) => status !== 200);
    expect([round, refused]).toEqual([round, []]);
    expect(world.logged('listener failed')).toEqual([]);
  }
});
