// Few things that happen at once, in any order that there may be: what is on its way to the store, to Slack or to the service,
// or back, arrives when a scheduler says so.
import fc from 'fast-check';
import type { Act } from './history.ts';
import { judge } from './promises.ts';
import { tell } from './simulate.ts';
import { playWorld } from './world.ts';

/** Three questions in one thread, two of them of one person. */
const QUESTIONS: Act[] = [
  { at: 1, kind: 'ask', question: 0, user: 'UANA', channel: 'C0HALL' },
  { at: 2, kind: 'ask', question: 1, user: 'UANA', channel: 'C0HALL', inThreadOf: 0 },
  { at: 3, kind: 'ask', question: 2, user: 'UBEN', channel: 'C0HALL', inThreadOf: 0 },
];

const of = fc.constantFrom(0, 1, 2);
const replica = fc.constantFrom(0, 1);
const act = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.record({ at: fc.constant(0), kind: fc.constantFrom('stop', 'edit', 'delete'), of }),
  fc.record({ at: fc.constant(0), kind: fc.constantFrom('sign_out', 'sign_in'), user: fc.constant('UANA') }),
  fc.record({ at: fc.constant(0), kind: fc.constant('sweep'), replica }),
  fc.record({ at: fc.constant(0), kind: fc.constant('freeze'), replica, forMs: fc.constant(15_000) }),
  fc.record({ at: fc.constant(0), kind: fc.constant('kill'), replica, downMs: fc.constant(500) }),
);

/** Two replicas. Fails with the shortest story, and with the order in which all of it arrived. */
export const anyOrder = fc.asyncProperty(
  fc.array(act, { maxLength: 4 }),
  fc.scheduler(),
  fc.nat(),
  async (acts, order, seed) => {
    const history = { seed, replicas: 2, isBusy: true, acts: [...QUESTIONS, ...acts] };
    const breaches = judge(await playWorld(history, order));
    if (breaches.length > 0) throw new Error(tell({ seed, history, breaches }));
  },
);
