import type { Block, Message } from '@assistant-bridge/sandbox/slack/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, shareLiveWorld } from './live-world.ts';
import { linkTo } from './steps.ts';

const WITH_GUEST = 'C0PROJECT';
const STAFF = ['U0ANA', 'U0BEN', 'U0KIM', 'U0BRIDGE'];

const world = shareLiveWorld({
  assistant: { answer: ({ text, name }) => `for ${name}: ${text}` },
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

  it('a member who becomes a guest counts as one from then on', async () => {
    world.slack.workspace.addUser({ id: 'U0TEMP', name: 'tim' });
    const channel = newChannel([...STAFF, 'U0TEMP']);
    await expectInThread(channel, 'still a member');

    world.slack.workspace.changeUser('U0TEMP', { isRestricted: true });
    await world.slack.until(() => isTaken('user_change'), { what: 'the event' });
    await new Promise((resolve) => setTimeout(resolve, 200));

    await expectPrivate(channel, 'a guest now', 'guests can read this channel');
  });

  it('a guest who asks counts as a reader, even if the event that they joined got lost', async () => {
    const channel = newChannel();
    await expectInThread(channel, 'among members');
    world.slack.workspace.channel(channel).members.add('U0GUEST');

    await world.slack.as('U0GUEST').say(channel, '<@U0BRIDGE> may I?');
    await world.untilLogged('"result":"guest"');

    await expectPrivate(channel, 'behind the back of guests', 'guests can read this channel');
  });
});

const isTaken = (type: string) => world.slack.ledger.deliveries().some((delivery) => delivery.type === type);

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
