// Who reads an answer: the channel with guests or without, or the asker alone.

import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Block, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { linkTo, type Place, toAskedWords } from './steps.ts';

const WITH_GUEST = 'C0PROJECT';
const STAFF = ['U0ANA', 'U0BEN', 'U0KIM', 'U0BRIDGE'];

const world = shareLiveWorld({
  assistant: { answer: ({ text, name }) => `for ${name}: ${toAskedWords(text)}` },
  signedIn: ['U0ANA', 'U0BEN'],
});
beforeAll(() => {
  world.assistant.access.others = 'allowed';
});

const ana = () => world.slack.as('U0ANA');

let channels = 0;

/** Nothing is known of a new channel. */
function newChannel(members = STAFF): string {
  const id = `C0NEW${channels++}`;
  return world.slack.workspace.addChannel({ id, name: id.toLowerCase(), members }).id;
}

/** Asks there. `thread`: what everybody in the channel reads of the reply; `direct`: the answers that Ana alone got to it. */
async function askIn(channel: string, text: string) {
  const { question, text: thread } = await world.askAndWait(text, { channel });
  const isAnswer = (message: Message) => Boolean(message.botId) && message.text.includes(text);
  return { question, thread, direct: ana().sees(ana().dm).filter(isAnswer) };
}

function buttonsOf({ blocks }: Message): Block[] {
  return blocks.flatMap((block) => (block.type === 'actions' ? (block.elements as Block[]) : []));
}

async function expectPrivate(channel: string, text: string, reason: string) {
  const { question, thread, direct } = await askIn(channel, text);

  expect(thread).toContain(reason);
  expect(thread).not.toContain(text);
  expect(direct).toHaveLength(1);
  return { question, direct };
}

async function expectInThread(channel: string, text: string) {
  const { question, thread, direct } = await askIn(channel, text);

  expect(thread).toContain(`for Ana Alvarez: ${text}`);
  expect(direct).toEqual([]);
  return question;
}

describe('where a guest reads the channel', () => {
  it('the answer goes to the asker alone, and the thread says why', async () => {
    const { question, direct } = await expectPrivate(WITH_GUEST, 'what do we earn?', 'guests can read this channel');

    const told = direct.map((message) => world.slack.render(message)).join();
    expect(told).toContain('Sent to you alone, because you asked in #project, which guests can read.');
    const overheard = world.slack.as('U0GUEST').sees(WITH_GUEST, question.ts);
    expect(overheard.map((message) => world.slack.render(message)).join()).not.toContain('for Ana');
  });

  it('the asker can share it there, after a dialog that names the guests', async () => {
    const { question, direct } = await expectPrivate(WITH_GUEST, 'what is for all?', 'guests can read this channel');
    const [answer] = direct;
    if (!answer) throw new Error('no answer');

    const share = buttonsOf(answer).find(({ action_id }) => action_id === 'share_in_thread');
    await ana().click(answer, 'Share in thread');
    const replies = await world.waitForReplies(question, 2);

    expect(share?.confirm).toMatchObject({ text: { text: expect.stringContaining('Guests can read the channel') } });
    expect(replies[1]).toContain('for Ana Alvarez: what is for all?');
    expect(replies[1]).not.toContain('Sent to you alone');
  });
});

describe('where members read the channel', () => {
  it('the answer is posted in the thread, also if bots and deactivated people are in it', async () => {
    await expectInThread(newChannel([...STAFF, 'U0OTHERBOT', 'U0GONE']), 'among us?');
    await expectInThread('C0FINANCE', 'in a private channel?');
    await expectInThread('C0GROUPDM', 'in a group?');
  });
});

describe('where nobody can say who reads the channel', () => {
  it.each([
    ['Slack fails', { kind: 'status', status: 500 }],
    ['a scope is missing', { kind: 'slackError', error: 'missing_scope' }],
    ['Slack asks to wait', { kind: 'rateLimited', retryAfterSeconds: 30 }],
  ] as const)('the answer goes to the asker alone: %s', async (what, fault) => {
    world.slack.faults.always('conversations.members', fault);

    await expectPrivate(
      newChannel(),
      `who reads? ${what}`,
      'I could not find out whether guests can read this channel',
    );

    await world.untilLogged('audience of a channel not known');
  });
});

describe('with GUEST_CHANNELS=thread and THREAD_CONTEXT=off', () => {
  const open = shareLiveWorld({ environment: { GUEST_CHANNELS: 'thread', THREAD_CONTEXT: 'off' } });

  it('answers are posted in the thread, whoever reads it, and nobody is asked for', async () => {
    const { text } = await open.askAndWait('hello', { channel: WITH_GUEST });

    expect(text).toContain('[Ask again without web]');
    expect(open.slack.ledger.calls('conversations.members')).toEqual([]);
  });

  it('the asker’s words go along alone', async () => {
    const root = await open.slack.as('U0BEN').say(CHANNEL, 'the beginning');
    const other = await open.slack.as('U0BEN').say(WITH_GUEST, 'elsewhere');

    const { text } = await open.askAndWait(`and ${linkTo(other)}?`, { threadTs: root.ts });

    expect(open.assistant.ledger.chats().at(-1)?.text).not.toMatch(/the beginning|elsewhere/);
    expect(text).toContain('messages from Slack are not passed on here');
  });
});

it('somebody who was answered in #general is answered there as before', async () => {
  await expectInThread(CHANNEL, 'as before');
});

const say = (user: string, text: string, thread?: Place) =>
  world.ask(text, { user, ...(thread && { threadTs: thread.ts }) });

