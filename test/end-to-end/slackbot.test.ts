import { openSlackbot, type SlackbotAnswer } from '@assistant-bridge/sandbox/slack/people/slackbot.ts';
import { describe, expect, it } from 'vitest';
import { nextPrivate, readPrivate } from '../app/administer.ts';
import { awaitModal } from '../app/open-window.ts';
import { passSignInPages } from '../app/sign-in.ts';
import { CHANNEL, openLiveWorld, shareLiveWorld } from './live-world.ts';

const world = shareLiveWorld({ hasSlackbotDoor: true });

const chats = () => world.assistant.ledger.chats();

/** Fails where the app refused the request as such. */
function toResult(answer: SlackbotAnswer) {
  if ('refusal' in answer) throw new Error(`refused: ${answer.status} ${answer.refusal}`);
  return answer;
}

const askAs = async (user: string, ...asked: [string, object?]) =>
  toResult(await world.slack.as(user).askSlackbot(...asked));

describe('Slackbot asks', () => {
  it('with the rights of the person, and gets the answer with its sources, as text and as blocks', async () => {
    const before = world.slack.as('U0ANA').sees(world.slack.as('U0ANA').dm).length;

    const told = await askAs('U0ANA', 'what is left of the launch budget?');

    expect(chats()).toMatchObject([{ subject: 'ana', text: 'what is left of the launch budget?' }]);
    expect(told).toMatchObject({ isError: false });
    expect(told.text).toContain('launch budget');
    expect(told.text).toMatch(/Sources\n1\. .+ https:/);
    expect(told.blocks.map(({ type }) => type)).toEqual(['markdown', 'section', 'context']);
    expect(world.slack.as('U0ANA').sees(world.slack.as('U0ANA').dm)).toHaveLength(before);
  });

  it('and whatever people write arrives as they wrote it', async () => {
    await askAs('U0ANA', 'is a < b & c > d in https://acme.sharepoint.example/plan.docx?');

    expect(chats()).toMatchObject([
      {
        text: 'is a < b & c > d in https://acme.sharepoint.example/plan.docx?',
        files: ['https://acme.sharepoint.example/plan.docx'],
      },
    ]);
  });

  it('without the web, by its argument and by the words that turn it off', async () => {
    const told = await askAs('U0ANA', 'what do our notes say?', { arguments: { web_search: false } });
    await askAs('U0ANA', 'and what else? !web-off');

    expect(told.text).toContain('Web search was off');
    expect(chats().map(({ text, isWebEnabled }) => ({ text, isWebEnabled }))).toEqual([
      { text: 'what do our notes say?', isWebEnabled: false },
      { text: 'and what else?', isWebEnabled: false },
    ]);
  });
});

it('whatever somebody writes to Slackbot in the workspace of the demo is answered there', async () => {
  const { id } = openSlackbot(world.slack.workspace, 'U0ANA');
  await world.slack.as('U0ANA').say(id, 'what is in our notes today?');
  const answer = await world.find('Sources', { channel: id });

  expect(answer.user).toBe('USLACKBOT');
  expect(world.slack.render(answer)).toContain('what is in our notes today');
});

describe('who has not signed in', () => {
  it('gets the way to do so, and the answer to the same question after it', async () => {
    const told = await askAs('U0BEN', 'what may Ben read?');
    const [url = ''] = /https?:\S+/.exec(told.text) ?? [];

    expect(told.text).toContain('Sign in once');
    expect(JSON.stringify(told.blocks)).toContain(url);
    expect(chats()).toEqual([]);

    const browser = await world.browserOf('U0BEN');
    await browser.open(url);
    await passSignInPages(browser);
    expect(browser.page.heading).toBe('Your accounts are connected');
    await askAs('U0BEN', 'what may Ben read?');

    expect(chats()).toMatchObject([{ subject: 'ben', text: 'what may Ben read?' }]);
  });

  it('cannot be signed in by somebody else who got hold of the link', async () => {
    const told = await askAs('U0KIM', 'what may Kim read?');
    const [url = ''] = /https?:\S+/.exec(told.text) ?? [];
    const browser = await world.browserOf('U0BEN');
    await browser.open(url);
    await browser.submit();

    expect(browser.page.heading).not.toBe('Your accounts are connected');
    expect((await askAs('U0KIM', 'what may Kim read now?')).text).toContain('Sign in once');
  });
});

describe('the same rules as in a thread', () => {
  it('guests are not answered', async () => {
    expect((await askAs('U0GUEST', 'may I?')).text).toContain('members of this organisation only');
    expect(chats()).toEqual([]);
  });

  it('nobody is while administrators have paused the app, and the question is asked after that', async () => {
    await changeAsKim('pause back at noon', 'workspace_pause');
    const paused = await askAs('U0BEN', 'does a pause hold here?');
    await changeAsKim('resume', 'workspace_resume');
    await askAs('U0BEN', 'does a pause hold here?');

    expect(paused.text).toContain('back at noon');
    expect(chats()).toMatchObject([{ text: 'does a pause hold here?' }]);
  });
});

describe('what is refused, and changes nothing', () => {
  const ask = (options: object) => world.slack.as('U0ANA').askSlackbot('may I ask?', options);

  it.each([
    ['without a signature', { signature: 'none' }, 'not signed by Slack'],
    ['with an old signature, as a replay has it', { timestampOffsetSeconds: -301 }, 'older than five minutes'],
  ])('a request %s', async (_what, options, why) => {
    const answer = await ask(options);

    expect(answer).toMatchObject({ status: 401, refusal: expect.stringContaining(why) });
    expect(chats()).toEqual([]);
  });

  it.each([
    ['another team', { user_id: 'U0ANA', team_id: 'T0OTHER' }, 'not installed in this workspace'],
    ['nobody', null, 'did not say for whom'],
    ['a person without a team', { user_id: 'U0ANA', team_id: null }, 'did not say for whom'],
  ])('a question for %s', async (_who, identity, why) => {
    const answer = toResult(await ask({ identity }));

    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(why) });
    expect(chats()).toEqual([]);
  });

  it.each([
    ['nothing', ' '],
    ['more than anybody types', 'x'.repeat(3_001)],
  ])('a question of %s', async (_what, question) => {
    expect(await askAs('U0ANA', question)).toMatchObject({ isError: true });
    expect(chats()).toEqual([]);
  });

  it('what is no question: another method, no JSON', async () => {
    const got = await fetch(`${world.publicUrl}/slack/mcp`);

    expect(got.status).toBe(405);
    expect(await got.json()).toMatchObject({ error: { message: 'The request has to be a POST.' } });
  });
});

describe('with Socket Mode', () => {
  it('Slackbot still sends requests, which are signed', async () => {
    const socket = await openLiveWorld({ hasSlackbotDoor: true, transport: 'socket' });
    await socket.signIn('U0ANA');

    const told = toResult(await socket.slack.as('U0ANA').askSlackbot('does it get through?'));
    const forged = await socket.slack.as('U0ANA').askSlackbot('and this?', { signature: 'wrong' });

    expect(told.text).toContain('does it get through');
    expect(forged).toMatchObject({ status: 401 });
  });
});

/** Until she is told that it is so. */
async function changeAsKim(command: string, form: string): Promise<void> {
  const count = readPrivate(world, 'U0KIM').length;
  await world.slack.as('U0KIM').command('/assistant-admin', command, CHANNEL);
  await world.slack
    .as('U0KIM')
    .submit(await awaitModal(world, 'U0KIM', form), { reason: 'Maintenance of the service' });
  await nextPrivate(world, 'U0KIM', count);
}
