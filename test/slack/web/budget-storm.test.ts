import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore } from '../../../src/backend/redis/connect-store.ts';
import { createRedisBuckets } from '../../../src/backend/redis/redis-buckets.ts';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createMemoryBuckets, type TokenBuckets } from '../../../src/slack/web/buckets.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';
import type { CallWithToken } from '../../../src/slack/web/methods.ts';
import { SlackRateLimitedError } from '../../../src/slack/web/slack-errors.ts';
import { type RedisServer, startRedis } from '../../app/redis-server.ts';
import { type Loopback, listen } from '../../http/loopback.ts';

/** The 429s of a workspace, in its first calls: about a third of them, with these waits in seconds. */
const STORM = [0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 3, 0];

const CALLS = 10;

type Arrival = { token: string; waitMs: number };

let http: HttpClient;
let slack: Loopback;
let redis: RedisServer;
const arrivals: Arrival[] = [];

/** Slack in a storm, of which some workspaces have nothing. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = request.headers.authorization ?? '';
  const before = arrivals.filter((arrival) => arrival.token === token).length;
  const waitSeconds = token.includes('calm') ? 0 : (STORM[before] ?? 0);
  arrivals.push({ token, waitMs: waitSeconds * 1_000 });
  request.resume();
  await once(request, 'end');
  if (waitSeconds > 0) response.writeHead(429, { 'retry-after': String(waitSeconds) }).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"ts":"1.1"}');
}

beforeAll(async () => {
  http = createHttpClient();
  slack = await listen((request, response) => void answer(request, response));
  redis = await startRedis();
});

afterAll(async () => {
  await http.close();
  await slack.close();
  await redis.close();
});

function replica(buckets: TokenBuckets): CallWithToken {
  return createSlackClient({ http, apiUrl: `${slack.url}/`, buckets, now: Date.now, log: createLog('silent') });
}

/**
 * The same buckets. `early`: tokens that they gave before the end of a block that they had taken by then. Whatever makes
 * this process late, none is called early that is not. `blockedUntil`: of all replicas.
 */
function watch(buckets: TokenBuckets, early: string[], blockedUntil: Map<string, number>): TokenBuckets {
  return {
    async take(wanted, reserve) {
      const until = Math.max(...wanted.map(({ key }) => blockedUntil.get(key) ?? 0));
      const waitMs = await buckets.take(wanted, reserve);
      // Their clocks are of whole ms.
      if (waitMs === 0 && performance.now() < until - 2) early.push(...wanted.map(({ key }) => key));
      return waitMs;
    },
    async block(key, forMs) {
      const until = performance.now() + forMs;
      await buckets.block(key, forMs);
      blockedUntil.set(key, Math.max(until, blockedUntil.get(key) ?? 0));
    },
  };
}

/**
 * Posts in channels of their own, as turns do it: what is held back comes back when it was told to. Returns how often that
 * was.
 */
async function postAll(replicas: CallWithToken[], workspace: string): Promise<number> {
  let heldBack = 0;
  await Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      const call = replicas[index % replicas.length];
      await sleep(index * 100);
      for (let isDone = false; !isDone; ) {
        try {
          await call?.('chat.postMessage', { workspace, botToken: workspace }, { channel: `C${index}`, text: 'hello' });
          isDone = true;
        } catch (error) {
          if (!(error instanceof SlackRateLimitedError)) throw error;
          heldBack += 1;
          await sleep(error.retryAfterMs);
        }
      }
    }),
  );
  return heldBack;
}

describe.concurrent('in a storm of 429s', () => {
  it('one process makes all its calls, takes no token before Slack allows it, and holds up no other workspace', async () => {
    await ride('alone', [createMemoryBuckets(() => performance.now())]);
  });

  it('several processes on one Redis do the same', async () => {
    const connections = await Promise.all([0, 1].map(() => connectStore({ url: redis.url })));

    await ride('together', connections.map(createRedisBuckets));

    await Promise.all(connections.map((connection) => connection.close()));
  });
});

async function ride(name: string, buckets: TokenBuckets[]): Promise<void> {
  const early: string[] = [];
  const blockedUntil = new Map<string, number>();
  const replicas = buckets.map((one) => replica(watch(one, early, blockedUntil)));

  const [heldBack] = await Promise.all(['calm', '1', '2'].map((one) => postAll(replicas, `${name}-${one}`)));

  const own = arrivals.filter(({ token }) => token.includes(name));
  const answered = Object.groupBy(
    own.filter(({ waitMs }) => waitMs === 0),
    ({ token }) => token,
  );
  expect(early).toEqual([]);
  expect(Object.values(answered).map((of) => of?.length)).toEqual([CALLS, CALLS, CALLS]);
  expect(own.filter(({ waitMs }) => waitMs > 0)).toHaveLength(8);
  expect(blockedUntil.size).toBe(2);
  expect(heldBack).toBe(0);
}
