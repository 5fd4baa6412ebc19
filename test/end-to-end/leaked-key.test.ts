// A key has leaked: its sign-ins are ended while people ask.

import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { signIn } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/sign-everybody-out.ts', import.meta.url));

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

let redis: RedisServer;
let world: LiveWorld;
let environment: Record<string, string>;
let app: AppProcess;

/** Ana has signed in with the key that leaked, Ben with the new one. */
beforeAll(async () => {
  redis = await startRedis();
  const leaked = newKey('leaked');
  world = await startLiveWorld({ environment: { REDIS_URL: redis.url, ENCRYPTION_KEYS: leaked } });
  await world.signIn('U0ANA', 'private');
  await world.app.kill('SIGTERM');
  environment = { ...world.environment, REDIS_URL: redis.url, ENCRYPTION_KEYS: `${newKey('new')},${leaked}` };
  app = await startAppProcess(environment);
  await world.signIn('U0BEN');
});

afterAll(async () => {
  await app?.kill('SIGTERM');
  await world?.close();
  await redis?.close();
});

const signEverybodyOut = (...args: string[]) =>
  runToEnd(process.execPath, [SCRIPT, ...args], { cwd: tmpdir(), env: environment });

/** Asks, and resolves once the app asks them to sign in. */
async function askAndBePrompted(user: SandboxUser, text: string): Promise<void> {
  const person = world.slack.as(user);
  const question = await person.say(person.dm, text);
  const replies = () => person.sees(person.dm, question.ts).concat(person.sees(person.dm));
  const isPrompt = ({ ts, text: said }: { ts: string; text: string }) =>
    ts > question.ts && said.includes('I keep your question');
  await world.slack.until(() => replies().some(isPrompt), { what: `a prompt for ${user}` });
}

it('whoever signed in with it is asked to sign in again, and nobody else', async () => {
  const counted = await signEverybodyOut('--count');
  const ended = await signEverybodyOut('--key', 'leaked', '--yes');
  const ben = await world.slack.as('U0BEN').say(CHANNEL, `${world.slack.mention} am I still signed in?`);
  await askAndBePrompted('U0ANA', 'and I?');

  expect(counted.stdout).toBe('2 sign-ins: 1 sealed with key leaked, 1 sealed with key new.\n');
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toContain('1 sign-in was ended.');
  expect(await world.waitForReplies(ben, 1, 'U0BEN')).toHaveLength(1);

  const browser = await signIn(world, 'U0ANA');
  expect(browser.page.heading).toBe('Your accounts are connected');
  await world.slack.until(() => world.assistant.ledger.chats().some(({ text }) => text.includes('and I?')));
  expect(await signEverybodyOut('--count')).toMatchObject({ stdout: '2 sign-ins: 2 sealed with key new.\n' });
});
