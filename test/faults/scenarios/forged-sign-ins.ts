import { searchSignIns } from '../../identity/forging/search.ts';
import { startLinkWorld } from '../../identity/link-world.ts';
import type { Scenario } from '../scenario.ts';
import { holds, none } from '../verdict.ts';

export const forgedSignIns: Scenario = {
  name: 'forged-sign-ins',
  about: 'sign-ins that are forged, replayed, crossed, forwarded or late: is anybody linked wrongly?',
  counts: { sqlite: 10_000 },
  async run({ seed, count, progress }) {
    const world = await startLinkWorld();
    const found = await searchSignIns(world, { seed, count, progress }).finally(world.close);
    return {
      facts: [
        ...Object.entries(found.attempts).map(([kind, attempts]): [string, string] => [kind, String(attempts)]),
        ['honest sign-ins', String(found.honest)],
      ],
      criteria: [
        none('linked wrongly', found.linkedWrongly),
        none('honest sign-ins that failed', found.failed),
        holds('honest sign-ins took place', found.honest > 0, 'none'),
      ],
    };
  },
};
