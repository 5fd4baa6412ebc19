import { App, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SandboxSlack, startSlack } from './start-slack.ts';

describe('a Bolt app against the sandbox', () => {
  let slack: SandboxSlack;
  let app: App;

  beforeEach(async () => {
    slack = await startSlack();
    app = new App({
      token: slack.botToken,
      signingSecret: slack.signingSecret,
      clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
      logLevel: LogLevel.ERROR,
    });
    const server = await app.start(0);
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    slack.connectApp(`http://127.0.0.1:${address.port}/slack/events`);
  });

  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  it('is mentioned, answers in the thread, and is seen', async () => {
    app.event('app_mention', async ({ event, client }) => {
      await client.chat.postMessage({
        channel: event.channel,
        thread_ts: event.ts,
        text: `Hello <@${event.user ?? ''}>`,
      });
    });
    const ana = slack.as('U0ANA');

    const question = await ana.say('C0GENERAL', `${slack.mention} hi`);
    const answer = await slack.until(() => ana.sees('C0GENERAL', question.ts)[1]);

    expect(slack.render(answer)).toBe('Hello @ana');
    expect(question.deliveries.map((delivery) => delivery.status)).toEqual([200, 200]);
  });

  it('opens a modal from a command, and shows errors at its fields', async () => {
    app.command('/limit', async ({ ack, body, client }) => {
      await ack('Opening…');
      await client.views.open({ trigger_id: body.trigger_id, view: LIMIT_VIEW });
    });
    app.view('limit', async ({ ack, view }) => {
      const value = view.state.values.amount?.value?.value;
      if (value === '0') await ack({ response_action: 'errors', errors: { amount: 'Not nothing.' } });
      else await ack();
    });
    const kim = slack.as('U0KIM');

    const command = await kim.command('/limit', 'agent <@U0ANA>', 'C0GENERAL');
    const view = await slack.until(() => kim.openView());
    const refused = await kim.submit(view, { Amount: '0' });
    const accepted = await kim.submit(view, { Amount: '5' });

    expect(command.reply?.text).toBe('Opening…');
    expect(refused).toMatchObject({ closed: false, errors: { amount: 'Not nothing.' } });
    expect(accepted).toMatchObject({ closed: true, error: undefined });
    expect(kim.openView()).toBeUndefined();
    expect(slack.ledger.deliveries({ delivery: 'command' })[0]?.payload).toMatchObject({ text: 'agent <@U0ANA|ana>' });
  });

  it('hears a click, and replaces the clicked message through its response_url', async () => {
    app.action('again', async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: 'Done' });
    });
    const ana = slack.as('U0ANA');
    const element = {
      type: 'button' as const,
      action_id: 'again',
      text: { type: 'plain_text' as const, text: 'Ask again' },
    };
    await app.client.chat.postMessage({
      channel: ana.dm,
      text: 'x',
      blocks: [{ type: 'actions', elements: [element] }],
    });
    const [message] = ana.sees(ana.dm);
    if (!message) throw new Error('no message');

    const click = await ana.click(message, 'Ask again');
    await slack.until(() => ana.sees(ana.dm)[0]?.text === 'Done');

    expect(click).toMatchObject({ ok: true, error: undefined });
  });
});

const LIMIT_VIEW = {
  type: 'modal' as const,
  callback_id: 'limit',
  title: { type: 'plain_text' as const, text: 'Limit' },
  submit: { type: 'plain_text' as const, text: 'Save' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'amount',
      label: { type: 'plain_text' as const, text: 'Amount' },
      element: { type: 'plain_text_input' as const, action_id: 'value' },
    },
  ],
};
