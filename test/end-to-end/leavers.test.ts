import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrompt } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
afterAll(() => world.close());

const status = async (user: 'U0ANA' | 'U0BEN') =>
  (await world.slack.as(user).command('/assistant', 'status', CHANNEL)).reply?.text;

const linesOfLeaving = () => world.app.lines.filter((line) => line.includes('somebody has left'));

/** Long enough for the question to be parked, which is after the prompt. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

describe('somebody whose Slack account is deactivated', () => {
  it('has no sign-in left when they come back', async () => {
    expect(await status('U0ANA')).toContain('signed in as');

    world.slack.workspace.changeUser('U0ANA', { deleted: true });
    await world.slack.until(() => linesOfLeaving().length > 0, { what: 'the end of the sign-in' });
    world.slack.workspace.changeUser('U0ANA', { deleted: false });

    expect(await status('U0ANA')).toContain('not signed in');
    expect(linesOfLeaving()).toEqual([expect.not.stringContaining('U0ANA')]);
  });

  it('loses the questions that wait for their sign-in', async () => {
    const ben = world.slack.as('U0BEN');
    await ben.say(CHANNEL, `${world.slack.mention} what is on today?`);
    await findPrompt(world, 'U0BEN');
    await aWhile();

    world.slack.workspace.changeUser('U0BEN', { deleted: true });
    await world.slack.until(() => world.app.lines.some((line) => line.includes('"result":"cancelled"')));
    world.slack.workspace.changeUser('U0BEN', { deleted: false });
    const { reply } = await ben.command('/assistant', 'sign-in', CHANNEL);

    expect(reply && world.slack.render(reply)).not.toContain('wait');
    expect(world.assistant.ledger.chats()).toEqual([]);
  });
});
