import { describe, expect, it } from 'vitest';
import { openSlackForEach, openSlackOnce, type TestSlack } from './open-test-app.ts';
import type { Json } from './records.ts';

describe('deliveries', () => {
  const slack = openSlackForEach({ retry: [0, 10, 20], ackTimeoutMs: 2_000 });

  it('of commands and interactions are forms without a charset, and are not repeated', async () => {
    slack.app.answer = () => ({ status: 500 });

    const result = await slack.as('U0ANA').command('/x', 'a & <b>', 'C0GENERAL');

    expect(result.error).toBe('dispatch_failed');
    expect(slack.app.requests).toHaveLength(1);
    expect(slack.app.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(new URLSearchParams(slack.app.requests[0]?.body).get('text')).toBe('a &amp; &lt;b&gt;');
  });

  it('of events are repeated with number and reason until the app accepts', async () => {
    const statuses = [503, 500, 200];
    slack.app.answer = () => ({ status: statuses.shift() ?? 200 });

    const said = await slack.as('U0ANA').say('C0FINANCE', 'hello');

    expect(said.deliveries).toMatchObject([{ ok: true, attempts: 3 }]);
    expect(slack.app.requests.map((request) => request.headers['x-slack-retry-num'])).toEqual([undefined, '1', '2']);
    expect(slack.app.requests[1]?.headers['x-slack-retry-reason']).toBe('http_error');
    expect(new Set(slack.app.events().map(({ event_id }) => event_id)).size).toBe(1);
  });

  it('are not repeated where the app says so', async () => {
    slack.app.answer = () => ({ status: 500, headers: { 'x-slack-no-retry': '1' } });

    const said = await slack.as('U0ANA').say('C0FINANCE', 'hello');

    expect(said.deliveries).toMatchObject([{ ok: false, attempts: 1 }]);
  });

  it('carry what the composer makes of a text', async () => {
    const ana = slack.as('U0ANA');

    await ana.say(ana.dm, 'a < b, `x < y`, <@U0BEN> https://a.example/?x=1&y=2 *now*', { await: 'none' });
    await slack.until(() => slack.app.requests[0]);

    const [{ event }] = slack.app.events();
    expect(event.text).toBe('a &lt; b, `x &lt; y`, <@U0BEN> <https://a.example/?x=1&amp;y=2> *now*');
    expect(event.blocks[0].elements[0].elements).toEqual([
      { type: 'text', text: 'a < b, ' },
      { type: 'text', text: 'x < y', style: { code: true } },
      { type: 'text', text: ', ' },
      { type: 'user', user_id: 'U0BEN' },
      { type: 'text', text: ' ' },
      { type: 'link', url: 'https://a.example/?x=1&y=2' },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'now', style: { bold: true } },
    ]);
    expect(event).toMatchObject({ channel_type: 'im', user: 'U0ANA', team: 'T0001' });
  });

  it('do not happen in channels without the app, nor for events it did not subscribe to', async () => {
    slack.connectApp(slack.app.url, {
      settings: { event_subscriptions: { bot_events: ['message.im'] } },
      oauth_config: { scopes: { bot: [] } },
    });
    const ana = slack.as('U0ANA');

    await ana.say('C0RANDOM', 'hello');
    await ana.say('C0GENERAL', `${slack.mention} hello`);
    await ana.say(ana.dm, 'without im:history');

    expect(slack.app.requests).toEqual([]);
  });

  it('tell of a deleted root with replies as a change to a tombstone, which stays above them', async () => {
    const ana = slack.as('U0ANA');
    const root = await ana.say('C0FINANCE', 'root');
    await ana.say('C0FINANCE', 'reply', { threadTs: root.ts });

    await ana.delete(root);

    expect(slack.app.events()[2].event).toMatchObject({
      subtype: 'message_changed',
      hidden: true,
      message: { subtype: 'tombstone', user: 'USLACKBOT', hidden: true, ts: root.ts, thread_ts: root.ts },
      previous_message: { user: 'U0ANA', text: 'root' },
    });
    expect(ana.sees('C0FINANCE', root.ts).map(({ text }) => text)).toEqual(['This message was deleted.', 'reply']);
  });

  it('tell of an edited mention as a mention once more', async () => {
    const ana = slack.as('U0ANA');
    const said = await ana.say('C0FINANCE', 'hello');
    await ana.edit(said, `${slack.mention} hello`);

    const [, ...edit] = slack.app.events().map(({ event }) => event);
    expect(edit).toMatchObject([
      { type: 'app_mention', ts: said.ts, edited: { user: 'U0ANA' } },
      { subtype: 'message_changed', message: { edited: { user: 'U0ANA' } } },
    ]);
  });

  it('tell the app of its own messages, as Slack does, and not where switched off', async () => {
    const quiet = await openSlackOnce({ echoOwnMessages: false });

    await quiet.call('chat.postMessage', { channel: 'C0GENERAL', text: 'x' });
    await slack.call('chat.postMessage', { channel: 'C0GENERAL', text: 'x' });
    await slack.until(() => slack.app.requests.length === 1);

    expect(quiet.ledger.deliveries()).toEqual([]);
    expect(slack.app.events()[0].event).toMatchObject({
      bot_id: 'B0BRIDGE',
      user: 'U0BRIDGE',
      text: 'x',
    });
  });
});

