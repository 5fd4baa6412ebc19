import type { Block, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const WITH_GUEST = 'C0PROJECT';
const STAFF = ['U0ANA', 'U0BEN', 'U0KIM', 'U0BRIDGE'];
const AUDIENCE_METHODS = ['conversations.members', 'users.list', 'users.info', 'conversations.info'];

let world: LiveWorld;

beforeAll(async () => {
  world = await startLiveWorld({ assistant: { answer: ({ text, name }) => `for ${name}: ${text}` } });
  world.assistant.access.others = 'allowed';
  await world.signIn('U0ANA');
  await world.signIn('U0BEN');
});
beforeEach(() => {
  world.slack.faults.clear();
  world.assistant.ledger.clear();
});
afterAll(() => world.close());

const ana = () => world.slack.as('U0ANA');

let channels = 0;

/** Nothing is known of a new channel. */
function newChannel(members = STAFF): string {
  const id = `C0NEW${channels++}`;
  return world.slack.workspace.addChannel({ id, name: id.toLowerCase(), members }).id;
}

const askIn = (channel: string, text: string) => ana().say(channel, `${world.slack.mention} ${text}`);

/** What everybody in the channel reads of the reply, and the answers that Ana alone got to it. */
async function answerTo(question: { channel: string; ts: string }, text: string) {
  const [thread = ''] = await world.waitForReplies(question);
  const isAnswer = (message: Message) => Boolean(message.botId) && message.text.includes(text);
  return { thread, direct: ana().sees(ana().dm).filter(isAnswer) };
}

const countCalls = () => AUDIENCE_METHODS.map((method) => world.slack.ledger.calls(method).length);

function buttonsOf({ blocks }: Message): Block[] {
  return blocks.flatMap((block) => (block.type === 'actions' ? (block.elements as Block[]) : []));
}

async function expectPrivate(channel: string, text: string, reason: string) {
  const question = await askIn(channel, text);
  const { thread, direct } = await answerTo(question, text);

  expect(thread).toContain(reason);
  expect(thread).not.toContain(text);
  expect(direct).toHaveLength(1);
  return { question, direct };
}

async function expectInThread(channel: string, text: string) {
  const question = await askIn(channel, text);
  const { thread, direct } = await answerTo(question, text);

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

  it('asking again does not post it in the thread either', async () => {
    const { question, direct } = await expectPrivate(WITH_GUEST, 'and again?', 'guests can read this channel');

    for (const message of direct) await ana().click(message, 'Ask again without web');
    const replies = await world.waitForReplies(question, 2);

    expect(replies.join()).not.toContain('for Ana');
  });

  it('others in the thread do not ask on in the conversation of the private answer', async () => {
    const { question } = await expectPrivate(WITH_GUEST, 'a secret', 'guests can read this channel');

    await world.slack.as('U0BEN').say(WITH_GUEST, `${world.slack.mention} and?`, { threadTs: question.ts });
    await world.waitForReplies(question, 2);

    const [anas, bens] = world.assistant.ledger.chats();
    expect(bens?.conversation).not.toBe(anas?.conversation);
  });

  it('a stranger counts as one', async () => {
    await expectPrivate(newChannel([...STAFF, 'U0STRANGER']), 'for partners?', 'guests can read this channel');
  });
});

