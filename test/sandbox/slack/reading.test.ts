import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';
import { DISTRIBUTED_READING } from './rate-limits.ts';
import type { Json } from './records.ts';

describe('what an app may read that is sold outside the Marketplace', () => {
  const slack = openSlackForEach({ reading: DISTRIBUTED_READING });
  let clock: sinon.SinonFakeTimers;
  let root: string;

  beforeEach(async () => {
    clock = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const ana = slack.as('U0ANA');
    ({ ts: root } = await ana.say('C0GENERAL', 'root', { await: 'none' }));
    for (let reply = 1; reply < 20; reply++) {
      await ana.say('C0GENERAL', `reply ${reply}`, { threadTs: root, await: 'none' });
    }
  });
  afterEach(() => clock.restore());

  async function read(args: Json = {}) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${slack.botToken}` };
    const body = new URLSearchParams({ channel: 'C0GENERAL', ts: root, limit: '200', ...(args as object) });
    const response = await fetch(`${slack.apiUrl}conversations.replies`, { method: 'POST', body, headers });
    const answer = (await response.json()) as { messages?: object[]; has_more?: boolean; response_metadata?: Json };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...answer };
  }

  it('comes in pages of 15, whatever is asked for, which go on with a cursor', async () => {
    const first = await read();
    clock.tick(60_000);
    const second = await read({ cursor: String(first.response_metadata?.next_cursor) });

    expect([first.messages?.length, first.has_more]).toEqual([15, true]);
    expect([second.messages?.length, second.has_more]).toEqual([5, false]);
  });

  it('comes once a minute', async () => {
    await read();
    clock.tick(20_000);

    expect(await read()).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^4[01]$/),
      error: 'ratelimited',
    });
    clock.tick(41_000);
    expect(await read()).toMatchObject({ status: 200 });
  });
});