describe('a response_url', () => {
  it('works five times, and shows its message to one person', async () => {
    const slack = await openSlackOnce();
    const ana = slack.as('U0ANA');
    await ana.command('/x', '', 'C0RANDOM');
    const payload = slack.ledger.deliveries()[0]?.payload as Json;
    const use = () => fetch(String(payload.response_url), { method: 'POST', body: JSON.stringify({ text: 'psst' }) });

    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await use()).status);

    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
    expect(ana.sees('C0RANDOM').map((message) => message.ephemeralFor)).toEqual(Array(5).fill('U0ANA'));
    expect(slack.as('U0BEN').sees('C0RANDOM')).toEqual([]);
  });

  it('of a click in a thread shows its message at the root of the channel, whatever thread it names', async () => {
    const slack = await openSlackOnce();
    const ana = slack.as('U0ANA');
    const root = await ana.say('C0GENERAL', 'a question');
    const inThread = slack.leaveMessage({ channel: 'C0GENERAL', threadTs: root.ts, text: 'x', blocks: [BUTTON] });

    await ana.click(inThread, 'Do it');
    const told = await respond(slack, { text: 'told', thread_ts: root.ts, replace_original: false });

    expect(told).toBe(200);
    expect(ana.sees('C0GENERAL').map(({ text }) => text)).toEqual(['a question', 'told']);
    expect(ana.sees('C0GENERAL', root.ts).map(({ text }) => text)).toEqual(['a question', 'x']);
  });

  it('of a click in a direct message shows nothing new, and still changes the message that was clicked', async () => {
    const slack = await openSlackOnce();
    const ana = slack.as('U0ANA');
    const clicked = slack.leaveMessage({ channel: ana.dm, text: 'x', blocks: [BUTTON] });

    await ana.click(clicked, 'Do it');
    const statuses = [
      await respond(slack, { text: 'told', response_type: 'ephemeral', replace_original: false }),
      await respond(slack, { text: 'changed', replace_original: true }),
    ];

    expect(statuses).toEqual([200, 200]);
    expect(ana.sees(ana.dm).map(({ text }) => text)).toEqual(['changed']);
  });
});

const BUTTON = {
  type: 'actions',
  elements: [{ type: 'button', action_id: 'do', text: { type: 'plain_text', text: 'Do it' } }],
};

/** Posts to the response_url of the latest click. */
async function respond(slack: TestSlack, reply: Json): Promise<number> {
  const payload = slack.ledger.deliveries().at(-1)?.payload as Json;
  return (await fetch(String(payload.response_url), { method: 'POST', body: JSON.stringify(reply) })).status;
}
