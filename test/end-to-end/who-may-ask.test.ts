import { describe, expect, it } from 'vitest';
import { findPrompt } from '../app/sign-in.ts';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, shareLiveWorld } from './live-world.ts';

let world: LiveWorld;

shareLiveWorld((started) => {
  world = started;
});

const texts = () => world.assistant.ledger.chats().map(({ text }) => toAskedWords(text));

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

describe('a thread', () => {
  it('answers everybody with their own rights, in a conversation the service lets them into', async () => {
    await world.signIn('U0BEN');
    const root = await world.ask('asked by Ana');
    await world.waitForReplies(root);

    await world.slack.as('U0BEN').say(CHANNEL, `${world.slack.mention} asked by Ben`, { threadTs: root.ts });
    await world.waitForReplies(root, 2);
    await world.slack.as('U0BEN').say(CHANNEL, 'and once more', { threadTs: root.ts });
    const replies = await world.waitForReplies(root, 3);

    const processed = world.assistant.ledger.chats().filter(({ isProcessed }) => isProcessed);
    expect(processed.map(({ subject, text }) => [subject, toAskedWords(text)])).toEqual([
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

describe('refused', () => {
  it.each(['U0GUEST', 'U0STRANGER'])('is %s, where nobody else sees it, and the service is not asked', async (user) => {
    world.slack.workspace.join(CHANNEL, user);
    const question = await world.slack.as(user).say(CHANNEL, `${world.slack.mention} let me in`);

    const told = await world.slack.until(() =>
      world.slack
        .as(user)
        .sees(CHANNEL)
        .find(({ ephemeralFor }) => ephemeralFor),
    );

    expect(world.slack.render(told)).toContain('members of this organisation');
    expect(world.repliesIn(question)).toEqual([]);
    expect(texts()).toEqual([]);
  });

  it('is a guest in a direct message, too, without being asked to sign in', async () => {
    const guest = world.slack.as('U0GUEST');
    const question = await guest.say(guest.dm, 'just between us?');

    const told = await world.slack.until(() => guest.sees(guest.dm, question.ts).find(({ botId }) => botId));

    expect(world.slack.render(told)).toContain('members of this organisation');
    expect(world.slack.render(told)).not.toContain('[Sign in]');
    expect(texts()).toEqual([]);
  });

  /** What Ana alone is told in a channel of which others say that it is shared. */
  const toldOfSharing = async (channel: string) => {
    const ana = world.slack.as('U0ANA');
    const told = await world.slack.until(() => ana.sees(channel).find(({ ephemeralFor }) => ephemeralFor));
    expect(world.slack.render(told)).toContain('shared with another organisation');
  };

  it('is every question in a channel that is shared with another organisation', async () => {
    const question = await world.slack.as('U0ANA').say('C0PARTNER', `${world.slack.mention} what are our secrets?`);

    await toldOfSharing('C0PARTNER');

    expect(world.repliesIn({ channel: 'C0PARTNER', ts: question.ts })).toEqual([]);
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
    const members = ['U0ANA', 'U0BRIDGE'];
    world.slack.workspace.addChannel({ id: 'C0LATER', name: 'later', members });
    const before = await world.slack.as('U0ANA').say('C0LATER', `${world.slack.mention} still among us?`);
    await world.waitForReplies(before);

    world.slack.workspace.changeChannel('C0LATER', { isExtShared: true });
    const after = await world.slack.as('U0ANA').say('C0LATER', `${world.slack.mention} and now?`);
    await toldOfSharing('C0LATER');

    expect(world.repliesIn(after)).toEqual([]);
    expect(texts()).toEqual(['still among us?']);
  });
});

describe('a channel that becomes shared', () => {
  it('is known to be at once, also where a command comes without a word about it', async () => {
    const members = ['U0ANA', 'U0BRIDGE'];
    world.slack.workspace.addChannel({ id: 'C0SOON', name: 'soon', members });
    const before = await world.slack.as('U0ANA').say('C0SOON', `${world.slack.mention} still among us?`);
    await world.waitForReplies(before);

    world.slack.workspace.changeChannel('C0SOON', { isExtShared: true });
    await aWhile();
    await world.slack.as('U0ANA').command('/assistant-web-off', 'and now?', 'C0SOON');
    const told = await world.slack.until(() =>
      world.slack
        .as('U0ANA')
        .sees('C0SOON')
        .find(({ ephemeralFor }) => ephemeralFor),
    );

    expect(world.slack.render(told)).toContain('shared with another organisation');
    expect(texts()).toEqual(['still among us?']);
  });
});

const status = async (user: string) =>
  (await world.slack.as(user).command('/assistant', 'status', CHANNEL)).reply?.text;

const linesOfLeaving = () => world.app.lines.filter((line) => line.includes('somebody has left'));

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
    const kim = world.slack.as('U0KIM');
    await kim.say(CHANNEL, `${world.slack.mention} what is on today?`);
    await findPrompt(world, 'U0KIM');
    // It is parked after the prompt.
    await aWhile();

    world.slack.workspace.changeUser('U0KIM', { deleted: true });
    await world.slack.until(() => world.app.lines.some((line) => line.includes('"result":"cancelled"')));
    world.slack.workspace.changeUser('U0KIM', { deleted: false });
    const { reply } = await kim.command('/assistant', 'sign-in', CHANNEL);

    expect(reply && world.slack.render(reply)).not.toContain('wait');
    expect(world.assistant.ledger.chats()).toEqual([]);
  });
});
