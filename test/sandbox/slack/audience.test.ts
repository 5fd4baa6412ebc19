import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './open-test-app.ts';
import type { Json } from './records.ts';
import { type SandboxSlack, startSlack } from './start-slack.ts';

let slack: SandboxSlack;
let app: TestApp;

beforeEach(async () => {
  slack = await startSlack();
  app = await openTestApp();
  slack.connectApp(app.url);
});
afterEach(async () => {
  await slack.close();
  await app.close();
});

async function members(args: Json): Promise<Json> {
  const response = await fetch(`${slack.apiUrl}conversations.members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return (await response.json()) as Json;
}

const events = () => app.requests.map(({ body }) => (JSON.parse(body) as { event: Json }).event);

it('of a channel is listed page by page, with guests and strangers', async () => {
  const first = await members({ channel: 'C0PARTNER', limit: 3 });
  const { next_cursor } = first.response_metadata as { next_cursor: string };
  const second = await members({ channel: 'C0PARTNER', limit: 3, cursor: next_cursor });

  expect([...(first.members as string[]), ...(second.members as string[])]).toEqual([
    'U0ANA',
    'U0BEN',
    'U0KIM',
    'U0STRANGER',
    'U0BRIDGE',
  ]);
  expect(second.response_metadata).toEqual({ next_cursor: '' });
});

it('that changes is told to the app, but not of private channels that it is not in', async () => {
  slack.workspace.join('C0FINANCE', 'U0GUEST');
  slack.workspace.join('C0SECRET', 'U0GUEST');
  slack.workspace.leave('C0GENERAL', 'U0BEN');
  slack.workspace.changeChannel('C0RANDOM', { isExtShared: true });
  await slack.until(() => app.requests.length === 3);

  expect(events()).toMatchObject([
    { type: 'member_joined_channel', channel: 'C0FINANCE', user: 'U0GUEST', channel_type: 'G' },
    { type: 'member_left_channel', channel: 'C0GENERAL', user: 'U0BEN', channel_type: 'C' },
    { type: 'channel_shared', channel: 'C0RANDOM' },
  ]);
});
