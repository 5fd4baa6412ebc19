import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { findPrompt, openBrowserOf, pressSignIn, signIn } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let redis: RedisServer;
let world: LiveWorld;
let other: AppProcess;
let otherPort: number;

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  world = await startLiveWorld({ environment });
  otherPort = await claimPort();
  other = await startAppProcess({ ...world.environment, ...environment, PORT: String(otherPort) });
});

afterAll(async () => {
  await other?.kill('SIGTERM');
  await world?.close();
  await redis?.close();
});

it('one of two replicas asks to sign in, once, however many threads wait for it; then all are answered', async () => {
  const ben = world.slack.as('U0BEN');
  const questions = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ben.say(CHANNEL, `${world.slack.mention} thread ${index}`)),
  );
  const isPrompt = ({ text }: { text: string }) => text.includes('I keep your question');
  const notes = () => ben.sees(CHANNEL).filter(({ text }) => text.includes('waits for your sign-in as well'));
  const prompts = (place: string) => ben.sees(place).filter(isPrompt);
  await world.slack.until(() => prompts(CHANNEL).length >= 1, { what: 'a prompt in the channel' });
  await world.slack.until(() => notes().length >= questions.length - 1, { what: 'a word about each of the others' });

  expect(prompts(ben.dm)).toHaveLength(1);
  expect(prompts(CHANNEL)).toHaveLength(1);
  expect(notes()).toHaveLength(questions.length - 1);

  await signIn(world, 'U0BEN');
  for (const question of questions) expect(await world.waitForReplies(question, 1, 'U0BEN')).toHaveLength(1);

  await ben.command('/assistant', 'sign-out', CHANNEL);
  const { ts } = await ben.say(CHANNEL, `${world.slack.mention} signed out, and asked at once`);
  await world.slack.until(() => prompts(ben.dm).some((prompt) => prompt.ts > ts), { what: 'a prompt of its own' });
});

it('what one replica has asked a browser to confirm, another one connects, once', async () => {
  const kim = world.slack.as('U0KIM');
  const question = await kim.say(CHANNEL, `${world.slack.mention} who am I?`);
  const browser = await openBrowserOf(world, 'U0KIM');
  await browser.open(await pressSignIn(world, 'U0KIM', await findPrompt(world, 'U0KIM')));
  const { forms, heading } = await browser.submit();
  const draft = forms[0]?.fields[0]?.value ?? '';
  const cookie = browser.cookies.list(world.publicUrl).map(({ name, value }) => `${name}=${value}`);

  const connect = () =>
    fetch(`http://127.0.0.1:${otherPort}/link/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ draft, decision: 'connect' }),
      headers: { 'sec-fetch-site': 'same-origin', cookie: cookie.join('; ') },
    });
  const ends = [await connect(), await connect()];

  expect(heading).toBe('Connect these two accounts?');
  expect(ends.map(({ status }) => status)).toEqual([200, 410]);
  expect(await ends[0]?.text()).toContain('Your accounts are connected');
  expect((await world.waitForReplies(question, 1, 'U0KIM')).join()).toContain('Kim Kato');
});
