import type { StoreName } from './cluster.ts';
import type { Scenario } from './scenario.ts';

/** Few enough for a machine that runs all other tests beside it. */
const RATE = 4;

/** A fixed one: what the test meets is the same every time, as far as several processes can be. */
const SEED = 1;

/**
 * The Slack of each runs in this process. With more of them it would now and then answer later than the app waits for, and
 * do what the app has given up on.
 */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Plays a scenario in small, and returns what was missed of what a busy machine cannot spoil. */
export async function playShort(scenario: Scenario, store: StoreName, count: number): Promise<string[]> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await play(scenario, store, count);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function play(scenario: Scenario, store: StoreName, count: number): Promise<string[]> {
  const options = { store, count, seed: SEED, rate: RATE, leaseSeconds: 2, progress: () => undefined };
  const { criteria } = await scenario.run(options);
  return criteria
    .filter(({ isMet, isTiming }) => !isMet && !isTiming)
    .map(({ name, found, offences }) => [`${name}: ${found}`, ...offences].join('\n'));
}
