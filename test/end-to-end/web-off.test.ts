import { describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld();

/** What the service was asked, and whether web search was turned off for it. */
const chats = () => world.assistant.ledger.chats().map(({ text, isWebEnabled }) => ({ text, isWebEnabled }));
const ana = () => world.slack.as('U0ANA');

describe('web search is off for one message', () => {
  it('by the command, which shows the question and answers under it', async () => {
    await ana().command('/assistant-web-off', 'what do our notes say?', CHANNEL);

    const root = await world.find('what do our notes');
    const [answer] = await world.waitForReplies(root);

    expect(chats()).toEqual([{ text: 'what do our notes say?', isWebEnabled: false }]);
    expect(world.slack.render(root)).toContain('asked, with web search off');
    expect(answer).toContain('Web search was off for this answer');
  });

  it('by the button under the answer of a command, whose question is read from the root', async () => {
    world.assistant.faults.next('504-json');
    await ana().command('/assistant-web-off', 'a <b> & "c" `d`?', CHANNEL);
    const root = await world.find('"c"');

    await ana().click(await world.reply(root), 'Ask again');
    await world.waitForReplies(root, 2);

    expect(chats()).toEqual([
      { text: 'a <b> & "c" `d`?', isWebEnabled: false },
      { text: 'a <b> & "c" `d`?', isWebEnabled: false },
    ]);
  });

  it('by the command without text, which asks for the question first', async () => {
    await ana().command('/assistant-web-off', '', CHANNEL);
    const view = await world.findWindow('Your question');

    const { closed } = await ana().submit(view, { 'Your question': 'typed into the modal' });

    expect(closed).toBe(true);
    await world.slack.until(() => chats().length === 1);
    expect(chats()).toEqual([{ text: 'typed into the modal', isWebEnabled: false }]);
  });

  it('but not for a question too long to be shown, which is given back, and posted nowhere', async () => {
    const typed = 'if (a < b && c > d) return; '.repeat(400).trim();

    const before = world.slack.as('U0BEN').sees(CHANNEL).length;
    const { reply } = await ana().command('/assistant-web-off', typed, CHANNEL);
    const given = await world.slack.until(() => {
      const alone = ana()
        .sees(CHANNEL)
        .filter(({ blocks }) => JSON.stringify(blocks).includes('if (a <'));
      return alone.length === 2 ? alone : undefined;
    });

    expect(reply?.ephemeralFor).toBe('U0ANA');
    expect(reply?.text).toMatch(/^That question is too long to be shown in the channel, so I did not ask it\./);
    expect(
      given
        .map((message) => world.slack.render(message))
        .join(' ')
        .match(/return;/g),
    ).toHaveLength(400);
    expect(given.map(({ ephemeralFor }) => ephemeralFor)).toEqual(['U0ANA', 'U0ANA']);
    expect(world.slack.as('U0BEN').sees(CHANNEL)).toHaveLength(before);
    expect(chats()).toEqual([]);
  });

  it('by the words, anywhere in a message in a thread, and on again for the next', async () => {
    const root = await world.ask('first');
    await ana().say(CHANNEL, 'second !web-off please', { threadTs: root.ts });
    await ana().say(CHANNEL, `${world.slack.mention} /assistant-web-off third`, { threadTs: root.ts });
    await ana().say(CHANNEL, 'fourth', { threadTs: root.ts });
    await world.waitForReplies(root, 4);

    expect(chats()).toEqual([
      { text: 'first', isWebEnabled: undefined },
      { text: 'second please', isWebEnabled: false },
      { text: 'third', isWebEnabled: false },
      { text: 'fourth', isWebEnabled: undefined },
    ]);
  });

  it('by the shortcut on a message, asked as the person who chose it', async () => {
    await world.signIn('U0BEN');
    const message = await ana().say(CHANNEL, 'who owns the launch?');

    await world.slack.as('U0BEN').shortcut(message, 'ask_without_web');
    const [answer] = await world.waitForReplies(message);

    expect(world.assistant.ledger.chats()).toMatchObject([
      { text: 'who owns the launch?', isWebEnabled: false, subject: 'ben' },
    ]);
    expect(answer).toContain('Ben Brandt');
  });

  it('by the shortcut on the question of a command, asked as it was typed and no shorter', async () => {
    const text = `which notes name ${'a & b, '.repeat(40)}and c?`;
    await ana().command('/assistant-web-off', text, CHANNEL);
    const root = await world.find('which notes name');
    await world.waitForReplies(root);

    await ana().shortcut(root, 'ask_without_web');
    await world.waitForReplies(root, 2);

    expect(chats().map((chat) => chat.text)).toEqual([text, text]);
  });

  it('where the app is not in the channel, the person is told what to do, in a direct message', async () => {
    await ana().command('/assistant-web-off', 'in a channel without the app', 'C0RANDOM');

    const told = await world.findDirect('cannot write');
    expect(world.slack.render(told)).toContain('/invite');
    expect(chats()).toEqual([]);
  });
});
