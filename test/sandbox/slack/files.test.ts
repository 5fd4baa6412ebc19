import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestSlack, type TestSlack } from './open-test-app.ts';

let slack: TestSlack;

beforeEach(async () => {
  slack = await openTestSlack();
});
afterEach(() => slack.close());

describe('a file that somebody uploads', () => {
  async function upload(options: { isFromConnect?: boolean; isSnippet?: boolean } = {}) {
    const ana = slack.as('U0ANA');
    await ana.say('C0GENERAL', 'see', { files: [{ name: 'a.txt', content: 'hello', ...options }], await: 'none' });
    return ana.sees('C0GENERAL').at(-1)?.files?.[0] ?? {};
  }

  const download = (url: unknown, token: string) =>
    fetch(String(url), { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });

  const info = (file: unknown) => slack.call('files.info', { file });

  it('is downloaded with the bot token', async () => {
    const file = await upload({ isSnippet: true });
    const response = await download(file.url_private, slack.botToken);

    expect(file).toMatchObject({ mode: 'snippet', size: 5 });
    expect([response.status, await response.text()]).toEqual([200, 'hello']);
  });

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
