import { describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';
import type { Json } from './records.ts';

describe('people', () => {
  const slack = openSlackForEach({ ackTimeoutMs: 2_000 });

  const kim = () => slack.as('U0KIM');
  const lastInteraction = () => slack.app.lastInteraction();

  it('click by words or by action id, on messages that only they see, too', async () => {
    await slack.call('chat.postEphemeral', { channel: 'C0GENERAL', user: 'U0ANA', text: 'x', blocks: [ANSWER] });
    const ana = slack.as('U0ANA');
    const [message] = ana.sees('C0GENERAL');
    if (!message) throw new Error('no message');

    const click = await ana.click(message, 'Good');

    expect(click.ok).toBe(true);
    expect(lastInteraction()).not.toHaveProperty('message');
    expect(lastInteraction()).toMatchObject({
      type: 'block_actions',
      container: { is_ephemeral: true, message_ts: message.ts, channel_id: 'C0GENERAL' },
      actions: [{ action_id: 'feedback', value: 'up', type: 'feedback_buttons' }],
      user: { id: 'U0ANA', team_id: 'T0001' },
    });
    await expect(ana.click(message, 'Excellent')).rejects.toThrow('There is: Good, Bad.');
    await expect(slack.as('U0BEN').click(message, 'Good')).rejects.toThrow('sees no message');
  });

  it('open a modal by a trigger that works once, and for a valid view', async () => {
    const { trigger_id } = await slack.giveCommand();
    const open = (parts: Json) => slack.call('views.open', { trigger_id, view: MODAL, ...parts });
    const tooLong = await open({ view: { ...MODAL, title: text('x'.repeat(25)) } });
    const { view } = await open({});
    const again = await open({});
    const wrong = await open({ trigger_id: 'nonsense' });
    const conflict = await slack.call('views.update', { view_id: (view as Json).id, hash: 'old', view: MODAL });

    expect([again.error, wrong.error, conflict.error]).toEqual([
      'exchanged_trigger_id',
      'invalid_trigger_id',
      'hash_conflict',
    ]);
    expect(tooLong).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: [expect.stringContaining('/view/title')] },
    });
  });

  it('are shown a warning where the app does not answer with 200 in time', async () => {
    const ana = slack.as('U0ANA');
    const old = slack.leaveMessage({ channel: ana.dm, text: 'x', blocks: [ANSWER] });
    const view = await slack.openModal(CONFIRM);
    slack.app.answer = () => ({ status: 404 });

    await ana.click(old, 'Good');
    await kim().submit(view);
    slack.app.answer = () => undefined;
    await ana.command('/x', '', 'C0GENERAL');

    expect([...ana.warnings(), ...kim().warnings()].map(({ what, text }) => [what, text])).toEqual([
      ['Good', 'This app did not respond (dispatch_failed).'],
      ['/x', 'This app did not respond (operation_timeout).'],
      ['', 'This app did not respond (dispatch_failed).'],
    ]);
    expect(slack.as('U0BEN').warnings()).toEqual([]);
  });

  it('name the thread of what they click, the root by itself once there are replies', async () => {
    const ana = slack.as('U0ANA');
    const root = slack.leaveMessage({ channel: 'C0GENERAL', text: 'root', blocks: [ANSWER] });
    await ana.click(root, 'Good');
    const alone = lastInteraction().container.thread_ts;
    await ana.say('C0GENERAL', 'a reply', { threadTs: root.ts });

    await ana.click(root, 'Good');

    expect([alone, lastInteraction().container.thread_ts]).toEqual([undefined, root.ts]);
  });

  it('cannot submit what the client itself refuses', async () => {
    const view = await slack.openModal(MODAL);
    const before = slack.app.requests.length;

    const empty = await kim().submit(view, {});
    const small = await kim().submit(view, { Limit: '-1' });

    expect([empty.errors, small.errors]).toEqual([
      { limit: 'This field is required.' },
      { limit: 'Enter at least 0.' },
    ]);
    expect(slack.app.requests).toHaveLength(before);
  });

  it('see nothing more of a modal that they closed before the app answered', async () => {
    const view = await slack.openModal(CONFIRM);
    slack.app.answer = () => {
      void kim().closeView(view);
      return { status: 200, body: JSON.stringify({ response_action: 'update', view: MODAL }) };
    };

    const result = await kim().submit(view);

    expect(result).toMatchObject({ closed: true, error: undefined });
    expect(kim().openView()).toBeUndefined();
  });

  it('keep the modal, with an error, where the app does not answer or answers nonsense', async () => {
    const view = await slack.openModal(CONFIRM);
    slack.app.reply({ response_action: 'errors', errors: { nowhere: 'x' } });
    const nonsense = await kim().submit(view);
    slack.app.answer = () => undefined;
    const silent = await kim().submit(view);

    expect(nonsense).toMatchObject({ closed: false, error: expect.stringContaining('nowhere') });
    expect(silent).toMatchObject({ closed: false, error: 'operation_timeout' });
  });

  it.each([
    ['what is being streamed', {}, 'stopped_by_user'],
    ['an answer whose stream Slack leaves open', { keepsStreams: true }, undefined],
  ])('stop %s', async (_, options, error) => {
    const ana = slack.as('U0ANA');
    const root = await ana.say(ana.dm, 'tell me');
    const start = { channel: ana.dm, thread_ts: root.ts, markdown_text: 'Once' };
    const stream = await slack.call('chat.startStream', start);

    await ana.stop({ channel: ana.dm, threadTs: root.ts }, options);
    const late = await slack.call('chat.appendStream', { channel: ana.dm, ts: stream.ts, markdown_text: ' upon' });

    expect(late.error).toBe(error);
    expect(slack.ledger.deliveries({ type: 'agent_session_stopped' }).at(-1)?.payload).toMatchObject({
      event: { streaming_message_ts: [stream.ts] },
    });
  });

  it('find only the commands and shortcuts that the manifest registers', async () => {
    slack.connectApp(slack.app.url, {
      features: { slash_commands: [{ command: '/known' }], shortcuts: [{ callback_id: 'known' }] },
    });
    const ana = slack.as('U0ANA');
    const said = await ana.say('C0GENERAL', 'hi');

    await ana.command('/known', '', 'C0GENERAL');
    await ana.shortcut(said, 'known');

    expect(slack.app.requests).toHaveLength(2);
    await expect(ana.command('/unknown', '', 'C0GENERAL')).rejects.toThrow('not a valid command');
    await expect(ana.shortcut(said, 'unknown')).rejects.toThrow('no shortcut unknown');
  });
});

const text = (words: string) => ({ type: 'plain_text', text: words });
const ANSWER = {
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: 'feedback',
      positive_button: { text: text('Good'), value: 'up' },
      negative_button: { text: text('Bad'), value: 'down' },
    },
  ],
};
const MODAL = {
  type: 'modal',
  title: text('Limits'),
  submit: text('Save'),
  blocks: [
    {
      type: 'input',
      block_id: 'limit',
      label: text('Limit'),
      element: { type: 'number_input', action_id: 'value', is_decimal_allowed: false, min_value: '0' },
    },
  ],
};
const CONFIRM = {
  type: 'modal',
  title: text('Confirm'),
  submit: text('Do it'),
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'old → new' } }],
};
