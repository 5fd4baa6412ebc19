// Long-running work in a separate thread, so that it does not block the app.
import { parentPort, Worker } from 'node:worker_threads';
import type { BridgeError } from './errors.ts';

export type WorkerOptions = {
  /** The file that the thread runs. It calls `serveWork`. */
  script: URL;
  /** The time limit of one task. */
  limitMs: number;
  /** How long a task may wait for earlier tasks. */
  waitLimitMs?: number;
  /** How long an idle thread is kept; 0: it ends after each task and frees its memory. */
  idleMs: number;
  /** The limit of the thread's heap. Above it, only the thread ends. */
  maxHeapMb: number;
  toError(why: string, options?: ErrorOptions): BridgeError;
};

/** Takes and returns plain values. Rejects with the error of `toError`; later tasks still run. */
export type RunInWorker<Work, Result> = (work: Work, options?: { limitMs?: number }) => Promise<Result>;

/** Enough to load the thread's code on a busy machine. */
const START_LIMIT_MS = 30_000;

/** Runs tasks one after another, in a thread that is started with the first and replaced if it dies or hangs. */
export function createWorkerRun<Work, Result>(options: WorkerOptions): RunInWorker<Work, Result> {
  const { limitMs: usualLimitMs, waitLimitMs = Number.POSITIVE_INFINITY, idleMs, toError } = options;
  let last: Promise<unknown> = Promise.resolve();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    void worker?.terminate();
    worker = undefined;
  }

  async function start(): Promise<Worker> {
    const started = new Worker(options.script, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
    });
    worker = started;
    // Without a listener, a late error would end the app.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    await nextMessage(started, START_LIMIT_MS);
    return started;
  }

  async function run(work: Work, limitMs: number): Promise<Result> {
    clearTimeout(idle);
    try {
      const ready = worker ?? (await start());
      ready.postMessage(work);
      const result = await nextMessage(ready, limitMs);
      idle = setTimeout(end, idleMs).unref();
      return result as Result;
    } catch (error) {
      end();
      throw error instanceof WorkerProblem ? toError(error.message, { cause: error.cause }) : error;
    }
  }

  return (work, { limitMs = usualLimitMs } = {}) => {
    const askedAt = performance.now();
    const done = last.then(() => {
      if (performance.now() - askedAt > waitLimitMs) throw toError(`it waited for longer than ${waitLimitMs} ms`);
      return run(work, limitMs);
    });
    last = done.catch(() => undefined);
    return done;
  };
}

/** In the thread: runs `work` for each message. An error that it throws ends the thread. */
export function serveWork<Work, Result>(work: (work: Work) => Result | Promise<Result>): void {
  const port = parentPort;
  port?.on('message', async (value: Work) => port.postMessage(await work(value)));
  port?.postMessage('ready');
}

class WorkerProblem extends Error {}

function nextMessage(worker: Worker, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const fail = (why: string, cause?: unknown) => finish(() => reject(new WorkerProblem(why, { cause })));
    const onMessage = (message: unknown) => finish(() => resolve(message));
    const onError = (error: unknown) => fail('its thread failed', error);
    const onExit = (code: number) => fail(`its thread ended with ${code}`);
    const timer = setTimeout(() => fail(`it took longer than ${limitMs} ms`), limitMs).unref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // The thread must not keep the app alive. Call this after adding listeners, because they ref the port again.
    worker.unref();
  });
}
