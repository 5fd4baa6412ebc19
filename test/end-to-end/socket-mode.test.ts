import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AppProcess, startAppProcess } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { signIn } from '../app/sign-in.ts';
import { startWorld, type World } from '../app/world.ts';
import { CHANNEL, type LiveWorld, startLiveWorld } from './live-world.ts';
import { HOSTS, startWalledWorld } from './walled-world.ts';

const RETRIES = [100, 300, 700, 1_500, 3_000, 3_000, 5_000];

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function ready(world: World): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${world.publicUrl}/ready`);
  return { status: response.status, body: await response.json() };
}

/** How often this text was asked of the assistant service. */
const asked = ({ assistant }: World, text: string) => assistant.ledger.chats().filter((chat) => chat.text === text);

describe('with Socket Mode', () => {
  let world: LiveWorld;
  let opsPort: number;

  beforeAll(async () => {
    opsPort = await claimPort();
    const environment = { OPS_PORT: String(opsPort) };
    world = await startLiveWorld({ transport: 'socket', environment, slack: { retry: RETRIES } });
    await world.signIn('U0ANA');
  });
  afterAll(() => world.close());

  it('nothing is served for Slack, and people sign in and are answered, without a signing secret', async () => {
    const question = await world.ask('how are things');

    expect(await world.waitForReplies(question)).toEqual([expect.stringContaining('how are things')]);
    expect(world.environment).not.toHaveProperty('SLACK_SIGNING_SECRET');
    expect((await fetch(`${world.publicUrl}/slack/events`, { method: 'POST' })).status).toBe(404);
    expect(world.slack.socketMode.problems).toEqual([]);
    expect(world.app.lines.join('\n')).not.toMatch(/xapp-|ticket=|how are things/);
  });

  it('operators see the connection: in /ready, the figures and the log', async () => {
    const figures = async () => (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(await ready(world)).toEqual({ status: 200, body: { status: 'ready' } });
    expect(await figures()).toMatch(/^assistant_bridge_slack_connections 1$/m);

    world.slack.faults.always('apps.connections.open', { kind: 'status', status: 503 });
    world.slack.socketMode.cut();

    await expect.poll(() => ready(world)).toEqual({ status: 503, body: { status: 'slack_unavailable' } });
    expect(await figures()).toMatch(/^assistant_bridge_slack_connections 0$/m);
    expect(await figures()).toMatch(/^assistant_bridge_slack_reconnects_total\{reason="lost"\} 1$/m);
    await expect.poll(() => world.app.lines.join('\n')).toContain('"msg":"slack not connected"');
    world.slack.faults.clear();
    await expect.poll(() => ready(world)).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('a connection that is cut again and again loses no question, and answers none twice', async () => {
    const questions = [];
    for (let index = 0; index < 12; index++) {
      const question = world.ask(`question ${index} of many`);
      await sleep(index % 3);
      if (index % 3 === 0) world.slack.socketMode.cut();
      questions.push(await question);
      await expect.poll(() => world.slack.socketMode.count).toBe(1);
    }

    for (const [index, question] of questions.entries()) {
      expect(await world.waitForReplies(question)).toEqual([expect.stringContaining(`question ${index} of many`)]);
      expect(asked(world, `question ${index} of many`)).toHaveLength(1);
    }
  });

  // Last: it ends the process.
  it('on SIGTERM acknowledges what has come, and ends with 0', async () => {
    const before = world.slack.ledger.deliveries({ type: 'app_mention' }).length;
    const said = world.ask('before the stop');
    await world.slack.until(() => world.slack.ledger.deliveries({ type: 'app_mention' }).length > before);
    await world.app.kill('SIGTERM');

    expect(await world.app.ended).toBe(0);
    expect(world.slack.socketMode.count).toBe(0);
    const next = await startAppProcess(world.environment);
    cleanups.push(() => next.kill('SIGTERM'));
    expect(await world.waitForReplies(await said)).toHaveLength(1);
    expect(asked(world, 'before the stop')).toHaveLength(1);
  });
});

describe('Socket Mode', () => {
  it('a token that Slack refuses ends the start with what to do', async () => {
    const world = await startWorld({ transport: 'socket' });
    cleanups.push(() => world.close());
    const main = new URL('../../src/main.ts', import.meta.url).pathname;
    const env = { ...world.environment, SLACK_APP_TOKEN: 'xapp-1-wrong' };
    const { status, stdout, stderr } = await runToEnd(process.execPath, [main], { cwd: world.folder, env });

    expect(status).toBe(1);
    expect(stderr).toContain('Slack does not accept SLACK_APP_TOKEN. Copy it again from');
    expect(stdout + stderr).not.toContain('xapp-1-wrong');
  });

  it('goes through the proxy of a company, with its certificates', async () => {
    const world = await startWalledWorld();
    cleanups.push(() => world.close());
    world.slack.registration.isSocketMode = true;
    const socket = { SLACK_APP_TOKEN: world.slack.appToken, SLACK_SIGNING_SECRET: '' };
    const app = await world.startApp({ ...world.wayOut, ...world.trust, ...socket });
    const { dm, command, sees, say } = world.slack.as('U0ANA');

    expect(world.slack.socketMode.count).toBe(1);
    expect((await command('/assistant', 'status', dm)).error).toBeUndefined();
    await say(dm, 'hello from behind the wall');
    await world.slack.until(() => sees(dm).find(({ botId }) => botId), { what: 'a word' });
    world.proxy.refuse(407);
    await expect.poll(() => app.lines.join('\n')).toContain('"msg":"slack not connected"');
    world.proxy.refuse(undefined);
    await expect.poll(() => world.slack.socketMode.count).toBe(1);
    expect(world.askedHosts()).toContain(`${HOSTS.slack}:443`);
  });
});

describe('with Socket Mode and Redis', () => {
  let redis: RedisServer;

  async function startReplicas(count: number): Promise<{ world: World; apps: AppProcess[] }> {
    redis = await startRedis();
    const world = await startWorld({ transport: 'socket', slack: { retry: RETRIES } });
    const apps: AppProcess[] = [];
    cleanups.push(
      () => redis.close(),
      () => world.close(),
      () => Promise.all(apps.map((app) => app.kill('SIGKILL'))),
    );
    for (let index = 0; index < count; index++) {
      const port = index === 0 ? world.environment.PORT : String(await claimPort());
      const own = { REDIS_URL: redis.url, LEASE_SECONDS: '3', PORT: port ?? '' };
      apps.push(await startAppProcess({ ...world.environment, ...own }));
    }
    const ana = world.slack.as('U0ANA');
    await ana.say(ana.dm, 'sign me in');
    await signIn(world, 'U0ANA', 'thread');
    await world.slack.until(() => asked(world, 'sign me in').length === 1);
    return { world, apps };
  }

  const ask = (world: World, text: string) => world.slack.as('U0ANA').say(CHANNEL, `${world.slack.mention} ${text}`);

  async function expectOneAnswer(world: World, { ts }: { ts: string }, text: string): Promise<void> {
    const replies = () =>
      world.slack
        .as('U0ANA')
        .sees(CHANNEL, ts)
        .filter((message) => message.botId && message.ts !== ts)
        .map((message) => world.slack.render(message));
    await expect.poll(replies).toEqual([expect.stringContaining(text)]);
    expect(asked(world, text)).toHaveLength(1);
  }

  it('a question that cannot be written is not acknowledged, comes again, and is answered once', async () => {
    const { world } = await startReplicas(1);
    redis.signal('SIGSTOP');
    const said = ask(world, 'while the store is away');
    await sleep(2_500);
    expect(world.slack.ledger.deliveries({ type: 'app_mention' }).every(({ status }) => status !== 200)).toBe(true);
    const told = world.slack.as('U0ANA').command('/assistant', 'status', CHANNEL);
    expect((await told).error ?? (await told).reply).toBeDefined();
    redis.signal('SIGCONT');

    await expectOneAnswer(world, await said, 'while the store is away');
  });

  it('replicas share what comes, and the death of one loses nothing', async () => {
    const { world, apps } = await startReplicas(2);
    expect(world.slack.socketMode.count).toBe(2);
    const questions = [];
    for (let index = 0; index < 10; index++) {
      const said = ask(world, `shared question ${index}`);
      // One dies with what it has received and not yet acknowledged.
      if (index === 4) await apps[1]?.kill('SIGKILL');
      questions.push(said);
    }

    await expect.poll(() => world.slack.socketMode.count).toBe(1);
    for (const [index, said] of questions.entries()) {
      const replies = await said;
      await expect.poll(() => asked(world, `shared question ${index}`).length).toBe(1);
      const ours = () =>
        world.slack
          .as('U0ANA')
          .sees(CHANNEL, replies.ts)
          .filter(({ botId }) => botId);
      await expect.poll(() => ours().length).toBe(1);
    }
  });
});
