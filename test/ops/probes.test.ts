import type { IncomingMessage, ServerResponse } from 'node:http';
import { useFakeTimers } from 'sinon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventLoopLag, createHealth, createReadiness } from '../../src/ops/readiness.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The status and the words that it answers with. */
function ask(handle: Handle, method = 'GET'): Promise<[number, unknown]> {
  return new Promise((resolve) => {
    let status = 0;
    const response = {
      writeHead(code: number) {
        status = code;
        return response;
      },
      end: (text = '{}') => resolve([status, JSON.parse(text)]),
    };
    handle({ method } as IncomingMessage, response as unknown as ServerResponse);
  });
}

function stopTime(...toFake: ('setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'performance')[]) {
  const clock = useFakeTimers({ toFake: ['performance', ...toFake] });
  onTestFinished(() => clock.restore());
  return clock;
}

function aReadiness(options: Partial<Parameters<typeof createReadiness>[0]> = {}) {
  const clock = stopTime('setTimeout', 'clearTimeout');
  const readiness = createReadiness({ check: async () => undefined, ...options });
  return { clock, readiness, ask: () => ask(readiness.handle) };
}

const NEVER = new Promise<never>(() => undefined);

describe('/ready', () => {
  it('is good only while there is a connection to Slack, with Socket Mode; the store comes first', async () => {
    let isConnected = false;
    let store = async () => {};
    const { ask, readiness, clock } = aReadiness({ check: () => store() });
    readiness.watchSlack(() => isConnected);

    expect(await ask()).toEqual([503, { status: 'slack_unavailable' }]);
    isConnected = true;
    expect(await ask()).toEqual([200, { status: 'ready' }]);
    isConnected = false;
    store = async () => Promise.reject(new Error('gone'));
    clock.tick(1_000);
    expect(await ask()).toEqual([503, { status: 'store_unavailable' }]);
  });

  it('is bad two seconds after the store was asked and said nothing, and good again once it answers', async () => {
    let checks = 0;
    const check = () => (++checks === 1 ? NEVER : Promise.resolve());
    const { ask, clock } = aReadiness({ check });

    const first = ask();
    await clock.tickAsync(1_999);
    expect(await Promise.race([first, 'nothing yet'])).toBe('nothing yet');
    await clock.tickAsync(1);

    expect(await first).toEqual([503, { status: 'store_unavailable' }]);
    expect(await ask()).toEqual([200, { status: 'ready' }]);
  });

  it('asks the store once a second, however many ask it', async () => {
    let checks = 0;
    const { ask, clock } = aReadiness({ check: async () => void checks++ });

    await Promise.all(Array.from({ length: 50 }, ask));
    clock.tick(999);
    await ask();
    expect(checks).toBe(1);
    clock.tick(1);
    await ask();
    expect(checks).toBe(2);
  });
});

describe('a stop', () => {
  it('is seen at once, and waits until balancers have noticed', async () => {
    const { ask, readiness, clock } = aReadiness();
    await ask();

    const noticed = readiness.startDraining().then(() => 'noticed');
    const meanwhile = await ask();
    await clock.tickAsync(4_999);
    expect(await Promise.race([noticed, 'waits'])).toBe('waits');
    await clock.tickAsync(1);

    expect(await noticed).toBe('noticed');
    expect([meanwhile, await ask()]).toEqual(Array(2).fill([503, { status: 'draining' }]));
  });

  it('waits for nobody where nobody balances', async () => {
    const { ask, readiness, clock } = aReadiness();
    await ask();
    clock.tick(60_001);

    expect(await readiness.startDraining()).toBeUndefined();
  });
});

describe('/health', () => {
  it.each<[number, [number, object]]>([
    [999, [200, { status: 'ok' }]],
    [1_000, [503, { status: 'event_loop_blocked' }]],
  ])('tells whether the event loop turns: after a standstill of %i ms', async (lagMs, answer) => {
    expect(await ask(createHealth(() => lagMs))).toEqual(answer);
  });

  it('answers nothing but a look', async () => {
    const health = createHealth(() => 0);

    expect((await ask(health, 'POST'))[0]).toBe(405);
    expect((await ask(health, 'HEAD'))[0]).toBe(200);
  });
});

describe('the lag of the event loop', () => {
  function watch(...start: Parameters<typeof createEventLoopLag>) {
    const lag = createEventLoopLag(...start);
    onTestFinished(lag.stop);
    return lag;
  }

  it('is none while the timer comes in time', async () => {
    const clock = stopTime('setInterval', 'clearInterval');
    const lag = watch();

    await clock.tickAsync(3_000);

    expect(lag.recentMs()).toBe(0);
  });

  it.each([
    ['counts before the timer that is due has run', 0, 1_250],
    ['forgives a start that loads its code', 10_000, 0],
  ])('%s', (_, startMs, lagMs) => {
    const clock = stopTime();
    const lag = watch(startMs);

    // The timer is a real one, which has not come yet.
    clock.tick(1_500);

    expect(lag.recentMs()).toBe(lagMs);
  });

  it('is remembered for five seconds at least, and for ten at most', async () => {
    const clock = stopTime('setInterval', 'clearInterval');
    const lag = watch();
    await clock.tickAsync(1_000);
    // As a process sees it that was stopped and goes on.
    clock.jump(3_250);

    await clock.tickAsync(4_900);
    const after5s = lag.recentMs();
    await clock.tickAsync(5_200);

    expect(after5s).toBe(3_000);
    expect(lag.recentMs()).toBe(0);
  });
});
