import { expect, it } from 'vitest';
import { createInProcessDispatcher } from '../../src/delivery/in-process-dispatcher.ts';
import { MAX_PER_PERSON } from '../../src/delivery/shares.ts';
import { createLog } from '../../src/log.ts';
import { connectLanes } from '../../src/wiring/connect-lanes.ts';
import type { Services } from '../../src/wiring/services.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const ANA = { team: 'T1', user: 'UANA' };
const BEN = { team: 'T1', user: 'UBEN' };

it('a question that waits for the share of its asker is woken, though a message in its thread came twice meanwhile', async () => {
  const woken: string[] = [];
  const dispatcher = createInProcessDispatcher(createLog('silent'), Date.now);
  await dispatcher.start(async (lane) => void woken.push(lane));
  const jobs = { review: undefined, consumption: undefined, runs: undefined };
  const backend = { dispatcher, store: createMemoryStore(Date.now) };
  const lanes = connectLanes({ backend } as unknown as Services, jobs);
  const [first] = Array.from({ length: MAX_PER_PERSON }, (_, index) => lanes.reserve(`lane ${index}`, ANA));
  lanes.reserve('thread', ANA)?.release();

  // Slack sends a mention as two events. The second wakes nothing.
  lanes.reserve('thread', BEN)?.release();
  first?.release();

  expect(woken).toEqual(['thread']);
});