/** The conversation that each question went to, by the question’s text. */
const conversationOf = (text: string) =>
  world.assistant.ledger.chats().find((chat) => toAskedWords(chat.text) === text)?.conversation ??
  `"${text}" was not asked`;

const directTo = (user: string): Message[] => world.slack.as(user).sees(world.slack.as(user).dm);

/** Ana is answered in the thread, Ben and Kim alone; the service would let everybody into every conversation. */
describe('somebody who is answered alone', () => {
  beforeAll(async () => {
    await changeAnswersOf('U0BEN', 'private');
    await world.signIn('U0KIM', 'private');
  });

  it('never joins the conversation of those who are answered in the thread, nor they theirs', async () => {
    const root = await say('U0ANA', 'Ana begins');
    await world.waitForReplies(root);
    await say('U0BEN', 'Ben asks alone', root);
    await world.waitForReplies(root, 2);
    await say('U0ANA', 'Ana goes on', root);
    const replies = await world.waitForReplies(root, 3);

    expect(conversationOf('Ana goes on')).toBe(conversationOf('Ana begins'));
    expect(conversationOf('Ben asks alone')).not.toBe(conversationOf('Ana begins'));
    expect(replies.join()).not.toContain('Ben asks alone');
    expect(directTo('U0BEN').some(({ text }) => text.includes('Ben asks alone'))).toBe(true);
  });

  it('keeps everybody out of a conversation that was open to all before, from the question on', async () => {
    const root = await say('U0ANA', 'Ana in the open');
    await world.waitForReplies(root);
    const open = conversationOf('Ana in the open');
    await changeAnswersOf('U0ANA', 'private');
    world.assistant.faults.next('504-json');
    await say('U0ANA', 'Ana alone', root);
    await world.waitForReplies(root, 2);
    const alone = conversationOf('Ana alone');
    await changeAnswersOf('U0BEN', 'thread');
    await say('U0BEN', 'Ben looks in', root);
    await world.waitForReplies(root, 3);

    expect(alone).toBe(open);
    expect(conversationOf('Ben looks in')).not.toBe(open);
  });
});

describe('an answer that its asker alone got', () => {
  const kim = () => world.slack.as('U0KIM');
  const shareable = (words: string) => (message: Message) =>
    message.text.includes(words) && world.slack.render(message).includes('[Share in thread]');

  it('can be shown to the thread, once; the thread has a stub meanwhile that says nothing of it', async () => {
    const question = await say('U0KIM', 'what is for all?');
    const [stub] = await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').find(shareable('what is for all?')));

    await Promise.all([kim().click(answer, 'Share in thread'), kim().click(answer, 'Share in thread')]);
    await world.waitForReplies(question, 2);
    await say('U0KIM', 'the last one', question);
    const replies = await world.waitForReplies(question, 3);

    expect(stub).toContain('got the answer in a direct message');
    expect(stub).not.toContain('what is for all?');
    expect(replies[1]).toContain('for Kim Kato: what is for all?');
    expect(replies[1]).toContain('with their own access rights');
    expect(replies[2]).toContain('got the answer in a direct message');
    expect(world.assistant.ledger.chats()).toHaveLength(2);
  });

  it('can be shown whole where it is long, in order', async () => {
    const words = Array.from({ length: 3_500 }, (_, index) =>
      index % 50 === 49 ? `word${index}\n\n` : `word${index}`,
    );
    const question = await say('U0KIM', words.join(' '));
    await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').findLast(shareable('')));

    await kim().click(answer, 'Share in thread');
    const shown = () => world.repliesIn(question).map((message) => world.slack.render(message));
    const shared = () => `${shown()}`.match(/word\d+/g);
    await world.slack.until(() => shared()?.length === words.length, { what: 'all words' });

    expect(shared()).toEqual(words.map((word) => word.trim()));
  });
});

describe('signing out', () => {
  it('while the question is asked does not make the answer public', async () => {
    world.assistant.hold();
    const question = await say('U0KIM', 'what does Kim earn?');
    await world.slack.until(() => world.assistant.held === 1);

    await signOut('U0KIM');
    world.assistant.release();
    const [stub] = await world.waitForReplies(question);

    expect(stub).toContain('got the answer in a direct message');
    expect(world.repliesIn(question)).toHaveLength(1);
    expect(directTo('U0KIM').some(({ text }) => text.includes('what does Kim earn?'))).toBe(true);
  });

  it('between the token and the question does not make the answer public', async () => {
    await world.signIn('U0KIM', 'private');
    const question = await say('U0KIM', 'and what does Kim own?');
    await world.waitForReplies(question);
    const answer = await world.slack.until(() => directTo('U0KIM').find(({ text }) => text.includes('Kim own?')));
    world.assistant.ledger.clear();
    // A question that is asked again is read from Slack once the token is there.
    const stopListening = world.slack.faults.onCall('conversations.replies', async () => {
      stopListening();
      await signOut('U0KIM');
    });

    await world.slack.as('U0KIM').click(answer, 'Ask again without web');
    const replies = await world.waitForReplies(question, 2);

    expect(replies).toEqual(Array(2).fill(expect.stringContaining('got the answer in a direct message')));
    expect(world.assistant.ledger.chats()).toHaveLength(1);
  });
});

function signOut(user: string) {
  return world.slack.as(user).command('/assistant', 'sign-out', CHANNEL);
}

async function changeAnswersOf(user: SandboxUser, channelAnswers: 'thread' | 'private'): Promise<void> {
  await signOut(user);
  await world.signIn(user, channelAnswers);
}
