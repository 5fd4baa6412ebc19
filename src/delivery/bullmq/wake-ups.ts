import { Queue, Worker } from 'bullmq';
import { systemCode } from '../../errors.ts';
import { createFaultLog } from '../../fault-log.ts';
import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import { connectQueue } from './queue-connection.ts';

export type WakeUps = ReturnType<typeof openWakeUps>;

export type WakeUpOptions = {
  /** The address of Redis, as in REDIS_URL. */
  url: string;
  now(): number;
  log: Log;
};

/** All keys begin with `bridge:queue:`. */
const PREFIX = 'bridge';
const NAME = 'queue';

/** How long the last wake-ups may take to reach Redis. */
const FLUSH_MS = 1_000;

/** BullMQ's default of 15 s would prolong every outage of Redis. */
const RETRY_MS = 1_000;

/**
 * BullMQ only hands lanes to other replicas and wakes them at times. Best effort: if Redis or the queue loses one, the
 * search for due lanes finds it in the store.
 */
export function openWakeUps({ url, now, log }: WakeUpOptions) {
  const logFault = createFaultLog(log, 'queue fault');
  const onFault = (error: unknown) => logFault(systemCode(error) ?? 'unknown', { err: error });
  const connection = connectQueue(url, onFault);
  const queue = new Queue<{ lane: string }>(NAME, {
    connection: connection.client,
    prefix: PREFIX,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    // Nobody reads the event stream, and it cannot be turned off. Redis trims approximately, to about a hundred.
    streams: { events: { maxLen: 0 } },
  });
  queue.on('error', onFault);
  const sending = new Set<Promise<void>>();
  let worker: Worker<{ lane?: string }> | undefined;

  /** At most one alarm and one immediate job of a lane wait: an alarm must not replace an immediate job. */
  async function add(lane: string, delay: number): Promise<void> {
    const deduplication =
      delay > 0 ? { id: `alarm:${lane}`, replace: true, keepLastIfActive: true } : { id: lane, keepLastIfActive: true };
    // The connection reports the error.
    await queue.add('wake', { lane }, { delay, deduplication }).catch(() => undefined);
  }

  return {
    /** Makes some replica run the lane, now or at a time (epoch ms). Resolves once Redis has the job, or it is lost. */
    send(lane: string, at = 0): Promise<void> {
      const sent = add(lane, Math.max(at - now(), 0)).finally(() => sending.delete(sent));
      sending.add(sent);
      return sent;
    },
    /** Receives the lanes that replicas send. `take` never rejects. */
    receive(take: (lane: string) => Promise<void>): void {
      // Without a lane, the job's data was lost.
      worker = new Worker(NAME, async ({ data: { lane } }) => lane && take(lane), {
        connection: connection.client,
        prefix: PREFIX,
        // A job whose process died goes to another process, however often.
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        runRetryDelay: RETRY_MS,
      });
      worker.on('error', onFault);
    },
    /** Stops receiving. */
    drain: async () => worker?.close(),
    /** Ends the connections, within about a second. */
    async close(): Promise<void> {
      await withinTime(FLUSH_MS, Promise.all(sending), () => undefined);
      void worker?.close(true);
      void queue.close();
      connection.destroy();
    },
  };
}
