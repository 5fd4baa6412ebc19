// Work that may take long, in a thread of its own: meanwhile the app serves everybody else.
import { parentPort, Worker } from 'node:worker_threads';
import type { BridgeError } from './errors.ts';

export type WorkerOptions = {
  /** The file that the thread runs. It calls `serveWork`. */
  script: URL;
  /** For one piece of work. */
  limitMs: number;
  /** How long a piece of work may wait for those before it. */
  waitLimitMs?: number;
  /** How long the thread is kept for more work; 0: it ends with each, and gives its memory back. */
  idleMs: number;
  /** Of the thread's heap: past it the thread ends, and not the app. */
  maxHeapMb: number;
  toError(why: string, options?: ErrorOptions): BridgeError;
};

/** Plain values in and out. Rejects with what `toError` makes: nothing came of the work, and the next is done all the same. */
export type RunInWorker<Work, Result> = (work: Work, options?: { limitMs?: number }) => Promise<Result>;

/** Loading the code of the thread, on a busy machine. */
const START_LIMIT_MS = 30_000;

/** One piece of work after the other, in a thread that is started with the first and replaced where it dies or hangs. */
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
    // Without a listener, an error that comes late would end the app.
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

/** In the thread: does whatever is sent to it. What `work` throws ends the thread. */
export function serveWork<Work, Result>(work: (work: Work) => Result): void {
  const port = parentPort;
  port?.on('message', (value: Work) => port.postMessage(work(value)));
  port?.postMessage('ready');
}

class WorkerProblem extends Error {}

function nextMessage(worker: Worker, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const fail = (why: string, cause?: unknown) => settle(() => reject(new WorkerProblem(why, { cause })));
    const onMessage = (message: unknown) => settle(() => resolve(message));
    const onError = (error: unknown) => fail('its thread failed', error);
    const onExit = (code: number) => fail(`its thread ended with ${code}`);
    const timer = setTimeout(() => fail(`it took longer than ${limitMs} ms`), limitMs).unref();
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // An app that ends does not wait for it. Not before: with a listener for messages it would.
    worker.unref();
  });
}
