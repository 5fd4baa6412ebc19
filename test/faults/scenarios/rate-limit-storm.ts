import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import { type Scenario, UNINTERRUPTED } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';

/** What a turn calls. A storm takes one of them, or all. */
const METHODS = ['chat.postMessage', 'chat.update', 'users.info', 'conversations.info', 'conversations.replies'];

const STORMS = [['chat.postMessage'], ['users.info'], ['conversations.replies', 'chat.update'], METHODS];

const SECONDS = [1, 2, 3];

const REST_MS = 2_000;

/** What was under way when the first 429 came could not know of it. */
const GRACE_MS = 300;

/** For seconds Slack answers 429 and when to come again. Returns how many calls came all the same. */
export async function limitSlack({ world: { slack }, random }: Cluster): Promise<number> {
  await sleep(random.between(0, REST_MS));
  const methods = random.pick(STORMS);
  const firstAt = new Map<string, number>();
  let inside = 0;
  const stopWatching = slack.faults.onCall('*', ({ method }) => {
    if (!methods.includes(method)) return;
    const first = firstAt.get(method) ?? performance.now();
    firstAt.set(method, first);
    if (performance.now() - first > GRACE_MS) inside += 1;
  });
  for (let left = random.pick(SECONDS); left > 0; left--) {
    for (const method of methods) slack.faults.always(method, { kind: 'rateLimited', retryAfterSeconds: left });
    await sleep(1_000);
  }
  stopWatching();
  for (const method of methods) slack.faults.clear(method);
  return inside;
}

export const rateLimitStorm: Scenario = {
  name: 'rate-limit-storm',
  about: 'Slack answers 429 with Retry-After to all calls of a method, or of all, for seconds at a time',
  counts: { redis: 60, sqlite: 60 },
  run: (options) =>
    strikeOften(options, UNINTERRUPTED, (cluster) => {
      let inside = 0;
      return {
        unit: 'storms',
        async strike() {
          inside += await limitSlack(cluster);
        },
        judge: () => ({ facts: [['calls made though Slack had said when to call again', String(inside)]] }),
      };
    }),
};
