import type { RequestListener } from 'node:http';
import { useFakeTimers } from 'sinon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventLoopLag, createHealth, createReadiness } from '../../src/ops/readiness.ts';
import { listen } from '../http/loopback.ts';

async function serve(listener: RequestListener): Promise<() => Promise<[number, unknown]>> {
  const { url, close } = await listen(listener);
  onTestFinished(close);
  return async () => {
    const response = await fetch(url);
    return [response.status, await response.json()];
  };
}

async function serveReadiness(options: Partial<Parameters<typeof createReadiness>[0]> = {}) {
  const readiness = createReadiness({ check: async () => undefined, ...options });
  const ask = await serve((request, response) => void readiness.handle(request, response));
  return { ask, readiness };
}

/** The event loop does not turn meanwhile. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('/ready with Socket Mode', () => {
  it('is good only while there is a connection to Slack; the store comes first', async () => {
    let isConnected = false;
    let store = async () => {};
    const { ask, readiness } = await serveReadiness({ check: () => store() });
    readiness.watchSlack(() => isConnected);

    expect(await ask()).toEqual([503, { status: 'slack_unavailable' }]);
    isConnected = true;
    expect(await ask()).toEqual([200, { status: 'ready' }]);
    isConnected = false;
    store = async () => Promise.reject(new Error('gone'));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await ask()).toEqual([503, { status: 'store_unavailable' }]);
  });
});

describe('/health', () => {
  it('is good while the event loop turns', async () => {
    const ask = await serve(createHealth(() => 999));

    expect(await ask()).toEqual([200, { status: 'ok' }]);
  });

  it('is bad right after the event loop stood still for a second', async () => {
    const lag = createEventLoopLag();
    onTestFinished(lag.stop);
    const ask = await serve(createHealth(lag.recentMs));

    standStill(1_500);

    expect(await ask()).toEqual([503, { status: 'event_loop_blocked' }]);
  });

  it('forgives a start that loads its code', async () => {
    const lag = createEventLoopLag(10_000);
    onTestFinished(lag.stop);
    const ask = await serve(createHealth(lag.recentMs));

    standStill(1_500);

    expect(await ask()).toEqual([200, { status: 'ok' }]);
  });

  it('answers nothing but a look', async () => {
    const { url, close } = await listen(createHealth(() => 0));
    onTestFinished(close);

    const posted = await fetch(url, { method: 'POST' });
    const head = await fetch(url, { method: 'HEAD' });

    expect([posted.status, head.status, await head.text()]).toEqual([405, 200, '']);
  });
});

describe('the lag of the event loop', () => {
  it('is none while the timer comes in time', async () => {
    const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => clock.restore());
    const lag = createEventLoopLag();

    await clock.tickAsync(3_000);

    expect(lag.recentMs()).toBe(0);
  });

  it('counts before the timer that is due has run', () => {
    const lag = createEventLoopLag();
    onTestFinished(lag.stop);

    standStill(700);

    expect(lag.recentMs()).toBeGreaterThanOrEqual(400);
  });

  it('is remembered for five seconds at least, and for ten at most', async () => {
    const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => clock.restore());
    const lag = createEventLoopLag();
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

describe('/ready', () => {
  it('is bad half a second after the store was asked and said nothing', async () => {
    const { ask } = await serveReadiness({ check: () => new Promise(() => undefined) });
    const begun = performance.now();

    expect(await ask()).toEqual([503, { status: 'store_unavailable' }]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(490);
  });

  it('is good again once the store answers, though an earlier question to it hangs for ever', async () => {
    let checks = 0;
    const check = () => (++checks === 1 ? new Promise<never>(() => undefined) : Promise.resolve());
    const { ask } = await serveReadiness({ check });
    await ask();

    await expect.poll(ask).toEqual([200, { status: 'ready' }]);
  });

  it('asks the store once a second, however many ask it', async () => {
    let checks = 0;
    const check = async () => {
      checks++;
    };
    const { ask } = await serveReadiness({ check });

    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, ask));

    expect(checks).toBeGreaterThan(0);
    // On a busy machine the fifty take longer than a second.
    expect(checks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - begun) / 1_000));
  });

  it('is bad from the moment that the app is to stop, and stays so', async () => {
    const { ask, readiness } = await serveReadiness({ noticeMs: 0 });
    await ask();

    await readiness.startDraining();

    expect(await ask()).toEqual([503, { status: 'draining' }]);
  });
});

describe('a stop', () => {
  it('waits until balancers have noticed', async () => {
    const { ask, readiness } = await serveReadiness({ noticeMs: 300 });
    await ask();
    const begun = performance.now();

    const noticed = readiness.startDraining();
    const meanwhile = await ask();
    await noticed;

    expect(meanwhile).toEqual([503, { status: 'draining' }]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(295);
  });

  it('waits for nobody where nobody balances', async () => {
    const { readiness } = await serveReadiness({ noticeMs: 60_000 });

    const outcome = await Promise.race([readiness.startDraining().then(() => 'done'), tick()]);

    expect(outcome).toBe('done');
  });
});

function tick(): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, 500, 'still waiting'));
}
