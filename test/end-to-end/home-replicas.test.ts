import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';

let redis: RedisServer;
let world: LiveWorld;
let other: AppProcess;
let addresses: string[];

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  world = await startLiveWorld({ environment });
  const port = String(await claimPort());
  other = await startAppProcess({ ...world.environment, ...environment, PORT: port });
  const first = world.slack.registration.eventsUrl ?? '';
  addresses = [first, first.replace(/:\d+\//, `:${port}/`)];
});
afterAll(async () => {
  await other?.kill('SIGTERM');
  await world?.close();
  await redis?.close();
});

/** Slack reaches the other replica from now on. */
function switchTo(replica: 0 | 1): void {
  world.slack.registration.eventsUrl = addresses[replica];
}

const home = () => {
  const view = world.slack.as('U0ANA').home();
  return view ? world.slack.render(view) : '';
};

describe('two replicas', () => {
  it('greet a newcomer once', async () => {
    const kim = world.slack.as('U0KIM');
    const opening = kim.opensMessages();
    switchTo(1);
    await Promise.all([opening, kim.opensMessages(), kim.opensMessages()]);
    await world.slack.until(() => kim.sees(kim.dm).length > 0);
    switchTo(0);
    await kim.opensMessages();
    await kim.opensHome();
    await world.slack.until(() => kim.home());

    expect(kim.sees(kim.dm)).toHaveLength(1);
  });

  it('show in a home tab what another replica has changed, and delete what another has kept', async () => {
    switchTo(0);
    await world.slack.as('U0ANA').opensHome();
    await world.slack.until(() => home().includes('You are not signed in'));
    switchTo(1);
    await world.signIn('U0ANA');
    await world.slack.until(() => home().includes('Disconnect'), { what: 'the sign-in in the home tab' });

    const view = world.slack.as('U0ANA').home();
    if (!view) throw new Error('no home tab');
    const window = () => world.slack.as('U0ANA').openView();
    const left = window();
    if (left) await world.slack.as('U0ANA').closeView(left);
    await world.slack.as('U0ANA').clickInView(view, 'Delete my data');
    await world.slack.as('U0ANA').submit(await world.slack.until(window));
    const isDone = () => {
      const shown = window();
      return shown !== undefined && world.slack.render(shown).includes('Done. Deleted: one sign-in and');
    };
    await world.slack.until(isDone, { what: 'the result' });
    switchTo(0);
    await world.slack.as('U0ANA').opensHome();

    await world.slack.until(() => home().includes('You are not signed in'), { what: 'the end of the sign-in' });
  });

  it('say so in the home tab and in the windows where the store does not answer, and go on afterwards', async () => {
    const ana = world.slack.as('U0ANA');
    const left = ana.openView();
    if (left) await ana.closeView(left);
    const { reply } = await ana.command('/assistant', 'privacy', CHANNEL);
    if (!reply) throw new Error('no answer');
    redis.signal('SIGSTOP');

    await ana.opensHome();
    await world.slack.until(() => home().includes('I cannot reach my own records'), { what: 'a word in the home tab' });
    const without = home();
    await ana.click(reply, 'Show my data');
    const window = () => {
      const view = ana.openView();
      return view ? world.slack.render(view) : '';
    };
    await world.slack.until(() => window().includes('I cannot reach my own records'), { what: 'a word in the window' });
    redis.signal('SIGCONT');

    expect(without).toContain('What I can and cannot do');
    await expect
      .poll(
        async () => {
          await ana.opensHome();
          return home();
        },
        { interval: 500 },
      )
      .toContain('Connect');
  });
});
