import { CHANNEL, type Cluster } from '../cluster.ts';
import { makeMalformed } from '../malformed.ts';
import { MEMORY_ENVIRONMENT, readMemory } from '../memory.ts';
import { wholePayloads } from '../payloads.ts';
import type { Replica } from '../replica.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { speak } from '../speak.ts';
import { inCluster } from '../under-load.ts';
import { atMost, none, percentile, toPercentiles } from '../verdict.ts';

const AT_ONCE = 16;

const GROWTH_LIMIT_MB = 50;
const P99_LIMIT_MS = 100;

/** Until then the engine compiles, and takes the pages that it needs for such a rate; it never gives them all back. */
const WARM_UP = 20_000;

const PROGRESS_EVERY = 5_000;

export const malformedPayloads: Scenario = {
  name: 'malformed-payloads',
  about: 'deliveries with something broken in them, so many',
  counts: { redis: 100_000, sqlite: 100_000 },
  run(options) {
    const cluster = { leaseSeconds: USUAL_LEASE_SECONDS, replicas: 1, environment: MEMORY_ENVIRONMENT };
    return inCluster(options, { cluster, ignored: ['unasked'] }, async (cluster) => {
      const [replica] = cluster.replicas;
      if (!replica) throw new Error('There is no replica.');
      const { pid } = replica;
      await deliver(cluster, replica, Math.min(WARM_UP, options.count), () => undefined);
      const before = await readMemory(pid);
      const { statuses, times, unanswered } = await deliver(cluster, replica, options.count, options.progress);
      const after = await readMemory(pid);
      await speak(cluster, { author: 'U0BEN' });
      return () => ({
        facts: [
          ...[...statuses].map(([status, count]): [string, string] => [`answered ${status}`, String(count)]),
          ['answered after', toPercentiles(times)],
          ['resident memory', `${Math.round(before)} MB, then ${Math.round(after)} MB`],
        ],
        criteria: [
          none('deliveries without an answer', unanswered),
          atMost('answered at p99', percentile(times, 0.99), P99_LIMIT_MS, 'ms'),
          atMost('growth of resident memory', after - before, GROWTH_LIMIT_MB, 'MB'),
        ],
      });
    });
  },
};

type Delivered = { statuses: Map<number, number>; times: number[]; unanswered: string[] };

/** Past the balancer: it would take a connection that is closed on a huge body for a replica that is gone. */
async function deliver(
  { world: { slack }, random }: Cluster,
  replica: Replica,
  count: number,
  progress: (line: string) => void,
): Promise<Delivered> {
  const people = { channel: CHANNEL, dm: slack.as('U0ANA').dm, user: 'U0ANA', bot: slack.botUserId };
  const payloads = wholePayloads(people);
  const delivered: Delivered = { statuses: new Map(), times: [], unanswered: [] };
  const balanced = slack.registration.eventsUrl;
  let begun = 0;

  async function goOn(): Promise<void> {
    while (begun < count) {
      begun += 1;
      if (begun % PROGRESS_EVERY === 0) progress(`${begun} deliveries`);
      const { body, options } = makeMalformed(random.pick(payloads), random);
      const { status, error, ms } = await slack.deliver(body, options);
      if (status === undefined) delivered.unanswered.push(`${error}: ${body.slice(0, 80)}`);
      else delivered.statuses.set(status, (delivered.statuses.get(status) ?? 0) + 1);
      delivered.times.push(ms);
    }
  }

  slack.registration.eventsUrl = `http://127.0.0.1:${replica.port}/slack/events`;
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  slack.registration.eventsUrl = balanced;
  return delivered;
}
