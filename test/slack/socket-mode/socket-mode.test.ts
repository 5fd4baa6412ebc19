import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createWebSockets } from '../../../src/http/web-socket.ts';
import { createLog } from '../../../src/log.ts';
import type { Envelope } from '../../../src/slack/socket-mode/socket-connection.ts';
import { createSocketMode, type SocketMode } from '../../../src/slack/socket-mode/socket-mode.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';

type Taken = { acknowledge: boolean; answer?: unknown };

let slack: SandboxSlack;
let http: HttpClient;
let app: SocketMode;
let token: string;
let taken: Envelope[];
let take: (envelope: Envelope) => Promise<Taken>;
let replaced: string[];
let lines: string[];
/** How many answers of Slack have no address in them. */
let incomplete: number;

const QUICK = {
  helloMs: 1_000,
  pingMs: 20,
  silenceMs: 500,
  firstWaitMs: 10,
  longestWaitMs: 50,
  refusedWaitMs: 50,
  steadyMs: 50,
  overlapMs: 1_000,
};

beforeEach(async () => {
  slack = await startSlack({ retry: [50, 100, 200, 400, 800], ackTimeoutMs: 600 });
  slack.registration.isSocketMode = true;
  http = createHttpClient();
  token = slack.appToken;
  taken = [];
  take = async () => ({ acknowledge: true });
  replaced = [];
  lines = [];
  incomplete = 0;
  app = createApp();
});
afterEach(async () => {
  await app.stop(0);
  await http.close();
  await slack.close();
});

function createApp(times = QUICK): SocketMode {
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const call = createSlackClient({ http, apiUrl: slack.apiUrl, now: Date.now, log });
  return createSocketMode({
    async openUrl() {
      const { url = '' } = await call('apps.connections.open', { workspace: 'app', botToken: token }, {});
      incomplete -= 1;
      return incomplete < 0 ? url : '';
    },
    webSockets: createWebSockets(),
    take(envelope) {
      taken.push(envelope);
      return take(envelope);
    },
    onCount: () => undefined,
    onReplace: (reason) => replaced.push(reason),
    onConnected: () => undefined,
    times,
    log,
  });
}

const say = (text = 'hello') => slack.as('U0ANA').say('C0FINANCE', text);

/** What was said is taken once that is finished. */
async function sayAndHold() {
  const held = Promise.withResolvers<Taken>();
  take = () => held.promise;
  const saying = say();
  await expect.poll(() => taken.length).toBe(1);
  return { said: () => saying, finish: () => held.resolve({ acknowledge: true }) };
}

describe('an envelope', () => {
  it('is acknowledged after it was taken, and not before', async () => {
    await app.start();
    const { said, finish } = await sayAndHold();
    expect(slack.ledger.deliveries()[0]?.status).toBeUndefined();
    finish();

    expect((await said()).deliveries).toMatchObject([{ ok: true }]);
    expect(slack.socketMode.problems).toEqual([]);
  });

  it('that was not taken is not acknowledged, and comes again with its number and reason', async () => {
    await app.start();
    take = async () => ({ acknowledge: taken.length > 1 });

    const [delivery] = (await say()).deliveries;

    expect(delivery).toMatchObject({ ok: true });
    expect(delivery?.attempts).toBeGreaterThan(1);
    expect(taken.map(({ retryNum, retryReason }) => [retryNum, retryReason])).toEqual([
      [undefined, undefined],
      [1, 'timeout'],
    ]);
  });

  it.each([
    ['an object', { text: 'done' }],
    ['a text', 'done'],
  ])(
    'of a command takes the answer with it, and none of an event, because Slack accepts none there: %s',
    async (_, answer) => {
      await app.start();
      take = async () => ({ acknowledge: true, answer });
      await say();

      expect((await slack.as('U0ANA').command('/x', '', 'C0GENERAL')).reply).toMatchObject({ text: 'done' });
      expect(slack.socketMode.problems).toEqual([]);
    },
  );

  it('is acknowledged on the connection that it came on, while that is being replaced', async () => {
    await app.start();
    const { said, finish } = await sayAndHold();
    slack.socketMode.refresh('warning', 5_000);
    await expect.poll(() => slack.socketMode.opened).toBe(2);
    finish();

    expect((await said()).deliveries).toMatchObject([{ ok: true, attempts: 1 }]);
    expect(slack.socketMode.problems).toEqual([]);
  });

  it('of megabytes arrives whole, and what is no envelope does no harm', async () => {
    await app.start();
    await slack.deliver('{"type":"events_api","envelope_id":', { retry: 'none' });
    await slack.deliver('null', { retry: 'none' });
    await slack.deliver('{"type":"news"}', { retry: 'none' });
    const { ok } = await slack.deliver({ type: 'event_callback', padding: 'ä'.repeat(1_000_000) });

    expect(ok).toBe(true);
    expect(taken).toHaveLength(1);
    expect(app.isConnected()).toBe(true);
  });
});

