import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '../balancer.ts';
import type { Cluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { none } from '../verdict.ts';

const MINUTE_MS = 60_000;

/** Past the five minutes within which a signature of Slack counts, both ways; and less, which changes nothing. */
const OFFSETS_MS = [10, -10, 3, -3].map((minutes) => minutes * MINUTE_MS);

const WINDOW_MS = 5 * MINUTE_MS;

const JUMPED_MS = 2_000;

/** Now and then one dies with times of the wrong clock in its records, and they are read by the right one. */
const KILLED_SHARE = 0.5;

/** The replica looks at its clock's file every 50 ms. */
const SEEN_AFTER_MS = 500;

/** Sets how far the wall clocks of all replicas are off, in ms. */
type SetClock = (offsetMs: number) => void;

export const clockJumps: Scenario = {
  name: 'clock-jumps',
  about: 'the clocks of all replicas jump by three or ten minutes, forward or back, and later back to where they were',
  counts: { redis: 40, sqlite: 40 },
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'clock-'));
    const clock = join(folder, 'offset');
    const setClock: SetClock = (offsetMs) => writeFileSync(clock, String(offsetMs));
    setClock(0);
    const preload = new URL('../shifted-clock.ts', import.meta.url).href;
    const environment = { CLOCK_FILE: clock, NODE_OPTIONS: `--import ${preload}` };
    return strikeOften(options, { cluster: { environment } }, (cluster) => {
      const signatures = watchSignatures(cluster.balancer);
      return {
        unit: 'jumps, there and back',
        strike: () => jump(cluster, setClock, signatures.expectRefusals),
        judge: () => ({
          facts: [['deliveries refused as not of now', String(signatures.refused())]],
          criteria: [none('signatures taken more than five minutes off', signatures.taken)],
        }),
      };
    }).finally(() => rmSync(folder, { recursive: true, force: true }));
  },
};

async function jump(cluster: Cluster, setClock: SetClock, expectRefusals: (isExpected: boolean) => void) {
  const { random, replicas } = cluster;
  await sleep(random.between(500, 2_000));
  const offsetMs = random.pick(OFFSETS_MS);
  setClock(offsetMs);
  await sleep(SEEN_AFTER_MS);
  expectRefusals(Math.abs(offsetMs) > WINDOW_MS);
  await sleep(JUMPED_MS);
  expectRefusals(false);
  const [first] = replicas;
  if (random.chance(KILLED_SHARE)) await first?.kill();
  setClock(0);
  if (first?.state === 'down') await first.start();
}

function watchSignatures(balancer: Balancer) {
  let outsideSince = Number.POSITIVE_INFINITY;
  let refused = 0;
  const taken: string[] = [];
  balancer.onPassed(({ status, ms, item }) => {
    if (status === 401) refused += 1;
    const isOutside = performance.now() - ms > outsideSince;
    if (status === 200 && isOutside) taken.push(`item ${item} was taken by a clock that is ten minutes off`);
  });
  return {
    taken,
    refused: () => refused,
    expectRefusals(isExpected: boolean) {
      outsideSince = isExpected ? performance.now() : Number.POSITIVE_INFINITY;
    },
  };
}
