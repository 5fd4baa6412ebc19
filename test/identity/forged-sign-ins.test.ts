import { expect, it } from 'vitest';
import { searchSignIns } from './forging/search.ts';
import { startLinkWorld } from './link-world.ts';

// `npm run faults -- --only forged-sign-ins` is the long form.
it('forged, replayed, crossed and forwarded sign-ins link nobody wrongly, and honest ones between them succeed', async () => {
  const world = await startLinkWorld();

  const { attempts, honest, linkedWrongly, failed } = await searchSignIns(world, { seed: 12, count: 150 });
  await world.close();

  expect(linkedWrongly).toEqual([]);
  expect(failed).toEqual([]);
  expect(honest).toBeGreaterThan(5);
  expect(Object.keys(attempts).length).toBeGreaterThan(8);
});
