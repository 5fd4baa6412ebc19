// Two replicas of the app on one Redis.
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awaitModal, closeModals, nextPrivate, readPrivate } from '../app/administer.ts';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { findPrompt, openBrowserOf, pressSignIn, signIn } from '../app/sign-in.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let redis: RedisServer;
let world: LiveWorld;
let other: AppProcess;
let otherPort: number;
let addresses: string[];

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  world = await startLiveWorld({ environment });
  otherPort = await claimPort();
  other = await startAppProcess({ ...world.environment, ...environment, PORT: String(otherPort) });
  const first = world.slack.registration.eventsUrl ?? '';
  addresses = [first, first.replace(/:\d+\//, `:${otherPort}/`)];
});
afterEach(async () => {
  reach(0);
  for (const user of ['U0ANA', 'U0KIM'] as const) await closeModals(world, user);
});
afterAll(async () => {
  await other?.kill('SIGTERM');
  await world?.close();
  await redis?.close();
});

/** From now on Slack sends everything to this replica. */
function reach(replica: 0 | 1): void {
  world.slack.registration.eventsUrl = addresses[replica];
}

describe('two replicas', () => {
  it('greet a newcomer once', async () => {
    const kim = world.slack.as('U0KIM');
    const opening = kim.opensMessages();
    reach(1);
    await Promise.all([opening, kim.opensMessages(), kim.opensMessages()]);
    await world.slack.until(() => kim.sees(kim.dm).length > 0);
    reach(0);
    await kim.opensMessages();
    await kim.opensHome();
    await world.slack.until(() => kim.home());

    expect(kim.sees(kim.dm)).toHaveLength(1);
  });

  it('ask to sign in once, however many threads wait for it; then all are answered', async () => {
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

  it('connect once what one of them has asked a browser to confirm', async () => {
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

  it('know a pause at once that another has taken, although they have just looked', async () => {
    const pause = async (command: string, modal: string) => {
      await world.slack.as('U0KIM').command('/assistant-admin', command, CHANNEL);
      const count = readPrivate(world, 'U0KIM').length;
      await world.slack
        .as('U0KIM')
        .submit(await awaitModal(world, 'U0KIM', modal), { reason: 'Maintenance of it all' });
      await nextPrivate(world, 'U0KIM', count);
      await closeModals(world, 'U0KIM');
    };
    const readStatus = async () => {
      const count = readPrivate(world, 'U0BEN').length;
      await world.slack.as('U0BEN').command('/assistant', 'status', CHANNEL);
      return world.slack.render(await nextPrivate(world, 'U0BEN', count));
    };
    reach(1);
    const before = await readStatus();
    reach(0);
    await pause('pause until tomorrow', 'workspace_pause');
    reach(1);
    const paused = await readStatus();
    reach(0);
    await pause('resume', 'workspace_resume');

    expect(before).not.toContain('paused');
    expect(paused).toContain('Administrators have paused me');
    expect(paused).toContain('until tomorrow');
  });
});

describe('the home tab and the windows of two replicas', () => {
  const ana = () => world.slack.as('U0ANA');
  const show = (view: ReturnType<ReturnType<typeof ana>['home']>) => (view ? world.slack.render(view) : '');
  const home = () => show(ana().home());
  const window = () => show(ana().openView());
  const until = (what: string, see: () => string) => world.slack.until(() => see().includes(what), { what });

  it('show what another has changed, and delete what another has kept', async () => {
    await ana().opensHome();
    await until('You are not signed in', home);
    reach(1);
    await world.signIn('U0ANA');
    await until('Disconnect', home);
    await closeModals(world, 'U0ANA');

    const view = ana().home();
    if (!view) throw new Error('no home tab');
    await ana().clickInView(view, 'Delete my data');
    await ana().submit(await world.slack.until(() => ana().openView()));
    await until('Done. Deleted: one sign-in and', window);
    reach(0);
    await ana().opensHome();

    await until('You are not signed in', home);
  });

  it('say so where the store does not answer, and go on afterwards', async () => {
    const { reply } = await ana().command('/assistant', 'privacy', CHANNEL);
    if (!reply) throw new Error('no answer');
    redis.signal('SIGSTOP');

    await ana().opensHome();
    await until('I cannot reach my own records', home);
    const without = home();
    await ana().click(reply, 'Show my data');
    await until('I cannot reach my own records', window);
    redis.signal('SIGCONT');

    expect(without).toContain('What I can and cannot do');
    const openAgain = async () => {
      await ana().opensHome();
      return home();
    };
    await expect.poll(openAgain, { interval: 500 }).toContain('Connect');
  });
});
