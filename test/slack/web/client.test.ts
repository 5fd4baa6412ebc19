import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';
import { type Loopback, listen } from '../../http/loopback.ts';

const log = createLog('silent');

let http: HttpClient;
let slack: Loopback;
let asked: string[];

/** Never answers auth.test. */
beforeEach(async () => {
  http = createHttpClient();
  asked = [];
  slack = await listen(async (request, response) => {
    asked.push(request.url ?? '');
    if (!request.url?.endsWith('auth.test')) response.end('{"ok":true}');
  });
});

afterEach(async () => {
  await http.close();
  await slack.close();
});

describe('a call of Slack', () => {
  it('ends when its caller breaks it off, and nobody knows what became of it', async () => {
    const counted: string[] = [];
    const onCall = (method: string, code: string) => void counted.push(`${method} ${code}`);
    const call = createSlackClient({ http, apiUrl: `${slack.url}/`, onCall, now: Date.now, log });
    const asking = call('auth.test', 'xoxb', {}, 'answer', AbortSignal.timeout(100));

    await expect(asking).rejects.toMatchObject({ code: 'outcome_unknown', reason: 'aborted' });
    expect(counted).toEqual(['auth.test outcome_unknown']);
  });

  it('that waits for a budget is broken off, too, before Slack hears of it', async () => {
    const buckets = { take: async () => 1_000, block: async () => undefined };
    const call = createSlackClient({ http, apiUrl: `${slack.url}/`, buckets, now: Date.now, log });

    const asking = call('users.info', 'xoxb', { user: 'U1' }, 'answer', AbortSignal.timeout(50));

    await expect(asking).rejects.toMatchObject({ code: 'slack_unavailable' });
    expect(asked).toEqual([]);
  });
});
