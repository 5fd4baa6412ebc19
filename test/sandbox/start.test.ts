import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startChild } from './child-processes.ts';
import { claimPort } from './claim-port.ts';

const SCRIPT = fileURLToPath(new URL('./start.ts', import.meta.url));

function startSandbox(...args: string[]) {
  const child = startChild(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  }
  return { child, printed: () => printed, ended: once(child, 'close').then(([code]) => code as number | null) };
}

it('starts alone at the ports it is given, and prints what a client needs', async () => {
  const names = ['--slack', '--assistant', '--identity', '--admin', '--workspace'];
  const ports = await Promise.all(names.map(() => claimPort()));
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const manifest = join(folder, 'manifest.yaml');
  writeFileSync(manifest, 'features: { slash_commands: [{ command: /order, usage_hint: "[what]" }] }\nsettings: {}\n');
  const addresses = names.flatMap((name, index) => [name, String(ports[index])]);
  const sandbox = startSandbox(...addresses, '--socket', '--manifest', manifest);
  await expect.poll(sandbox.printed).toContain('Ctrl-C');
  const read = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(sandbox.printed())?.[1] ?? '';

  expect(read('ASSISTANT_BASE_URL')).toBe(`http://127.0.0.1:${ports[1]}`);
  const headers = { authorization: `Bearer ${read('SLACK_APP_TOKEN')}` };
  const opened = await fetch(`${read('SLACK_API_URL')}apps.connections.open`, { method: 'POST', headers });
  expect(await opened.json()).toMatchObject({ ok: true });
  const issuer = /http\S+openid-configuration/.exec(sandbox.printed())?.[0] ?? '';
  expect(await (await fetch(issuer)).json()).toHaveProperty('token_endpoint');
  const seen = await fetch(`http://127.0.0.1:${ports[4]}/events?person=U0ANA`);
  for await (const event of seen.body ?? []) {
    expect(Buffer.from(event).toString()).toContain('"commands":[{"name":"/order","description":"","hint":"[what]"}]');
    break;
  }

  sandbox.child.kill('SIGTERM');
  expect(await sandbox.ended).toBe(0);
});

it('says at once that the app is down, and goes on', async () => {
  const ports = ['--slack', '--assistant', '--identity', '--admin', '--workspace'].flatMap((name) => [name, '0']);
  const events = `http://127.0.0.1:${await claimPort()}/slack/events`;
  const { child, printed, ended } = startSandbox(...ports, '--events', events);
  await expect.poll(printed).toContain('Ctrl-C');
  const page = /^Workspace +(\S+)/m.exec(printed())?.[1];
  const body = JSON.stringify({ person: 'U0ANA', verb: 'say', channel: 'C0GENERAL', text: 'hello' });
  const sentence = `The app does not answer at ${events} (connection_failed). Is it running?`;

  for (const count of [1, 2]) {
    await fetch(`${page}/do`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await expect.poll(() => printed().split(sentence).length - 1).toBe(count);
  }
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('prints its usage where it is asked for', async () => {
  const { printed, ended } = startSandbox('--help');

  expect(await ended).toBe(0);
  expect(printed()).toMatch(/^Usage: npm run sandbox -- \[options\]\n/);
});

it.each([
  [['--slack', 'x'], '“x” is no port'],
  [['--events', 'nowhere'], '“nowhere” is no http address'],
  [['--port', '1'], "Unknown option '--port'"],
  [['--manifest', 'nowhere.json'], 'nowhere.json'],
])('refuses %j with a sentence and its usage', async (args, sentence) => {
  const { printed, ended } = startSandbox(...args);

  expect(await ended).toBe(1);
  expect(printed()).toContain(sentence);
  expect(printed()).toContain('Usage: npm run sandbox');
});