describe('where members read the channel', () => {
  it('the answer is posted in the thread, also if bots and deactivated people are in it', async () => {
    await expectInThread(newChannel([...STAFF, 'U0OTHERBOT', 'U0GONE']), 'among us?');
    await expectInThread('C0FINANCE', 'in a private channel?');
    await expectInThread('C0GROUPDM', 'in a group?');
  });

  it('a guest who joins while the answer is made does not read it', async () => {
    const channel = newChannel();
    await expectInThread(channel, 'before');
    world.assistant.hold();
    const question = await askIn(channel, 'a long one');
    await world.slack.until(() => world.assistant.held === 1);

    world.slack.workspace.join(channel, 'U0GUEST');
    await eventsTaken('member_joined_channel');
    world.assistant.release();
    const { thread, direct } = await answerTo(question, 'a long one');
    await world.slack.as('U0BEN').say(channel, `${world.slack.mention} and?`, { threadTs: question.ts });
    await world.waitForReplies(question, 2);

    expect(thread).toContain('guests can read this channel');
    expect(thread).not.toContain('a long one');
    expect(direct).toHaveLength(1);
    const [, anas, bens] = world.assistant.ledger.chats();
    expect(bens?.conversation).not.toBe(anas?.conversation);
  });

  it('the answer is posted in the thread again once the guest has left', async () => {
    const channel = newChannel([...STAFF, 'U0GUEST']);
    await expectPrivate(channel, 'with a guest', 'guests can read this channel');

    world.slack.workspace.leave(channel, 'U0GUEST');
    await eventsTaken('member_left_channel');

    await expectInThread(channel, 'without a guest');
  });

  it('a member who becomes a guest counts as one from then on', async () => {
    world.slack.workspace.addUser({ id: 'U0TEMP', name: 'tim' });
    const channel = newChannel([...STAFF, 'U0TEMP']);
    await expectInThread(channel, 'still a member');

    world.slack.workspace.changeUser('U0TEMP', { isRestricted: true });
    await eventsTaken('user_change');

    await expectPrivate(channel, 'a guest now', 'guests can read this channel');
  });
});

/** Until the app has taken the newest event of that type. */
async function eventsTaken(type: string): Promise<void> {
  const isTaken = () => world.slack.ledger.deliveries().some((delivery) => delivery.type === type);
  await world.slack.until(isTaken, { what: type });
  await new Promise((resolve) => setTimeout(resolve, 200));
}

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

    await world.slack.until(() => world.app.lines.some((line) => line.includes('audience of a channel not known')));
  });

  it('it is posted in the thread if that is known by the time that the answer is there', async () => {
    world.slack.faults.next('conversations.members', { kind: 'status', status: 500 });

    await expectInThread(newChannel(), 'known later');
  });
});

describe('in a direct message', () => {
  it('nothing changes, and nobody is looked at', async () => {
    const before = countCalls()[0];
    const question = await ana().say(ana().dm, 'just between us');

    const [answer] = await world.waitForReplies(question);

    expect(answer).toContain('for Ana Alvarez: just between us');
    expect(countCalls()[0]).toBe(before);
  });
});

describe('a channel of 5,000 members', () => {
  const people = Array.from({ length: 5_000 }, (_, number) => `U1P${number}`);

  it('costs a bounded number of calls over 50 questions, and its one guest is found', async () => {
    for (const id of people) world.slack.workspace.addUser({ id, name: id.toLowerCase() });
    const channel = newChannel([...STAFF, ...people]);
    const before = countCalls();

    for (let round = 0; round < 10; round++) {
      const texts = Array.from({ length: 5 }, (_, number) => `question ${round}.${number}`);
      await Promise.all(texts.map((text) => expectInThread(channel, text)));
    }
    const calls = countCalls().map((count, index) => count - (before[index] ?? 0));
    world.slack.workspace.changeUser('U1P77', { isUltraRestricted: true });
    await eventsTaken('user_change');
    await expectPrivate(channel, 'with one guest', 'guests can read this channel');

    // Six pages of members, six of people, one look at the channel.
    expect(calls).toEqual([6, 6, 0, 1]);
  });
});

describe('GUEST_CHANNELS=thread', () => {
  it('posts answers in the thread, whoever reads it, and asks nobody', async () => {
    const open = await startLiveWorld({ environment: { GUEST_CHANNELS: 'thread' } });
    try {
      await open.signIn('U0ANA');
      const question = await open.slack.as('U0ANA').say(WITH_GUEST, `${open.slack.mention} hello`);

      const [answer] = await open.waitForReplies(question);

      expect(answer).toContain('[Ask again without web]');
      expect(open.slack.ledger.calls('conversations.members')).toEqual([]);
    } finally {
      await open.close();
    }
  });
});

it('somebody who was answered in #general is answered there as before', async () => {
  await expectInThread(CHANNEL, 'as before');
});
