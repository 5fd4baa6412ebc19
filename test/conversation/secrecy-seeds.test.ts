import { expect, it } from 'vitest';
import { playSeed, type Seen } from './secrecy-world.ts';

/** `SECRECY_SEEDS=10000 npm test -- test/conversation/secrecy-seeds` plays more of them, `SECRECY_SEEDS=4711-4711` one. */
const [first = 1, last = 500] = readSeeds(process.env.SECRECY_SEEDS ?? '150');

it(`nobody reads what they may not, whatever happens: seeds ${first} to ${last}`, { timeout: 3_600_000 }, async () => {
  const seen: Seen = { inPublic: 0, secretsInPrivate: 0, kills: 0, faults: 0, unknown: 0 };
  const leaks: string[] = [];
  for (let seed = first; seed <= last; seed++) leaks.push(...(await playSeed(seed, seen)));

  expect(leaks).toEqual([]);
  // A world in which nothing happens shows nothing.
  for (const [what, times] of Object.entries(seen))
    expect(times, what).toBeGreaterThanOrEqual(Math.floor((last - first) / 2));
});

function readSeeds(given: string): number[] {
  const numbers = given.split('-').map(Number);
  return numbers.length === 1 ? [1, ...numbers] : numbers;
}
