import { describe, expect, it } from 'vitest';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

async function open(): Promise<LiveWorld> {
  const world = await openLiveWorld();
  await world.signIn('U0ANA');
  return world;
}

describe('the process', () => {
  it('on SIGTERM finishes what runs, then ends with 0', async () => {
    const world = await open();
    world.assistant.onChat(() => new Promise((resolve) => setTimeout(resolve, 700)));
    const question = await world.ask('before the stop');
    await world.slack.until(() => world.assistant.ledger.chats().length === 1);

    await world.app.kill('SIGTERM');

    expect(await world.app.ended).toBe(0);
    expect(await world.waitForReplies(question)).toEqual([expect.stringContaining('before the stop')]);
  });

  it('on a second signal ends at once', async () => {
    const world = await open();
    world.assistant.hold();
    await world.ask('never answered');
    await world.slack.until(() => world.assistant.held === 1);
    process.kill(world.app.pid, 'SIGTERM');
    // A repetition within a second counts as the same stop: whole process groups are signalled.
    await new Promise((resolve) => setTimeout(resolve, 1_200));

    await world.app.kill('SIGINT');

    // A stop that had waited for the question would end with 0.
    expect(await world.app.ended).toBe(1);
  });
});
