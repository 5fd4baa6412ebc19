import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toBundled } from '../app/app-process.ts';
import { startWorld, type World } from '../app/world.ts';
import { CHANNEL, type LiveWorld, openLiveWorld, shareWorld, startLiveWorld } from './live-world.ts';
import type { Place } from './steps.ts';
import { HOSTS, startWalledWorld } from './walled-world.ts';

const RETRIES = [100, 300, 700, 1_500, 3_000, 3_000, 5_000];

async function ready(world: World): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${world.publicUrl}/ready`);
  return { status: response.status, body: await response.json() };
}

/** How often this text was asked of the assistant service. */
const asked = ({ assistant }: World, text: string) => assistant.ledger.chats().filter((chat) => chat.text === text);

async function expectOneAnswer(world: LiveWorld, question: Place, text: string): Promise<void> {
  expect(await world.waitForReplies(question)).toEqual([expect.stringContaining(text)]);
  expect(asked(world, text)).toHaveLength(1);
}

describe('with Socket Mode', () => {
  const world = shareWorld<LiveWorld>((started) =>
    startLiveWorld({ transport: 'socket', hasFigures: true, slack: { retry: RETRIES } }, started),
  );
  beforeAll(() => world.signIn('U0ANA'));

  it('nothing is served for Slack, and people sign in and are answered, without a signing secret', async () => {
    await expectOneAnswer(world, await world.ask('how are things'), 'how are things');

    expect(world.environment).not.toHaveProperty('SLACK_SIGNING_SECRET');
    expect((await fetch(`${world.publicUrl}/slack/events`, { method: 'POST' })).status).toBe(404);
    expect(world.slack.socketMode.problems).toEqual([]);
    expect(world.app.lines.join('\n')).not.toMatch(/xapp-|ticket=|how are things/);
  });

  it('operators see the connection: in /ready, the figures and the log', async () => {
    const { figures } = world;
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

    for (const [index, question] of questions.entries())
      await expectOneAnswer(world, question, `question ${index} of many`);
  });

  // Last: it ends the process.
  it('on SIGTERM acknowledges what has come, and ends with 0', async () => {
    const before = world.slack.ledger.deliveries({ type: 'app_mention' }).length;
    const said = world.ask('before the stop');
    await world.slack.until(() => world.slack.ledger.deliveries({ type: 'app_mention' }).length > before);
    await world.app.kill('SIGTERM');

    expect(await world.app.ended).toBe(0);
    expect(world.slack.socketMode.count).toBe(0);
    await world.restart();
    await expectOneAnswer(world, await said, 'before the stop');
  });
});

describe('Socket Mode', () => {
  it('a token that Slack refuses ends the start with what to do', async () => {
    const world = await startWorld({ transport: 'socket' });
    onTestFinished(() => world.close());
    const main = toBundled(new URL('../../src/main.ts', import.meta.url).pathname);
    const env = { ...world.environment, SLACK_APP_TOKEN: 'xapp-1-wrong' };
    const { status, stdout, stderr } = await runToEnd(process.execPath, [main], { cwd: world.folder, env });

    expect(status).toBe(1);
    expect(stderr).toContain('Slack does not accept SLACK_APP_TOKEN. Copy it again from');
    expect(stdout + stderr).not.toContain('xapp-1-wrong');
  });

  it('goes through the proxy of a company, with its certificates', async () => {
    const world = await startWalledWorld();
    onTestFinished(() => world.close());
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
  async function open(): Promise<LiveWorld> {
    const environment = { LEASE_SECONDS: '3' };
    const world = await openLiveWorld({ redis: true, transport: 'socket', slack: { retry: RETRIES }, environment });
    await world.signIn('U0ANA', 'thread');
    return world;
  }

  it('a question that cannot be written is not acknowledged, comes again, and is answered once', async () => {
    const world = await open();
    world.redis?.signal('SIGSTOP');
    const said = world.ask('while the store is away');
    await sleep(2_500);
    expect(world.slack.ledger.deliveries({ type: 'app_mention' }).every(({ status }) => status !== 200)).toBe(true);
    const told = world.slack.as('U0ANA').command('/assistant', 'status', CHANNEL);
    expect((await told).error ?? (await told).reply).toBeDefined();
    world.redis?.signal('SIGCONT');

    await expectOneAnswer(world, await said, 'while the store is away');
  });

  it('replicas share what comes, and the death of one loses nothing', async () => {
    const world = await open();
    const other = await world.startOther();
    expect(world.slack.socketMode.count).toBe(2);
    const questions = [];
    for (let index = 0; index < 10; index++) {
      questions.push(world.ask(`shared question ${index}`));
      // One dies with what it has received and not yet acknowledged.
      if (index === 4) await other.kill('SIGKILL');
    }

    await expect.poll(() => world.slack.socketMode.count).toBe(1);
    for (const [index, said] of questions.entries()) {
      await world.reply(await said);
      expect(asked(world, `shared question ${index}`)).toHaveLength(1);
      expect(world.repliesIn(await said)).toHaveLength(1);
    }
  });
});
