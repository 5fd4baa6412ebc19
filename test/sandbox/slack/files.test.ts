import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SandboxSlack, startSlack } from './start-slack.ts';

describe('a file that somebody uploads', () => {
  let slack: SandboxSlack;

  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  async function upload(options: { isFromConnect?: boolean; isSnippet?: boolean } = {}) {
    const ana = slack.as('U0ANA');
    await ana.say('C0GENERAL', 'see', { files: [{ name: 'a.txt', content: 'hello', ...options }], await: 'none' });
    return ana.sees('C0GENERAL').at(-1)?.files?.[0] ?? {};
  }

  const download = (url: unknown, token: string) =>
    fetch(String(url), { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });

  async function info(file: unknown) {
    const headers = { authorization: `Bearer ${slack.botToken}` };
    const body = new URLSearchParams({ file: String(file) });
    return (await fetch(`${slack.apiUrl}files.info`, { method: 'POST', body, headers })).json();
  }

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
  let slack: SandboxSlack;

  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  async function call(method: string, given: Record<string, string>) {
    const headers = { authorization: `Bearer ${slack.botToken}` };
    const body = new URLSearchParams(given);
    const response = await fetch(`${slack.apiUrl}${method}`, { method: 'POST', body, headers });
    return (await response.json()) as Record<string, string>;
  }
  const begin = async () => {
    const answer = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '5' });
    return { ...answer, upload_url: answer.upload_url ?? '', file_id: answer.file_id ?? '' };
  };
  const put = async (url: string, body: string) => (await fetch(url, { method: 'POST', body })).status;
  const complete = (id: string, channel_id: string) =>
    call('files.completeUploadExternal', { files: JSON.stringify([{ id }]), channel_id, initial_comment: 'see' });

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
    expect(String(slack.workspace.files.get(file_id)?.content)).toBe('hello');
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
