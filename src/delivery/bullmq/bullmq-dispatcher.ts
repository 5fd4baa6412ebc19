import { Queue } from 'bullmq';
import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { type LaneWorker, startLaneWorker } from './lane-worker.ts';
import { connectQueue, createQueueFaultLog } from './queue-connection.ts';
import { createWakeUps, type WakeUp, type WakeUpName } from './wake-ups.ts';

export type BullmqOptions = {
  /** Of the Redis, as in REDIS_URL. */
  url: string;
  /** How long a lane stays with a replica that died or hangs, in ms. */
  leaseMs: number;
  now(): number;
  log: Log;
};

export type BullmqDispatcher = Dispatcher & {
  /** Ends the connections, within about a second. Running lanes move to other replicas when their leases end. */
  close(): Promise<void>;
};

/** All keys begin with `bridge:queue:`. */
const PREFIX = 'bridge';
const NAME = 'queue';

/** How long the last wake-ups may take to reach Redis. */
const FLUSH_MS = 1_000;

/** The dispatcher for any number of processes on one Redis. The queue holds wake-ups only; the work is in the store. */
export function createBullmqDispatcher({ url, leaseMs, now, log }: BullmqOptions): BullmqDispatcher {
  const onFault = createQueueFaultLog(log);
  const connection = connectQueue(url, onFault);
  const queue = new Queue<WakeUp, void, WakeUpName>(NAME, {
    connection: connection.client,
    prefix: PREFIX,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    // Nobody reads the event stream, and it cannot be turned off. Redis trims approximately, to about a hundred.
    streams: { events: { maxLen: 0 } },
  });
  queue.on('error', onFault);
  const wakeUps = createWakeUps({ queue, now, log, onFault });
  let worker: LaneWorker | undefined;

  return {
    wake: wakeUps.request,
    remind(lane) {
      if (!worker?.isRunning(lane)) wakeUps.remind(lane);
    },
    async start(run, tell = () => undefined) {
      wakeUps.onReminded((lane) => tell({ kind: 'reminded', lane }));
      worker = startLaneWorker({
        queue: { name: NAME, prefix: PREFIX, connection: connection.client },
        leaseMs,
        run,
        wakeUps,
        now,
        log,
        onFault,
        onStalled: () => tell({ kind: 'stalled' }),
      });
    },
    async drain(deadlineMs) {
      if (!worker) return true;
      const drained = worker.drain().then(() => true);
      return withinTime(deadlineMs, drained, () => false);
    },
    async close() {
      await wakeUps.close(FLUSH_MS);
      worker?.end();
      void queue.close();
      connection.destroy();
    },
  };
}
