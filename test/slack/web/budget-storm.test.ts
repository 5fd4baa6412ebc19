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
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { SlackRateLimitedError } from '../../../src/slack/web/slack-errors.ts';
import { type RedisServer, startRedis } from '../../app/redis-server.ts';
import { type Loopback, listen } from '../../http/loopback.ts';

/** The 429s of a workspace, in its first calls: about a third of them, with these waits in seconds. */
const STORM = [0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 3, 0];

/** What was on its way when Slack said 429 may still arrive. */
const ON_ITS_WAY_MS = 300;

const CALLS = 10;

type Arrival = { token: string; at: number; waitMs: number };

let http: HttpClient;
let slack: Loopback;
let redis: RedisServer;
const arrivals: Arrival[] = [];

/** Slack in a storm, of which some workspaces have nothing. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = request.headers.authorization ?? '';
  const before = arrivals.filter((arrival) => arrival.token === token).length;
  const waitSeconds = token.includes('calm') ? 0 : (STORM[before] ?? 0);
  arrivals.push({ token, at: Date.now(), waitMs: waitSeconds * 1_000 });
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

function replica(buckets: TokenBuckets): CallSlack {
  return createSlackClient({ http, apiUrl: `${slack.url}/`, buckets, now: Date.now, log: createLog('silent') });
}

/** Posts in channels of their own, as turns do it: what is held back comes back when it was told to. */
async function postAll(replicas: CallSlack[], token: string): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      const call = replicas[index % replicas.length];
      await sleep(index * 100);
      for (let isDone = false; !isDone; ) {
        try {
          await call?.('chat.postMessage', token, { channel: `C${index}`, text: 'hello' });
          isDone = true;
        } catch (error) {
          if (!(error instanceof SlackRateLimitedError)) throw error;
          await sleep(error.retryAfterMs);
        }
      }
    }),
  );
}

/** Those of them that arrived while Slack had asked for no call of their method in their workspace. */
function inWindows(own: Arrival[]): Arrival[] {
  return own.filter(({ token, at }) =>
    own.some((limited) => {
      const since = at - limited.at;
      return limited.token === token && since > ON_ITS_WAY_MS && since < limited.waitMs;
    }),
  );
}

describe.concurrent('in a storm of 429s', () => {
  it('one process makes all its calls, none of them before Slack allows it, and holds up no other workspace', async () => {
    await ride('alone', [replica(createMemoryBuckets(() => performance.now()))]);
  });

  it('several processes on one Redis do the same', async () => {
    const connections = await Promise.all([0, 1].map(() => connectStore({ url: redis.url })));

    await ride(
      'together',
      connections.map((connection) => replica(createRedisBuckets(connection))),
    );

    await Promise.all(connections.map((connection) => connection.close()));
  });
});

async function ride(name: string, replicas: CallSlack[]): Promise<void> {
  const begunAt = performance.now();
  const calm = postAll(replicas, `${name}-calm`).then(() => performance.now() - begunAt);

  const [calmMs] = await Promise.all([calm, postAll(replicas, `${name}-1`), postAll(replicas, `${name}-2`)]);

  const own = arrivals.filter(({ token }) => token.includes(name));
  const answered = Object.groupBy(
    own.filter(({ waitMs }) => waitMs === 0),
    ({ token }) => token,
  );
  expect(inWindows(own)).toEqual([]);
  expect(Object.values(answered).map((of) => of?.length)).toEqual([CALLS, CALLS, CALLS]);
  expect(own.filter(({ waitMs }) => waitMs > 0)).toHaveLength(8);
  expect(calmMs).toBeLessThan(4_000);
}
