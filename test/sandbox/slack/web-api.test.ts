import sinon from 'sinon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSlackForEach, openSlackOnce } from './open-test-app.ts';
import type { Json } from './records.ts';

describe('the Web API', () => {
  const slack = openSlackForEach();

  const post = (args: Json) => slack.call('chat.postMessage', { channel: 'C0GENERAL', text: 'x', ...args });

  it('refuses a call without a token, with a wrong one, and of a method it does not know', async () => {
    const answers = [
      await slack.call('auth.test', {}, ''),
      await slack.call('auth.test', {}, 'xoxb-wrong'),
      await slack.call('chat.shout', {}),
    ];

    expect(answers.map((answer) => answer.error)).toEqual(['not_authed', 'invalid_auth', 'unknown_method']);
  });

  it.each([
    ['an unknown argument', { colour: 'red' }, 'invalid_arguments'],
    ['a missing channel', { channel: undefined }, 'invalid_arguments'],
    ['an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['a private channel without the app', { channel: 'C0SECRET' }, 'channel_not_found'],
    ['a public channel without the app', { channel: 'C0RANDOM' }, 'not_in_channel'],
    ['a thread that is not there', { thread_ts: '1.000001' }, 'thread_not_found'],
    ['no content', { text: undefined }, 'no_text'],
    ['a custom name without the scope', { username: 'Boss' }, 'missing_scope'],
    ['metadata without an event type', { metadata: { event_payload: {} } }, 'metadata_must_be_sent_with_event_type'],
  ])('refuses a post with %s', async (_, args, error) => {
    expect(await post(args)).toMatchObject({ ok: false, error });
  });

  it.each<[string, Json[], RegExp]>([
    ['51 blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), /no more than 50/],
    ['a section of 3,001 characters', [section('x'.repeat(3001))], /less than 3001/],
    ['12,001 characters of markdown in all', [markdown(6000), markdown(6001)], /less than 12001/],
    ['a header of 151 characters', [{ type: 'header', text: plain('x'.repeat(151)) }], /less than 151/],
    ['a button text of 76 characters', [actions({ text: plain('x'.repeat(76)) })], /less than 76/],
    ['a button value of 2,001 characters', [actions({ value: 'x'.repeat(2001) })], /less than 2001/],
    ['an action id of 256 characters', [actions({ action_id: 'x'.repeat(256) })], /less than 256/],
    ['the same action id twice in a block', [actions({ action_id: 'a' }, { action_id: 'a' })], /already exists/],
    [
      'the same block id twice',
      [
        { ...section('x'), block_id: 'b' },
        { ...section('y'), block_id: 'b' },
      ],
      /already exists/,
    ],
    [
      'an option value of 151 characters',
      [actions({ type: 'static_select', options: [option('x'.repeat(151))] })],
      /less than 151/,
    ],
    [
      'a choice that is none of the options',
      [actions({ type: 'static_select', options: [option('a')], initial_option: option('b') })],
      /one of the options/,
    ],
    ['choices that are none', [actions({ type: 'checkboxes', options: [option('a')], initial_options: [] })], /than 1/],
    ['an alert, which only modals show', [{ type: 'alert', text: plain('x') }], /not allowed in a message/],
    ['a block type that does not exist', [{ type: 'paragraph' }], /unsupported type/],
    ['an empty section', [section('')], /more than 0/],
  ])('refuses %s', async (_, blocks, problem) => {
    const answer = await post({ blocks });

    expect(answer.error).toBe('invalid_blocks');
    expect(JSON.stringify(answer.response_metadata)).toMatch(problem);
  });

  it('names the scope that is missing, and those that are there', async () => {
    slack.registration.scopes.delete('users:read');

    expect(await slack.call('users.info', { user: 'U0ANA' })).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
      provided: expect.stringContaining('chat:write'),
    });
  });

  it('gives metadata back only to those who ask for it, page by page', async () => {
    const root = await post({});
    const metadata = { event_type: 'turn', event_payload: { turn: 't1', part: 0 } };
    await post({ thread_ts: root.ts, metadata });

    const first = await slack.call('conversations.replies', { channel: 'C0GENERAL', ts: root.ts, limit: 1 });
    const { next_cursor: cursor } = first.response_metadata as { next_cursor: string };
    const second = await slack.call('conversations.replies', {
      channel: 'C0GENERAL',
      ts: root.ts,
      cursor,
      include_all_metadata: true,
    });
    const bare = await slack.call('conversations.replies', { channel: 'C0GENERAL', ts: root.ts });

    expect(first).toMatchObject({ has_more: true, messages: [{ ts: root.ts, reply_count: 1 }] });
    expect(second).toMatchObject({ has_more: false, messages: [{ metadata }] });
    expect((bare.messages as Json[])[1]).not.toHaveProperty('metadata');
  });

  it('changes only the messages of the app, and drops the blocks where only text is sent', async () => {
    const own = await post({ blocks: [section('old')] });
    const theirs = slack.workspace.messages.add({
      ...structuredClone(slack.workspace.messages.all()[0] as never as Json),
      ts: '5.000001',
      user: 'U0ANA',
    } as never);

    const changed = await slack.call('chat.update', { channel: 'C0GENERAL', ts: own.ts, text: 'new' });
    const refused = await slack.call('chat.update', { channel: 'C0GENERAL', ts: theirs.ts, text: 'new' });
    const missing = await slack.call('chat.update', { channel: 'C0GENERAL', ts: '9.000009', text: 'new' });
    const tooLong = await slack.call('chat.update', { channel: 'C0GENERAL', ts: own.ts, text: 'x'.repeat(4001) });

    expect(changed).toMatchObject({ ok: true, text: 'new' });
    expect(slack.workspace.messages.find('C0GENERAL', String(own.ts))?.blocks).toEqual([]);
    expect([refused.error, missing.error, tooLong.error]).toEqual([
      'cant_update_message',
      'message_not_found',
      'msg_too_long',
    ]);
  });

  it('cuts a text after 40,000 characters', async () => {
    const { ts } = await post({ text: 'x'.repeat(40_001) });

    expect(slack.workspace.messages.find('C0GENERAL', String(ts))?.text).toHaveLength(40_000);
  });

  it('shows an ephemeral message in a channel, but neither in a DM nor in a thread without replies', async () => {
    const ana = slack.as('U0ANA');
    const root = await post({});
    const ephemeral = (args: Json) =>
      slack.call('chat.postEphemeral', { user: 'U0ANA', text: 'psst', channel: 'C0GENERAL', ...args });

    const answers = [
      await ephemeral({}),
      await ephemeral({ channel: ana.dm }),
      await ephemeral({ thread_ts: root.ts }),
    ];
    const early = ana.sees('C0GENERAL', String(root.ts)).length;
    await post({ thread_ts: root.ts });
    await ephemeral({ thread_ts: root.ts });

    expect(answers.every((answer) => answer.ok)).toBe(true);
    expect(ana.sees('C0GENERAL').map((message) => message.ephemeralFor)).toEqual([undefined, 'U0ANA']);
    expect(slack.as('U0BEN').sees('C0GENERAL')).toHaveLength(1);
    expect(ana.sees(ana.dm)).toEqual([]);
    expect(early).toBe(1);
    expect(ana.sees('C0GENERAL', String(root.ts))).toHaveLength(3);
  });

  it('streams in a thread with recipients, up to its size, and not after its end', async () => {
    const root = await post({});
    const start = { channel: 'C0GENERAL', thread_ts: root.ts };
    const append = (args: Json) => slack.call('chat.appendStream', { channel: 'C0GENERAL', ts: stream.ts, ...args });

    const nobody = await slack.call('chat.startStream', start);
    const stream = await slack.call('chat.startStream', {
      ...start,
      recipient_user_id: 'U0ANA',
      recipient_team_id: 'T0001',
    });
    await append({ markdown_text: 'Hello ' });
    const both = await append({ markdown_text: 'x', chunks: [] });
    const tooLong = await append({ markdown_text: 'x'.repeat(11_001) });
    const update = await slack.call('chat.update', { channel: 'C0GENERAL', ts: stream.ts, text: 'x' });
    const removal = await slack.call('chat.delete', { channel: 'C0GENERAL', ts: stream.ts });
    const stopped = await slack.call('chat.stopStream', {
      channel: 'C0GENERAL',
      ts: stream.ts,
      markdown_text: 'there',
    });
    const late = await append({ markdown_text: '!' });

    expect([nobody.error, both.error, tooLong.error]).toEqual([
      'missing_recipient_user_id',
      'invalid_arguments',
      'msg_too_long',
    ]);
    expect([update.error, removal.error]).toEqual(['streaming_state_conflict', 'cant_delete_message']);
    expect(late.error).toBe('message_not_in_streaming_state');
    expect(stopped).toMatchObject({ ok: true, message: { text: 'Hello there' } });
  });

  describe('of what the app is doing', () => {
    const status = (ts: unknown) => slack.workspace.status('C0GENERAL', String(ts));
    const setLine = (ts: unknown, text: string) =>
      slack.call('assistant.threads.setStatus', { channel_id: 'C0GENERAL', thread_ts: ts, status: text });
    const setStatus = (ts: unknown, value: string, title?: string) =>
      slack.call('agents.sessions.setStatus', { channel_id: 'C0GENERAL', thread_ts: ts, status: value, title });

    it('keeps the session of an agent as it is until the app changes it, by either method', async () => {
      const root = await post({});
      const started = await setStatus(root.ts, 'processing', 'Report: May');
      await post({ thread_ts: root.ts });
      const afterReply = status(root.ts);
      await setLine(root.ts, '');
      const afterClearing = status(root.ts);
      await setLine(root.ts, 'is thinking');

      expect(started).toMatchObject({ ok: true, status: 'processing', title: 'Report_ May' });
      expect([afterReply, afterClearing, status(root.ts)]).toEqual(['is working…', undefined, 'is working…']);
    });

    it('knows no sessions of an app that is no agent, whose line goes with its reply', async () => {
      const plain = await openSlackOnce();
      plain.connectApp('http://127.0.0.1:1', { oauth_config: { scopes: { bot: ['chat:write'] } } });
      const { ts } = await plain.as('U0ANA').say('C0GENERAL', 'hi', { await: 'none' });
      const thread = { channel_id: 'C0GENERAL', thread_ts: ts };
      const line = () => plain.workspace.status('C0GENERAL', ts);

      const refused = await plain.call('agents.sessions.setStatus', { ...thread, status: 'processing' });
      await plain.call('assistant.threads.setStatus', { ...thread, status: 'is thinking' });
      const before = line();
      await plain.call('chat.postMessage', { channel: 'C0GENERAL', thread_ts: ts, text: 'done' });

      expect([refused.error, before, line()]).toEqual(['not_agent_app', 'is thinking', undefined]);
    });
  });

  it.each([
    ['text', { text: '<!channel> and <@U0BEN> read <https://a.example/x?a=1&amp;b=2|this>' }],
    ['a section', { blocks: [section('<!channel> and <@U0BEN> read <https://a.example/x?a=1&amp;b=2|this>')] }],
    [
      'a markdown block',
      { blocks: [{ type: 'markdown', text: '<!channel> and <@U0BEN> read [this](https://a.example/x?a=1&b=2)' }] },
    ],
  ])('notices whom %s notifies', async (_, args) => {
    await post(args);

    expect(slack.workspace.notifications.map(({ kind, users }) => ({ kind, users }))).toEqual([
      { kind: 'channel', users: ['U0ANA', 'U0BEN', 'U0KIM'] },
      { kind: 'user', users: ['U0BEN'] },
    ]);
  });

  it('notifies nobody where the markup is escaped', async () => {
    const { ts } = await post({ text: '&lt;!channel&gt; &amp; <plain>' });
    const message = slack.workspace.messages.find('C0GENERAL', String(ts));

    expect(slack.workspace.notifications).toEqual([]);
    expect(message && slack.render(message)).toBe('<!channel> & <plain>');
  });

  it('tells a time zone, and none for people of other organisations', async () => {
    const ana = await slack.call('users.info', { user: 'U0ANA' });
    const stranger = await slack.call('users.info', { user: 'U0STRANGER' });

    expect(ana.user).toMatchObject({ tz: 'America/Los_Angeles', tz_offset: expect.any(Number), is_admin: false });
    expect(stranger.user).toMatchObject({ is_stranger: true, team_id: 'T0OTHER' });
    expect(stranger.user).not.toHaveProperty('tz');
  });

  it('tells a test that waits in vain what everybody sees', async () => {
    await post({});

    await expect(slack.until(() => false, { timeoutMs: 30, what: 'a miracle' })).rejects.toThrow(
      /in vain for: a miracle[\s\S]*#general[\s\S]*bridge: x[\s\S]*chat\.postMessage → 200/,
    );
  });

  it('answers 429 with Retry-After above the documented rate', async () => {
    const busy = await openSlackOnce({ rateLimits: 'documented' });
    // Else a slow machine would earn one more call.
    const clock = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => clock.restore());
    const send = () =>
      fetch(`${busy.apiUrl}chat.postMessage`, {
        method: 'POST',
        body: JSON.stringify({ channel: 'C0GENERAL', text: 'x' }),
        headers: { authorization: `Bearer ${busy.botToken}`, 'content-type': 'application/json' },
      });

    const responses = await Promise.all(Array.from({ length: 8 }, send));

    const refused = responses.filter((response) => response.status === 429);
    expect(refused).toHaveLength(3);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

function plain(text: string): Json {
  return { type: 'plain_text', text };
}

function section(text: string): Json {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

function markdown(length: number): Json {
  return { type: 'markdown', text: 'x'.repeat(length) };
}

function option(value: string): Json {
  return { text: plain('x'), value };
}

function actions(...elements: Json[]): Json {
  return {
    type: 'actions',
    elements: elements.map((element) => ({
      type: 'button',
      ...(element.options ? {} : { text: plain('x') }),
      ...element,
    })),
  };
}
