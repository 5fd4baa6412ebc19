import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from '@assistant-bridge/sandbox/assistant/faults.ts';
import type { Cluster } from '../cluster.ts';
import { type Scenario, type ScenarioOptions, UNINTERRUPTED, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import type { Verdict } from '../verdict.ts';

/**
 * Refusals, lost answers, and answers that come in another way than they should. A 401 is left out: two in a row, and the
 * person alone is told to sign in again, where this suite does not look.
 */
const KINDS: readonly FaultKind[] = [
  ...(['429-seconds', '503-retry-after', 'reset-before-body'] as const),
  ...(['500', '502', '504-html', 'reset-after-body', 'cut-answer', 'not-json', 'drip'] as const),
];

const EVERY_MS = 250;

const HANGING_EVERY = 50;

/** The app gives a silent service two minutes. */
const OPEN_TIMEOUT_MS = 180_000;

/** The assistant service misbehaves, once or a few times. */
export async function breakService({ world, random }: Cluster, kind = random.pick(KINDS)): Promise<void> {
  await sleep(random.between(0, 2 * EVERY_MS));
  world.assistant.faults.next(kind, { times: 1 + random.below(3) });
}

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
  const cluster = { leaseSeconds: USUAL_LEASE_SECONDS, environment };
  return strikeOften(options, { ...UNINTERRUPTED, cluster, openTimeoutMs: OPEN_TIMEOUT_MS }, (running) => ({
    unit: 'faults of the service',
    async strike(nth) {
      await breakService(running, isHanging(nth) ? 'hang' : undefined);
      if (nth === options.count) running.world.assistant.faults.clear();
    },
  }));
}
