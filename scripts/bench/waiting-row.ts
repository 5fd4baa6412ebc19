import { setTimeout as pause } from 'node:timers/promises';
import { type Contender, withLastWords } from './contenders.ts';
import { type Bench, listApps, type MeasureRow, toRow } from './measure.ts';
import { GOALS, toMedian } from './table.ts';
import { runTraffic } from './traffic.ts';

/** Shorter than the ten minutes after which the app gives up. */
const RETRY_AFTER_S = 540;

const IN_FLIGHT = 32;

/** After this time, the work after the last post is done. */
const SETTLE_MS = 5_000;

/** What turns use at rest while they wait because the service asked to. The last row, because they go on waiting. */
export const measureWaiting: MeasureRow = async (bench) => {
  const apps = listApps(bench);
  const shares: Shares[] = [];
  for (const app of apps) {
    const begunAt = performance.now();
    await letWait(bench, app);
    shares.push(await measureRest(bench, app));
    const tookS = (performance.now() - begunAt) / 1_000;
    if (tookS > RETRY_AFTER_S) throw new Error(`waiting ${app.name}: this machine is too slow: the first wait is over`);
    // These turns must not wake up while the next app is measured.
    await app.stop();
  }
  const waiting = bench.sizes.waiting.toLocaleString('en');
  const [own, redis] = (['own', 'redis'] as const).map((key) => shares.map((share) => toMedian([share[key]])));
  return toRow('waiting', `${waiting} turns that wait, at rest`, apps, [
    { what: 'of a core, %', digits: 2, figures: own ?? [], goal: GOALS.waiting.percent },
    { what: 'of a core for Redis, %', digits: 2, figures: redis ?? [] },
  ]);
};

async function letWait({ world, sizes }: Bench, app: Contender): Promise<void> {
  const { faults } = world.assistant;
  faults.always('429-seconds', { retryAfterS: RETRY_AFTER_S });
  const load = { turns: sizes.waiting, inFlight: IN_FLIGHT, isWaiting: true };
  await withLastWords(app, runTraffic(world, app.eventsUrl, load)).finally(() => faults.clear());
}

/** In percent of a core. */
type Shares = { own: number; redis: number };

async function measureRest({ sizes }: Bench, { process, redis }: Contender): Promise<Shares> {
  await pause(SETTLE_MS);
  const look = async () => ({
    at: performance.now(),
    own: (await process.usage()).cpuMs,
    redis: (await redis?.usage())?.cpuMs ?? Number.NaN,
  });
  const before = await look();
  await pause(sizes.restS * 1_000);
  const after = await look();
  const toPercent = (key: 'own' | 'redis') => (100 * (after[key] - before[key])) / (after.at - before.at);
  return { own: toPercent('own'), redis: toPercent('redis') };
}
