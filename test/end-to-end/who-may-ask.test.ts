import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toAskedWords } from './asked-words.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld();
  await world.signIn('U0ANA');
});
beforeEach(() => world.assistant.ledger.clear());
afterAll(() => world.close());

const texts = () => world.assistant.ledger.chats().map(({ text }) => toAskedWords(text));

/** Long enough for an answer to have come, had there been one. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 400));

describe('a thread', () => {
  it('goes on without a mention for those who have spoken to the app in it, and for nobody else', async () => {
    const root = await world.ask('the root');
    await world.waitForReplies(root);

    await world.slack.as('U0BEN').say(CHANNEL, 'Ben to Ana, about lunch', { threadTs: root.ts });
    await world.slack.as('U0ANA').say(CHANNEL, 'a follow-up of Ana', { threadTs: root.ts });
    await world.waitForReplies(root, 2);
    await aWhile();

    expect(texts()).toEqual(['the root', 'a follow-up of Ana']);
  });

  it('in which somebody talks to somebody else is left alone', async () => {
    const root = await world.ask('another root');
    await world.waitForReplies(root);

    await world.slack.as('U0ANA').say(CHANNEL, '<@U0BEN> what do you think?', { threadTs: root.ts });
    await aWhile();

    expect(texts()).toEqual(['another root']);
  });

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

describe('left alone', () => {
  it.each(['U0OTHERBOT', 'U0BRIDGE'])('is a message of a bot, %s', async (user) => {
    await world.slack.emit({
      type: 'message',
      channel: CHANNEL,
      channel_type: 'channel',
      user,
      bot_id: 'B1',
      text: `${world.slack.mention} loop`,
      ts: '1700000000.000100',
    });
    await aWhile();

    expect(texts()).toEqual([]);
  });

  it('are edits that mention nobody, and people who join', async () => {
    const message = await world.slack.as('U0ANA').say(CHANNEL, 'nothing for you');
    await world.slack.as('U0ANA').edit(message, 'still nothing for you');
    await world.slack.emit({
      type: 'message',
      subtype: 'channel_join',
      channel: CHANNEL,
      user: 'U0ANA',
      text: `${world.slack.mention} joined`,
      ts: '1700000000.000200',
    });
    await aWhile();

    expect(texts()).toEqual([]);
  });
});

describe('Slack’s own Stop', () => {
  it('breaks off what this person asked, and says so with a way to ask again', async () => {
    world.assistant.hold();
    const question = await world.ask('a long one');
    await world.slack.until(() => world.assistant.held === 1);

    await world.slack.as('U0BEN').stop({ channel: CHANNEL, threadTs: question.ts });
    await aWhile();
    expect(world.repliesIn(question)).toEqual([]);
    await world.slack.as('U0ANA').stop({ channel: CHANNEL, threadTs: question.ts });
    const replies = await world.waitForReplies(question);
    world.assistant.release();
    await aWhile();

    expect(replies).toEqual([expect.stringContaining('Stopped.')]);
    expect(replies[0]).toContain('[Ask again]');
    expect(world.repliesIn(question)).toHaveLength(1);
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

  it('is answered in again once it is not shared any more', async () => {
    world.slack.workspace.addChannel({
      id: 'C0ALONE',
      name: 'alone',
      members: ['U0ANA', 'U0BRIDGE'],
      isExtShared: true,
    });
    await world.slack.as('U0ANA').command('/assistant-web-off', 'too early', 'C0ALONE');
    await world.slack.until(() => world.slack.as('U0ANA').sees('C0ALONE').length > 0);

    world.slack.workspace.changeChannel('C0ALONE', { isExtShared: false });
    await aWhile();
    const after = await world.slack.as('U0ANA').say('C0ALONE', `${world.slack.mention} and now?`);
    await world.waitForReplies(after);

    expect(texts()).toEqual(['and now?']);
  });
});

describe('a time zone', () => {
  it('that somebody changes in Slack goes along from then on', async () => {
    const before = await world.ask('where am I?');
    await world.waitForReplies(before);

    await world.slack.workspace.changeUser('U0ANA', { tz: 'Asia/Tokyo' });
    await aWhile();
    const after = await world.ask('and now?');
    await world.waitForReplies(after);

    expect(world.assistant.ledger.chats().map(({ timeZone }) => timeZone)).toEqual([
      'America/Los_Angeles',
      'Asia/Tokyo',
    ]);
  });
});
