import type { DeduplicationOptions, Queue } from 'bullmq';
import { TransientError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';

/** `wake`: run this lane. `alarm`: its time (`at`, epoch ms) has come, wake it. */
export type WakeUpName = 'wake' | 'alarm';
export type WakeUp = { lane: string; at?: number };

export type WakeUps = {
  /** Retries until Redis has the wake-up, then resolves; also resolves on close. */
  wake(lane: string, at?: number): Promise<void>;
  /** The same, but left to the sweeper if too many lanes already wait for Redis. */
  request(lane: string, at?: number): Promise<void>;
  remind(lane: string): void;
  /** Called for each reminder that made a lane run. */
  onReminded(hear: (lane: string) => void): void;
  /** Waits until Redis has everything, at most for the time (ms). The rest is dropped. */
  close(flushMs: number): Promise<void>;
};

export type WakeUpPorts = {
  queue: Queue<WakeUp, void, WakeUpName>;
  now(): number;
  log: Log;
  onFault(error: unknown): void;
};

const RETRY_MS = 500;

const MAX_WAITING = 10_000;

/** A job of this age that is in no list was lost by the queue; a younger one may be moving between lists. */
const LOST_MS = 60_000;

type Asked = { isNow?: boolean; isReminder?: boolean; at?: number | undefined };

/**
 * Writes wake-ups to Redis, one at a time per lane; requests in the meantime are merged into one.
 *
 * An immediate wake-up has the lane as its deduplication id, so at most one job of a lane runs and one waits. A timed
 * wake-up must not have that id, or it would swallow immediate ones: it is a job of its own that only wakes the lane.
 */
export function createWakeUps({ queue, now, log, onFault }: WakeUpPorts): WakeUps {
  const asked = new Map<string, Asked>();
  const writers = new Map<string, Promise<void>>();
  let reminded = (_lane: string) => {};
  let isClosed = false;

  function ask(lane: string, more: Asked): Promise<void> {
    asked.set(lane, merge(asked.get(lane), more));
    const writer = writers.get(lane) ?? write(lane);
    writers.set(lane, writer);
    return writer;
  }

  async function request(lane: string, more: Asked): Promise<void> {
    if (writers.size < MAX_WAITING || writers.has(lane)) return ask(lane, more);
    onFault(new TransientError('wake_ups_full', 'Too many lanes wait for Redis. The sweeper has to find this one.'));
  }

  async function write(lane: string): Promise<void> {
    for (let next = asked.get(lane); next && !isClosed; next = asked.get(lane)) {
      asked.delete(lane);
      try {
        await send(lane, next);
      } catch {
        // The connection has reported the error.
        asked.set(lane, merge(asked.get(lane), next));
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    // Synchronously after finding nothing more: later requests need a new writer.
    writers.delete(lane);
  }

  async function send(lane: string, { isNow, isReminder, at }: Asked): Promise<void> {
    const isDue = at !== undefined && at <= now();
    if (isNow || isDue) await sendNow(lane, true);
    else if (isReminder && (await sendNow(lane, false))) reminded(lane);
    if (at !== undefined && !isDue) await sendAlarm(lane, at);
  }

  /** `isOnceMore`: if the lane is running, run it once more afterwards. False: such a wake-up is pending already. */
  async function sendNow(lane: string, isOnceMore: boolean): Promise<boolean> {
    const deduplication = { id: lane, keepLastIfActive: isOnceMore };
    const pending = await add('wake', { lane }, deduplication);
    if (pending === undefined) return true;
    if (!(await freeFromLost(pending, lane))) return false;
    return (await add('wake', { lane }, deduplication)) === undefined;
  }

  /** One alarm per lane, and another one only if that is too late or is already firing. */
  async function sendAlarm(lane: string, at: number): Promise<void> {
    const id = `alarm:${lane}`;
    const pending = await add('alarm', { lane, at }, { id });
    if (pending === undefined) return;
    const job = await queue.getJob(pending);
    // By its state, not by our clock: clocks of replicas differ.
    if ((job?.data.at ?? at) <= at && (await job?.getState()) === 'delayed') return;
    await add('alarm', { lane, at }, { id: `${id}:${at}` });
  }

  /** Resolves with the id of the job that this one duplicates, if any. */
  async function add(
    name: WakeUpName,
    wakeUp: WakeUp,
    deduplication: DeduplicationOptions,
  ): Promise<string | undefined> {
    const jobId = crypto.randomUUID();
    const delay = Math.max((wakeUp.at ?? 0) - now(), 0);
    const job = await queue.add(name, wakeUp, { jobId, delay, deduplication });
    return job.id === jobId ? undefined : job.id;
  }

  /** BullMQ drops the deduplication id of a missing job itself, but not that of a job which is in no list. */
  async function freeFromLost(jobId: string, lane: string): Promise<boolean> {
    const job = await queue.getJob(jobId);
    // What lies ahead is old as well: the clock was set back.
    if (!job || Math.abs(now() - job.timestamp) < LOST_MS || (await job.getState()) !== 'unknown') return false;
    await queue.getBackend().removeDeduplicationKey(lane, jobId);
    await queue.remove(jobId);
    log.error({ lane }, 'the lane was blocked by a job that the queue had lost');
    return true;
  }

  return {
    wake: (lane, at) => ask(lane, { isNow: at === undefined, at }),
    request: (lane, at) => request(lane, { isNow: at === undefined, at }),
    remind: (lane) => request(lane, { isReminder: true }),
    onReminded(hear) {
      reminded = hear;
    },
    async close(flushMs) {
      await withinTime(flushMs, Promise.all(writers.values()), () => undefined);
      isClosed = true;
    },
  };
}

function merge(before: Asked = {}, more: Asked): Asked {
  const times = [before.at, more.at].filter((at) => at !== undefined);
  return {
    isNow: before.isNow || more.isNow,
    isReminder: before.isReminder || more.isReminder,
    at: times.length > 0 ? Math.min(...times) : undefined,
  };
}
