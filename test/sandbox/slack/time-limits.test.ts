import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';

describe('what Slack allows for a time only', () => {
  const slack = openSlackForEach();
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => clock.restore());

  const VIEW = { type: 'modal', title: { type: 'plain_text', text: 'x' }, blocks: [] };

  it('ends a trigger after 3 s', async () => {
    const { trigger_id } = await slack.giveCommand();

    clock.tick(3_001);

    expect((await slack.call('views.open', { trigger_id, view: VIEW })).error).toBe('expired_trigger_id');
  });

  it('counts for a trigger whatever the app does before it opens the view', async () => {
    const { trigger_id } = await slack.giveCommand();
    slack.faults.next('users.info', { kind: 'delay', delayMs: 10 });
    slack.faults.onProcessed('users.info', () => clock.tick(3_001));

    await slack.call('users.info', { user: 'U0ANA' });

    expect((await slack.call('views.open', { trigger_id, view: VIEW })).error).toBe('expired_trigger_id');
  });

  it('ends a response_url after 30 min', async () => {
    const { response_url } = await slack.giveCommand();

    clock.tick(30 * 60_000 + 1);

    expect((await fetch(response_url, { method: 'POST', body: '{"text":"x"}' })).status).toBe(404);
  });

  it('ends a stream after 5 min, and the processing of a session after an hour', async () => {
    const ana = slack.as('U0ANA');
    const root = await ana.say(ana.dm, 'question');
    const stream = await slack.call('chat.startStream', { channel: ana.dm, thread_ts: root.ts, markdown_text: 'x' });
    await slack.call('assistant.threads.setStatus', { channel_id: ana.dm, thread_ts: root.ts, status: 'thinking' });

    clock.tick(301_000);
    const early = slack.workspace.status(ana.dm, root.ts);
    const update = await slack.call('chat.update', { channel: ana.dm, ts: stream.ts, text: 'z' });
    const late = await slack.call('chat.appendStream', { channel: ana.dm, ts: stream.ts, markdown_text: 'y' });

    clock.tick(3_600_000);

    expect([early, slack.workspace.status(ana.dm, root.ts)]).toEqual(['is working…', undefined]);
    expect([update.ok, late.error]).toEqual([true, 'message_not_in_streaming_state']);
  });
});
