// A small Bolt app that has nothing of ours, against the sandbox. Copy it to try another app.
import { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { claimPort } from '../claim-port.ts';
import { type SandboxSlack, startSlack } from '../slack/start-slack.ts';

let slack: SandboxSlack;
let app: App | undefined;

afterEach(async () => {
  await app?.stop();
  app = undefined;
  // Bolt does not wait for the end of its connection.
  await slack.until(() => slack.socketMode.count === 0);
  await slack.close();
});

describe.each(['http', 'socket'] as const)('an app made with Bolt alone, over %s', (transport) => {
  async function start(): Promise<void> {
    slack = await startSlack();
    const port = await claimPort();
    slack.connectApp(`http://127.0.0.1:${port}/slack/events`);
    slack.registration.isSocketMode = transport === 'socket';
    const common = { token: slack.botToken, clientOptions: { slackApiUrl: slack.apiUrl } };
    app =
      transport === 'socket'
        ? new App({ ...common, appToken: slack.appToken, socketMode: true })
        : new App({ ...common, signingSecret: slack.signingSecret });
    register(app);
    await app.start(port);
    if (transport === 'http') expect(await slack.verifyUrl()).toBe(true);
  }

  it('hears a message, and answers in its thread', async () => {
    await start();
    const question = await slack.as('U0ANA').say('C0GENERAL', 'ping');

    const answer = await slack.until(() => slack.as('U0ANA').sees('C0GENERAL', question.ts)[1]);

    expect(slack.render(answer)).toBe('pong, @ana');
  });

  it('answers a command, opens a modal, and takes what is entered', async () => {
    await start();
    const ben = slack.as('U0BEN');
    const { error, reply } = await ben.command('/order', 'tea for <@U0ANA>', 'C0GENERAL');
    expect([error, reply?.text]).toEqual([undefined, 'Opening…']);
    const view = await slack.until(() => ben.openView());
    expect(slack.render(view)).toContain('How many');

    const refused = await ben.submit(view, { 'How many': '0' });
    expect(refused.errors).toEqual({ count: 'At least one, please.' });
    const taken = await ben.submit(view, { 'How many': '2' });

    expect(taken.closed).toBe(true);
    const receipt = await slack.until(() => ben.sees(ben.dm)[0]);
    expect(slack.render(receipt)).toBe('2 × tea for @ana ordered.\n[Undo]');
    expect(await ben.click(receipt, 'Undo')).toMatchObject({ ok: true });
    await slack.until(() => slack.render(ben.sees(ben.dm)[0] ?? receipt) === 'Undone.');
  });
});

it('pages, and tells WebClient what was wrong', async () => {
  slack = await startSlack();
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
  const members: string[] = [];
  for await (const page of client.paginate('conversations.members', { channel: 'C0GENERAL', limit: 2 })) {
    members.push(...((page as { members?: string[] }).members ?? []));
  }

  expect(members).toHaveLength(5);
  await expect(client.chat.postMessage({ channel: 'C0RANDOM', text: 'hi' })).rejects.toThrow('not_in_channel');
  await expect(new WebClient('xoxb-wrong', { slackApiUrl: slack.apiUrl }).auth.test()).rejects.toThrow('invalid_auth');
});

function register(bolt: App): void {
  bolt.message('ping', async ({ message, say }) => {
    const user = 'user' in message ? message.user : '';
    await say({ text: `pong, <@${user}>`, thread_ts: message.ts });
  });
  bolt.command('/order', async ({ ack, body, client }) => {
    await ack('Opening…');
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'order',
        private_metadata: body.text,
        title: { type: 'plain_text', text: 'Order' },
        submit: { type: 'plain_text', text: 'Order' },
        blocks: [
          {
            type: 'input',
            block_id: 'count',
            label: { type: 'plain_text', text: 'How many' },
            element: { type: 'number_input', action_id: 'number', is_decimal_allowed: false },
          },
        ],
      },
    });
  });
  bolt.view('order', async ({ ack, view, body, client }) => {
    const count = Number(view.state.values.count?.number?.value);
    if (count < 1) return ack({ response_action: 'errors', errors: { count: 'At least one, please.' } });
    await ack();
    const text = `${count} × ${view.private_metadata} ordered.`;
    const button = { type: 'button', action_id: 'undo', text: { type: 'plain_text', text: 'Undo' } } as const;
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text } },
      { type: 'actions', elements: [button] },
    ] as const;
    await client.chat.postMessage({
      channel: body.user.id,
      text,
      blocks: blocks.map((block) => ({ ...block })) as never,
    });
  });
  bolt.action('undo', async ({ ack, respond }) => {
    await ack();
    await respond({ text: 'Undone.', replace_original: true });
  });
}
