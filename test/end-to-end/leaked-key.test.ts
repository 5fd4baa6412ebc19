// A key has leaked: its sign-ins are ended while people ask.
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { expect, it } from 'vitest';
import { toBundled } from '../app/app-process.ts';
import { signIn } from '../app/sign-in.ts';
import { openLiveWorld } from './live-world.ts';

const SCRIPT = toBundled(fileURLToPath(new URL('../../scripts/sign-everybody-out.ts', import.meta.url)));

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

it('whoever signed in with it is asked to sign in again, and nobody else', async () => {
  // Ana has signed in with the key that leaked, Ben with the new one.
  const leaked = newKey('leaked');
  const world = await openLiveWorld({ redis: true, environment: { ENCRYPTION_KEYS: leaked } });
  await world.signIn('U0ANA', 'private');
  const keys = { ENCRYPTION_KEYS: `${newKey('new')},${leaked}` };
  await world.restart('SIGTERM', keys);
  await world.signIn('U0BEN');
  const signEverybodyOut = (...args: string[]) =>
    runToEnd(process.execPath, [SCRIPT, ...args], { cwd: tmpdir(), env: { ...world.environment, ...keys } });

  const counted = await signEverybodyOut('--count');
  const ended = await signEverybodyOut('--key', 'leaked', '--yes');
  const ben = await world.ask('am I still signed in?', { user: 'U0BEN' });
  const ana = await world.ask('and I?', { channel: world.slack.as('U0ANA').dm });
  await world.find('I keep your question', { channel: ana.channel, threadTs: ana.ts });

  expect(counted.stdout).toBe('2 sign-ins: 1 sealed with key leaked, 1 sealed with key new.\n');
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toContain('1 sign-in was ended.');
  expect(await world.waitForReplies(ben, 1, 'U0BEN')).toHaveLength(1);

  const browser = await signIn(world, 'U0ANA');
  expect(browser.page.heading).toBe('Your accounts are connected');
  await world.slack.until(() => world.assistant.ledger.chats().some(({ text }) => text.includes('and I?')));
  expect(await signEverybodyOut('--count')).toMatchObject({ stdout: '2 sign-ins: 2 sealed with key new.\n' });
});
