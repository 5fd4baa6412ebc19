import { type Scenario, type ScenarioOptions, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { breakService } from '../strikes/break-service.ts';
import { underLoad } from '../under-load.ts';
import type { Verdict } from '../verdict.ts';

const HANGING_EVERY = 50;

/** The app gives a silent service two minutes. */
const OPEN_TIMEOUT_MS = 180_000;

export const serviceFaults: Scenario = {
  name: 'service-faults',
  about: 'the assistant service refuses, breaks off, drips, resets, and answers nonsense',
  counts: { redis: 500, sqlite: 500 },
  run: (options) => strikeService(options, () => false),
};

export const serviceHangs: Scenario = {
  name: 'service-hangs',
  about: 'the same, and now and then the service takes a question and never says a word',
  counts: { redis: 200, sqlite: 200 },
  run: (options) => strikeService(options, (struck) => struck % HANGING_EVERY === 1),
};

function strikeService(options: ScenarioOptions, isHanging: (struck: number) => boolean): Promise<Verdict> {
  // Over the stream or without it: the app asks in both ways.
  const environment = { ASSISTANT_STREAMING: options.seed % 2 ? 'auto' : 'off' };
  const cluster = { ...options, leaseSeconds: USUAL_LEASE_SECONDS, environment };
  const setting = { cluster, load: options, openTimeoutMs: OPEN_TIMEOUT_MS, isUninterrupted: true };
  return underLoad(setting, async (cluster, _, progress) => {
    for (let struck = 1; struck <= options.count; struck++) {
      await breakService(cluster, isHanging(struck) ? 'hang' : undefined);
      progress(`${struck} faults`);
    }
    cluster.world.assistant.faults.clear();
    return () => ({ facts: [['faults of the service', String(options.count)]] });
  });
}
