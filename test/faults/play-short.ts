import type { StoreName } from './cluster.ts';
import type { Scenario } from './scenario.ts';

/** Few enough for a machine that runs all other tests beside it. */
const RATE = 20;

/** A fixed one: what the test meets is the same every time, as far as several processes can be. */
const SEED = 1;

/** Plays a scenario in small, and returns what was missed of what a busy machine cannot spoil. */
export async function playShort(scenario: Scenario, store: StoreName, count: number): Promise<string[]> {
  const options = { store, count, seed: SEED, rate: RATE, leaseSeconds: 2, progress: () => undefined };
  const { criteria } = await scenario.run(options);
  return criteria
    .filter(({ isMet, isTiming }) => !isMet && !isTiming)
    .map(({ name, found, offences }) => [`${name}: ${found}`, ...offences].join('\n'));
}
