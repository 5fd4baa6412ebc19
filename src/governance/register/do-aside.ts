// Work on the text of a register in a thread of its own: a long one takes seconds, in which nothing else would be served.
import { PermanentError } from '../../errors.ts';
import { createWorkerRun } from '../../run-in-worker.ts';
import type { RegisterWork, RegisterWorkResult } from './register-work.ts';

/** The thread died, or was too slow. Nothing was changed. */
export class RegisterWorkError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('register_work_failed', `the register could not be worked on: ${why}`, options);
  }
}

const runInWorker = createWorkerRun<RegisterWork, unknown>({
  script: new URL('./register-worker.ts', import.meta.url),
  // The longest file that is taken needs a quarter of it (measured on a busy machine).
  limitMs: 120_000,
  // Each may take much memory for a while. The longest file that is taken needs 1.3 GB.
  idleMs: 0,
  maxHeapMb: 1_536,
  toError: (why, options) => new RegisterWorkError(why, options),
});

/** One after the other. Rejects with RegisterWorkError. */
export function doAside<Work extends RegisterWork>(
  work: Work,
  options: { limitMs?: number } = {},
): Promise<RegisterWorkResult[Work['kind']]> {
  return runInWorker(work, options) as Promise<RegisterWorkResult[Work['kind']]>;
}
