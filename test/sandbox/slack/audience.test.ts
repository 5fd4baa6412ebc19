import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestSlack, type TestSlack } from './open-test-app.ts';
import type { Json } from './records.ts';

let slack: TestSlack;

beforeEach(async () => {
  slack = await openTestSlack();
});
afterEach(() => slack.close());

const members = (args: Json) => slack.call('conversations.members', args);

const events = () => slack.app.requests.map(({ body }) => (JSON.parse(body) as { event: Json }).event);

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

it('of a team is listed with guests, but without strangers', async () => {
  const first = await slack.call('users.list', { limit: 5 });
  const { next_cursor: cursor } = first.response_metadata as { next_cursor: string };
  const second = await slack.call('users.list', { limit: 5, cursor });

  const people = [first, second].flatMap((page) => page.members as Json[]);
  expect(people.map(({ id }) => id)).not.toContain('U0STRANGER');
  expect(people).toContainEqual(expect.objectContaining({ id: 'U0GUEST', is_restricted: true }));
});

it('is listed in pages of less than a thousand, and large teams in pages only', async () => {
  for (let number = 0; number < 1_000; number++) slack.workspace.addUser({ id: `U0${number}` });

  expect(await slack.call('users.list', {})).toMatchObject({ ok: false, error: 'limit_required' });
  expect(await slack.call('users.list', { limit: 1_000 })).toMatchObject({ ok: false, error: 'invalid_limit' });
  expect(await members({ channel: 'C0GENERAL', limit: 1_000 })).toMatchObject({ ok: false, error: 'invalid_limit' });
});

it('that changes is told to the app, but not of private channels that it is not in', async () => {
  slack.workspace.join('C0FINANCE', 'U0GUEST');
  slack.workspace.join('C0SECRET', 'U0GUEST');
  slack.workspace.leave('C0GENERAL', 'U0BEN');
  slack.workspace.changeChannel('C0RANDOM', { isExtShared: true });
  await slack.until(() => slack.app.requests.length === 3);

  expect(events()).toMatchObject([
    { type: 'member_joined_channel', channel: 'C0FINANCE', user: 'U0GUEST', channel_type: 'G' },
    { type: 'member_left_channel', channel: 'C0GENERAL', user: 'U0BEN', channel_type: 'C' },
    { type: 'channel_shared', channel: 'C0RANDOM' },
  ]);
});
