import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveWorld, startLiveWorld } from './live-world.ts';

describe('the process', () => {
  let world: LiveWorld;

  beforeEach(async () => {
    world = await startLiveWorld();
    await world.signIn('U0ANA');
  });
  afterEach(() => world.close());

  it('on SIGTERM finishes what runs, then ends with 0', async () => {
    world.assistant.onChat(() => new Promise((resolve) => setTimeout(resolve, 700)));
    const question = await world.ask('before the stop');
    await world.slack.until(() => world.assistant.ledger.chats().length === 1);

    await world.app.kill('SIGTERM');

    expect(await world.app.ended).toBe(0);
    expect(world.repliesIn(question).map((message) => world.slack.render(message))).toEqual([
      expect.stringContaining('before the stop'),
    ]);
  });

  it('on a second signal ends at once', async () => {
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
