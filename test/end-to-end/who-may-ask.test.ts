import { describe, expect, it } from 'vitest';
import { findPrompt } from '../app/sign-in.ts';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld();

const texts = () => world.assistant.ledger.chats().map(({ text }) => text);

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

describe('a thread', () => {
  it('answers everybody with their own rights, in a conversation the service lets them into', async () => {
    await world.signIn('U0BEN');
    const { question: root } = await world.askAndWait('asked by Ana');

    await world.askAndWait('asked by Ben', { user: 'U0BEN', threadTs: root.ts });
    await world.slack.as('U0BEN').say(CHANNEL, 'and once more', { threadTs: root.ts });
    const replies = await world.waitForReplies(root, 3);

    const processed = world.assistant.ledger.chats().filter(({ isProcessed }) => isProcessed);
    expect(world.asked()).toEqual([
      ['ana', 'asked by Ana'],
      ['ben', 'asked by Ben'],
      ['ben', 'and once more'],
    ]);
    expect(processed[1]?.conversation).not.toBe(processed[0]?.conversation);
    expect(processed[2]?.conversation).toBe(processed[1]?.conversation);
    expect(replies[1]).toContain('Ben Brandt');
    expect(replies[1]).not.toContain('asked by Ana');
  });
});

/** What Ana alone is told in a channel that is shared. */
async function toldOfSharing(channel: string): Promise<void> {
  const told = await world.find('shared with another organisation', { channel });
  expect(told.ephemeralFor).toBe('U0ANA');
}

/** A channel that was not shared when Ana asked in it, and is now. */
async function shareLater(id: string): Promise<void> {
  world.slack.workspace.addChannel({ id, name: id.toLowerCase(), members: ['U0ANA', 'U0BRIDGE'] });
  await world.askAndWait('still among us?', { channel: id });
  world.slack.workspace.changeChannel(id, { isExtShared: true });
}

describe('refused', () => {
  it.each(['U0GUEST', 'U0STRANGER'])('is %s, where nobody else sees it, and the service is not asked', async (user) => {
    world.slack.workspace.join(CHANNEL, user);
    const question = await world.ask('let me in', { user });
    const told = await world.find('members of this organisation', { user });

    expect(told.ephemeralFor).toBe(user);
    expect(world.repliesIn(question)).toEqual([]);
    expect(texts()).toEqual([]);
  });

  it('is a guest in a direct message, too, without being asked to sign in', async () => {
    const channel = world.slack.as('U0GUEST').dm;
    const { text } = await world.askAndWait('just between us?', { user: 'U0GUEST', channel });

    expect(text).toContain('members of this organisation');
    expect(text).not.toContain('[Sign in]');
    expect(texts()).toEqual([]);
  });

  it('is every question in a channel that is shared with another organisation', async () => {
    const question = await world.ask('what are our secrets?', { channel: 'C0PARTNER' });

    await toldOfSharing('C0PARTNER');

    expect(world.repliesIn(question)).toEqual([]);
    expect(texts()).toEqual([]);
  });

  it('is a command in such a channel, though nothing that comes with it says what the channel is', async () => {
    const members = ['U0ANA', 'U0STRANGER', 'U0BRIDGE'];
    world.slack.workspace.addChannel({ id: 'C0JOINT', name: 'joint', members, isExtShared: true });

    await world.slack.as('U0ANA').command('/assistant-web-off', 'what are our secrets?', 'C0JOINT');
    await toldOfSharing('C0JOINT');

    expect(world.slack.as('U0STRANGER').sees('C0JOINT')).toEqual([]);
    expect(texts()).toEqual([]);
  });

  it('is a question in a channel that was shared since we looked, as the event says', async () => {
    await shareLater('C0LATER');

    const after = await world.ask('and now?', { channel: 'C0LATER' });
    await toldOfSharing('C0LATER');

    expect(world.repliesIn(after)).toEqual([]);
    expect(texts()).toEqual(['still among us?']);
  });
});

describe('a channel that becomes shared', () => {
  it('is known to be at once, also where a command comes without a word about it', async () => {
    await shareLater('C0SOON');
    await aWhile();

    await world.slack.as('U0ANA').command('/assistant-web-off', 'and now?', 'C0SOON');
    await toldOfSharing('C0SOON');

    expect(texts()).toEqual(['still among us?']);
  });
});

describe('somebody whose Slack account is deactivated', () => {
  it('has no sign-in left when they come back', async () => {
    expect(await world.command('status')).toContain('signed in as');

    world.slack.workspace.changeUser('U0ANA', { deleted: true });
    await world.untilLogged('somebody has left');
    world.slack.workspace.changeUser('U0ANA', { deleted: false });

    expect(await world.command('status')).toContain('not signed in');
    expect(world.logged('somebody has left')).toEqual([expect.not.stringContaining('U0ANA')]);
  });

  it('loses the questions that wait for their sign-in', async () => {
    await world.ask('what is on today?', { user: 'U0KIM' });
    await findPrompt(world, 'U0KIM');
    // It is parked after the prompt.
    await aWhile();

    world.slack.workspace.changeUser('U0KIM', { deleted: true });
    await world.untilLogged('"result":"cancelled"');
    world.slack.workspace.changeUser('U0KIM', { deleted: false });

    expect(await world.command('sign-in', { user: 'U0KIM' })).not.toContain('wait');
    expect(world.assistant.ledger.chats()).toEqual([]);
  });
});