describe('a connection', () => {
  it('has its successor before Slack closes it, so that nothing is late', async () => {
    await app.start();
    const said: ReturnType<typeof say>[] = [];
    for (let round = 0; round < 3; round++) {
      slack.socketMode.refresh('refresh_requested', 800);
      for (let index = 0; index < 10; index++) {
        said.push(say());
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(app.isConnected()).toBe(true);
      }
    }

    for (const { deliveries } of await Promise.all(said)) expect(deliveries).toMatchObject([{ ok: true }]);
    expect(replaced).toEqual(['refresh_requested', 'refresh_requested', 'refresh_requested']);
    await expect.poll(() => slack.socketMode.count).toBe(1);
  });

  it('that falls silent without being closed is replaced', async () => {
    await app.start();
    slack.socketMode.fallSilent();
    await expect.poll(() => slack.socketMode.opened).toBe(2);

    expect((await say()).deliveries).toMatchObject([{ ok: true }]);
    expect(replaced).toEqual(['silent']);
    await expect.poll(() => slack.socketMode.count).toBe(1);
  });

  it('that hears nothing but pings and pongs stays', async () => {
    await app.start();
    await new Promise((resolve) => setTimeout(resolve, 3 * QUICK.silenceMs));

    expect(slack.socketMode.opened).toBe(1);
    expect(app.isConnected()).toBe(true);
  });

  it('is asked for again and again while Slack fails, after the wait that Slack wants', async () => {
    await app.start();
    slack.faults.next('apps.connections.open', { kind: 'status', status: 500, times: 2 });
    slack.faults.next('apps.connections.open', { kind: 'rateLimited', retryAfterSeconds: 1 });
    const begunAt = performance.now();
    slack.socketMode.cut();
    await expect.poll(() => app.isConnected()).toBe(false);
    await expect.poll(() => slack.socketMode.opened).toBe(2);

    expect(performance.now() - begunAt).toBeGreaterThan(1_000);
    expect(app.isConnected()).toBe(true);
    expect(slack.ledger.calls('apps.connections.open')).toHaveLength(5);
  });

  it('is not asked for all the time where each one is lost at once', async () => {
    const counting = slack.until(() => slack.socketMode.opened >= 4, { what: 'four connections' });
    const begunAt = performance.now();
    const cutting = setInterval(() => slack.socketMode.cut(), 1);
    await app.start();
    await counting;
    clearInterval(cutting);

    expect(performance.now() - begunAt).toBeGreaterThan(0.8 * (10 + 20));
  });

  it.each([
    ['Socket Mode is turned off', 'link_disabled', 'Socket Mode is turned off for this app'],
    ['there are too many already', 'too_many_websockets', 'run fewer replicas'],
  ])('that Slack does not greet is reported with what to do: %s', async (_, reason, sentence) => {
    const others: SocketMode[] = [];
    if (reason === 'link_disabled') slack.socketMode.turn(false);
    else for (let count = 0; count < 10; count++) others.push(createApp());
    for (const other of others) await other.start();
    await app.start();

    expect(app.isConnected()).toBe(false);
    expect(lines.join('')).toContain(sentence);
    slack.socketMode.turn(true);
    await others[0]?.stop(0);
    await expect.poll(() => app.isConnected()).toBe(true);
    for (const other of others) await other.stop(0);
  });

  it('of which no greeting comes is given up, and another one is tried', async () => {
    slack.socketMode.mute(true);
    await app.start();
    expect(app.isConnected()).toBe(false);
    await expect.poll(() => lines.join('')).toContain('no_hello');
    slack.socketMode.mute(false);

    await expect.poll(() => app.isConnected()).toBe(true);
  });
});

describe('the start', () => {
  it('succeeds while Slack is out of reach, and the connection follows', async () => {
    slack.faults.next('apps.connections.open', { kind: 'status', status: 503, times: 2 });
    await app.start();
    expect(app.isConnected()).toBe(false);

    await expect.poll(() => app.isConnected()).toBe(true);
  });

  it('an answer of Slack without an address does not end the process, and is asked for again', async () => {
    incomplete = 5;
    await app.start();

    await expect.poll(() => app.isConnected()).toBe(true);
  });

  it('a token that is refused later does not end the process', async () => {
    await app.start();
    token = 'xapp-1-wrong';
    slack.socketMode.cut();
    await expect.poll(() => lines.join('')).toContain('Slack does not accept SLACK_APP_TOKEN');
    token = slack.appToken;

    await expect.poll(() => app.isConnected()).toBe(true);
  });
});

describe('the stop', () => {
  it('waits for what is under way, acknowledges it, and closes', async () => {
    await app.start();
    const { said, finish } = await sayAndHold();
    const stopped = app.stop(1_000);
    setTimeout(finish, 50);
    await stopped;

    expect((await said()).deliveries).toMatchObject([{ ok: true, attempts: 1 }]);
    await expect.poll(() => slack.socketMode.count).toBe(0);
    expect(slack.socketMode.opened).toBe(1);
  });

  it('does not wait for longer than it may', async () => {
    await app.start();
    take = () => new Promise(() => undefined);
    void say();
    await expect.poll(() => taken.length).toBe(1);

    await app.stop(100);
  });

  it('between two tries ends the trying', async () => {
    slack.faults.always('apps.connections.open', { kind: 'status', status: 503 });
    await app.start();
    await app.stop(100);
    const calls = slack.ledger.calls('apps.connections.open').length;
    await new Promise((resolve) => setTimeout(resolve, 200));

    expect(slack.ledger.calls('apps.connections.open')).toHaveLength(calls);
  });
});
