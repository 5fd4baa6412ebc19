// A replica in a process of its own, to be killed or frozen. Every lane runs until it is lost, in small steps, and each
// step is a line on standard output: its lane, when it was taken (epoch ms), and whether the lane was still held.

import { connectStore } from '../../src/backend/redis/connect-store.ts';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import { createBullmqDispatcher } from '../../src/delivery/bullmq/bullmq-dispatcher.ts';
import { createLog } from '../../src/log.ts';

const STEP_MS = 5;

const [url = '', leaseMs = ''] = process.argv.slice(2);
const log = createLog('silent');
const leases = createRedisLeases(await connectStore({ url }));
const dispatcher = createBullmqDispatcher({ url, leases, leaseMs: Number(leaseMs), now: Date.now, log });

dispatcher.start(async (lane, isHeld) => {
  for (let goesOn = true; goesOn; ) {
    const at = Date.now();
    goesOn = isHeld();
    process.stdout.write(`${JSON.stringify({ lane, at, isHeld: goesOn })}\n`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  return undefined;
});
