// Work on the text of a register in a thread of its own: a long one takes seconds, in which nothing else would be served.
import { Worker } from 'node:worker_threads';
import { PermanentError } from '../../errors.ts';
import type { RegisterWork, RegisterWorkResult } from './register-work.ts';

/** The thread died, or was too slow. Nothing was changed. */
export class RegisterWorkError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('register_work_failed', `the register could not be worked on: ${why}`, options);
  }
}

/** The longest file that is taken needs a quarter of it (measured on a busy machine). */
const LIMIT_MS = 120_000;

/** Of the thread's heap: past it the thread ends, and not the app. The longest file that is taken needs 1.3 GB. */
const MAX_HEAP_MB = 1_536;

let last: Promise<unknown> = Promise.resolve();

/** One after the other: each may take much memory for a while. Rejects with RegisterWorkError. */
export function doAside<Work extends RegisterWork>(
  work: Work,
  { limitMs = LIMIT_MS }: { limitMs?: number } = {},
): Promise<RegisterWorkResult[Work['kind']]> {
  const done = last.then(() => runWorker(work, limitMs));
  last = done.catch(() => undefined);
  return done as Promise<RegisterWorkResult[Work['kind']]>;
}

function runWorker(work: RegisterWork, limitMs: number): Promise<unknown> {
  const worker = new Worker(new URL('./register-worker.ts', import.meta.url), {
    workerData: work,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // An app that ends does not wait for it.
  worker.unref();
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new RegisterWorkError(why, { cause }));
    const timer = setTimeout(() => {
      fail(`it took longer than ${limitMs} ms`);
      void worker.terminate();
    }, limitMs);
    timer.unref();
    worker.once('message', resolve);
    worker.once('error', (error) => fail('its thread failed', error));
    // After the message, where there was one.
    worker.once('exit', (code) => {
      clearTimeout(timer);
      fail(`its thread ended with ${code}`);
    });
  });
}
