import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { createPanel } from './panel/create-panel.ts';
import type { Sight } from './sight.ts';
import { startWorkspace, type Workspace } from './start-workspace.ts';

let world: Sandbox;
let workspace: Workspace;

beforeEach(async () => {
  world = await startSandbox();
  workspace = await startWorkspace(world);
});
afterEach(async () => {
  await workspace.close();
  await world.close();
});

/** With any headers, those included that `fetch` keeps for itself. */
async function ask(path: string, headers: Record<string, string> = {}, body?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  const method = body === undefined ? 'GET' : 'POST';
  request(`${workspace.url}${path}`, { headers, method, path }, resolve).on('error', reject).end(body);
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

async function act(person: string, verb: string, given: object): Promise<{ result?: unknown; error?: string }> {
  const headers = { 'content-type': 'application/json', origin: workspace.url };
  return JSON.parse((await ask('/do', headers, JSON.stringify({ person, verb, ...given }))).body);
}

/** Follows what this person sees, and resolves with the first sight that is as wanted. */
async function seen(query: string, isWanted: (sight: Sight) => boolean): Promise<Sight> {
  const response = await fetch(`${workspace.url}/events?${query}`);
  let pending = '';
  for await (const chunk of response.body ?? []) {
    pending += Buffer.from(chunk).toString();
    const events = pending.split('\n\n');
    pending = events.pop() ?? '';
    const found = events.map((event) => JSON.parse(event.slice('data: '.length)) as Sight).find(isWanted);
    if (found) return found;
  }
  throw new Error('The events ended.');
}

const see = (query: string) => seen(query, () => true);

describe('the page', () => {
  it('is allowed nothing from elsewhere, and comes as JavaScript', async () => {
    const page = await ask('/');
    const script = await ask('/page/work-space.ts');
    const lit = await ask('/vendor/lit/index.js');

    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'; /,
    );
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(script.body).not.toContain('import type');
    expect(lit.status).toBe(200);
  });

  it.each([
    '/page/../start-workspace.ts',
    '/page/..%2fstart-workspace.ts',
    '/vendor/zod/index.js',
    '/vendor/lit/../zod/index.js',
    '/page/tsconfig.json',
    '/page//etc/x.css',
    `/page/${import.meta.url.replace('start-workspace.test', 'act')}`,
  ])('serves no other file: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('answers nobody under another name, nor for a page of another site', async () => {
    const renamed = await ask('/', { host: 'evil.example:80' });
    const foreign = await ask('/do', { origin: 'https://evil.example', 'content-type': 'application/json' }, '{}');
    const form = await ask('/do', { origin: workspace.url, 'content-type': 'text/plain' }, '{}');

    expect([renamed.status, foreign.status, form.status]).toEqual([403, 403, 400]);
  });
});

describe('the control panel', () => {
  it('answers below its own path, to this page alone, and is offered where there is one', async () => {
    const without = await see('person=U0ANA');
    await workspace.close();
    workspace = await startWorkspace(world, { panel: createPanel(world) });

    const foreign = await ask('/panel/state', { origin: 'https://evil.example' });
    const mine = await ask('/panel/state');

    expect([foreign.status, JSON.parse(mine.body).traffic]).toEqual([403, []]);
    expect([without.hasPanel, (await see('person=U0ANA')).hasPanel]).toEqual([false, true]);
  });
});

describe('an invitation', () => {
  it.each([
    ['U0ANA', 'C0RANDOM', undefined],
    ['U0ANA', 'D0ANA', 'Nobody can be added to a direct message.'],
    ['U0GUEST', 'C0PROJECT', 'Guests may not add people.'],
    ['U0BEN', 'C0FINANCE', 'U0BEN is not in C0FINANCE.'],
  ])('of %s to %s', async (person, channel, error) => {
    // Opens it.
    expect(world.slack.as('U0ANA').dm).toBe('D0ANA');
    expect((await act(person, 'invite', { channel, user: world.slack.botUserId })).error).toBe(error);
  });
});

