import { describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';
import type { Json } from './records.ts';

const slack = openSlackForEach();

describe('the audience', () => {
  const members = (args: Json) => slack.call('conversations.members', args);

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

    expect(slack.app.events().map(({ event }) => event)).toMatchObject([
      { type: 'member_joined_channel', channel: 'C0FINANCE', user: 'U0GUEST', channel_type: 'G' },
      { type: 'member_left_channel', channel: 'C0GENERAL', user: 'U0BEN', channel_type: 'C' },
      { type: 'channel_shared', channel: 'C0RANDOM' },
    ]);
  });
});

const VIEW = { type: 'home', blocks: [{ type: 'divider' }] };

describe('the home tab', () => {
  it('is told to the app with what the person sees, once something was published', async () => {
    const opened = () => slack.ledger.deliveries().at(-1)?.payload as { event: Json };
    await slack.as('U0ANA').opensHome();
    const first = opened().event;
    const { view } = (await slack.call('views.publish', { user_id: 'U0ANA', view: VIEW })) as { view: Json };
    await slack.as('U0ANA').opensHome();
    const second = opened().event;
    await slack.as('U0ANA').opensMessages();

    expect(first).toMatchObject({ type: 'app_home_opened', tab: 'home', user: 'U0ANA' });
    expect(first).not.toHaveProperty('view');
    expect(second).toMatchObject({ view: { type: 'home', id: view.id, hash: view.hash } });
    expect(opened().event).toMatchObject({ tab: 'messages', channel: slack.as('U0ANA').dm });
    expect(opened().event).not.toHaveProperty('view');
  });

  it('is not replaced by who has seen an older one, nor where it is not enabled', async () => {
    const publish = (args: Json) => slack.call('views.publish', { user_id: 'U0BEN', view: VIEW, ...args });
    const { view } = (await publish({})) as { view: Json };

    expect(await publish({ hash: view.hash })).toMatchObject({ ok: true });
    expect(await publish({ hash: view.hash })).toMatchObject({ ok: false, error: 'hash_conflict' });
    slack.registration.hasHomeTab = false;
    expect(await publish({})).toMatchObject({ ok: false, error: 'not_enabled' });
  });
});

describe('the title of a session', () => {
  it('is changed by people, which the app is told, and by no status', async () => {
    const { ts } = await slack.as('U0ANA').say('C0GENERAL', 'a question');
    const place = { channel: 'C0GENERAL', threadTs: ts };
    const status = (title: string) =>
      slack.call('agents.sessions.setStatus', { channel_id: 'C0GENERAL', thread_ts: ts, status: 'active', title });
    await expect(slack.as('U0ANA').renameSession(place, 'none yet')).rejects.toThrow('There is no session');
    await status('first');

    await slack.as('U0ANA').renameSession(place, 'given');
    await status('second');

    expect(slack.workspace.sessions.session(place)?.title).toBe('given');
    expect(slack.ledger.deliveries().at(-1)?.payload).toMatchObject({
      event: { type: 'agent_session_title_changed', title: 'given', previous_title: 'first', thread_ts: ts },
    });
  });
});

describe('a file that somebody uploads', () => {
  async function upload(options: { isFromConnect?: boolean; isSnippet?: boolean } = {}) {
    const ana = slack.as('U0ANA');
    await ana.say('C0GENERAL', 'see', { files: [{ name: 'a.txt', content: 'hello', ...options }], await: 'none' });
    return ana.sees('C0GENERAL').at(-1)?.files?.[0] ?? {};
  }

  const download = (url: unknown, token: string) =>
    fetch(String(url), { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });

  const info = (file: unknown) => slack.call('files.info', { file });

  it('leads to a page without the right token or scope', async () => {
    const file = await upload();
    const stranger = await download(file.url_private, 'xoxb-other');
    slack.registration.scopes.delete('files:read');
    const unscoped = await download(file.url_private, slack.botToken);

    expect([stranger.status, unscoped.status]).toEqual([302, 302]);
    expect(await info(file.id)).toMatchObject({ ok: false, error: 'missing_scope' });
  });

  it('in a shared channel is named by its id only', async () => {
    const file = await upload({ isFromConnect: true });

    expect(file).toMatchObject({ file_access: 'check_file_info' });
    expect(file).not.toHaveProperty('url_private');
    expect(await info(file.id)).toMatchObject({ ok: true, file: { name: 'a.txt', mode: 'hosted' } });
    expect(await info('F0NONE')).toMatchObject({ ok: false, error: 'file_not_found' });
  });
});

describe('a file that the app sends', () => {
  const begin = async () =>
    (await slack.call('files.getUploadURLExternal', { filename: 'a.csv', length: 5 })) as Record<string, string>;
  const put = async (url = '', body = '') => (await fetch(url, { method: 'POST', body })).status;
  const complete = (id = '', channel_id = '') =>
    slack.call('files.completeUploadExternal', { files: [{ id }], channel_id, initial_comment: 'see' });

  it('is shared once, when all of it was uploaded', async () => {
    const { dm } = slack.as('U0ANA');
    const { upload_url, file_id } = await begin();
    const early = await complete(file_id, dm);
    const wrong = await put(upload_url, 'hell');
    const right = await put(upload_url, 'hello');
    const done = await complete(file_id, dm);

    expect(early).toMatchObject({ ok: false, error: 'file_not_found' });
    expect([wrong, right]).toEqual([400, 200]);
    expect(done).toMatchObject({ ok: true, files: [{ id: file_id }] });
    expect(slack.as('U0ANA').sees(dm).at(-1)).toMatchObject({ text: 'see', files: [{ name: 'a.csv', size: 5 }] });
    expect(String(slack.workspace.files.get(file_id ?? '')?.content)).toBe('hello');
    expect(await complete(file_id, dm)).toMatchObject({ ok: false, error: 'file_not_found' });
  });

  it('goes to channels, and needs its scope', async () => {
    const { upload_url, file_id } = await begin();
    await put(upload_url, 'hello');
    const toPerson = await complete(file_id, 'U0ANA');
    slack.registration.scopes.delete('files:write');

    expect(toPerson).toMatchObject({ ok: false, error: 'channel_not_found' });
    expect(await begin()).toMatchObject({ ok: false, error: 'missing_scope', needed: 'files:write' });
  });
});

const section = { type: 'section', text: { type: 'mrkdwn', text: 'Hello' } };

const validate = async (given: object) =>
  (await slack.call('blocks.validate', { ...given }, '')) as { errors: { pointer: string }[] };

describe('blocks.validate', () => {
  it.each([
    [{ blocks: [{ type: 'section' }] }, 'invalid_blocks', '/blocks/0'],
    [{ message: { blocks: [{ type: 'none' }] } }, 'invalid_message', '/blocks/0/type'],
    [{ view: { type: 'modal', blocks: [section] } }, 'invalid_view', '/view/title'],
  ])('says what is wrong with %j', async (given, error, pointer) => {
    const answer = await validate(given);

    expect(answer).toMatchObject({ ok: false, error, errors: [{ code: 'failed_constraint' }] });
    expect(answer.errors[0]?.pointer).toContain(pointer);
  });

  it.each([{}, { blocks: [], view: {} }, { view: 'nonsense' }])('wants exactly one of three: %j', async (given) => {
    expect(await validate(given)).toEqual({ ok: false, error: 'invalid_arguments' });
  });
});