describe('a file', () => {
  it('opens for whoever sees a message with it, and for nobody else', async () => {
    const files = [{ name: 'plan.txt', content: Buffer.from('the plan') }];
    const said = await world.slack.as('U0ANA').say('C0FINANCE', 'see', { files, await: 'none' });
    const [file] =
      world.slack
        .as('U0ANA')
        .sees('C0FINANCE')
        .find(({ ts }) => ts === said.ts)?.files ?? [];
    const openAs = async (user: string) => {
      const cookie = `sandbox_slack_user=${world.slack.workspace.team.id}.${user}`;
      const response = await fetch(String(file?.url_private), { headers: { cookie }, redirect: 'manual' });
      return [response.status, await response.text()];
    };

    expect(await openAs('U0ANA')).toEqual([200, 'the plan']);
    expect(await openAs('U0BEN')).toEqual([302, '']);
  });
});

describe('what somebody sees', () => {
  it('is no conversation of others', async () => {
    world.slack.as('U0KIM').say('C0SECRET', 'A secret', { await: 'none' });

    const guest = await see('person=U0GUEST&channel=C0SECRET');
    const admin = await see('person=U0KIM&channel=C0SECRET');

    expect([guest.channel, guest.messages]).toEqual([undefined, []]);
    expect(guest.conversations.map(({ name }) => name)).toEqual(['project', 'Assistant Bridge']);
    expect(admin.messages).toHaveLength(1);
  });

  it('counts what is unread, in their threads as well, until they look', async () => {
    const root = await world.slack.as('U0ANA').say('C0GENERAL', 'Who comes?', { await: 'none' });
    await world.slack.as('U0BEN').say('C0GENERAL', 'I do', { threadTs: root.ts, await: 'none' });
    const count = ({ conversations }: Sight) => conversations.find(({ id }) => id === 'C0GENERAL')?.unread;

    const [ana, kim] = [await see('person=U0ANA'), await see('person=U0KIM')];
    await see('person=U0ANA&channel=C0GENERAL');

    // Kim takes no part in the thread.
    expect([count(ana), count(kim)]).toEqual([1, 1]);
    expect(count(await see('person=U0ANA'))).toBe(0);
    expect(count(await see('person=U0KIM'))).toBe(1);
  });
});

describe('what somebody does', () => {
  it('is refused with the sentence of Slack', async () => {
    const root = await world.slack.as('U0ANA').say('C0GENERAL', 'Hello', { await: 'none' });
    const inThread = { channel: 'C0GENERAL', threadTs: root.ts, text: '/assistant status' };

    expect(await act('U0ANA', 'say', inThread)).toEqual({ error: '/assistant is not supported in threads. Sorry!' });
    expect(await act('U0BEN', 'delete', { message: root })).toEqual({
      error: 'U0BEN cannot change a message of U0ANA.',
    });
    expect((await act('U0ANA', 'fly', {})).error).toContain('Invalid option');
  });

  it('takes files along, uploaded ones and those of the library', async () => {
    const content = Buffer.from('Grüße').toString('base64');
    const files = [
      { name: 'notes.txt', content },
      { name: 'Plan.docx', url: 'https://acme.sharepoint.example/Plan.docx', externalType: 'onedrive' },
    ];

    await act('U0ANA', 'say', { channel: 'C0GENERAL', text: '', files });
    const [message] = world.slack.as('U0ANA').sees('C0GENERAL');

    const tooLarge = await act('U0ANA', 'say', { channel: 'C0GENERAL', text: 'x'.repeat(4_200_000) });

    expect(tooLarge.error).toContain('at most 3 MB');
    expect(message?.files).toMatchObject([
      { name: 'notes.txt', size: 7, mode: 'hosted' },
      { name: 'Plan.docx', mode: 'external', url_private: 'https://acme.sharepoint.example/Plan.docx' },
    ]);
  });
});

describe('a link', () => {
  const open = (to: string) => ask(`/open?${new URLSearchParams({ person: 'U0BEN', to })}`);

  it('to a page of this world is opened as the person who pressed it', async () => {
    const target = 'http://127.0.0.1:3000/link/start?x=1';

    const { headers } = await open(target);
    const login = await fetch(String(headers.location), { redirect: 'manual' });

    expect(login.headers.get('set-cookie')).toMatch(/^sandbox_slack_user=T0001\.U0BEN;/);
    expect(login.headers.get('location')).toBe(target);
  });

  it('to another host is shown and not followed; what is no link is neither', async () => {
    const outside = await open('https://www.example.org/<b>');
    const script = await open('javascript:alert(1)');

    expect([outside.status, outside.headers.location]).toEqual([200, undefined]);
    expect(outside.body).toContain('A link to www.example.org');
    expect(script.status).toBe(400);
  });
});
