import { readFile, stat } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import { createWorkerRun } from '../../run-in-worker.ts';
import type { ReadRegister } from './read-register.ts';
import type { RegisterWork, RegisterWorkResult } from './register-worker.ts';

/** The register's text and what it says. */
export type RegisterFile = { text: string; read: ReadRegister };

/** Five times what 2,000 environments with 20,000 agents need. */
const MAX_BYTES = 16 * 1024 * 1024;

const TOO_LONG: RegisterFile = {
  text: '',
  read: { problems: [{ line: 1, sentence: 'Make this file shorter: it may have 16 MB at most.' }] },
};

/**
 * Reads the file on each call, and parses it only if it was changed. Rejects with the error of the file system if it cannot
 * be read, and with RegisterWorkError if parsing fails or takes too long.
 */
export function openRegisterFile(path: string): () => Promise<RegisterFile> {
  let last: { text: string; reading: Promise<ReadRegister> } | undefined;

  return async () => {
    if ((await stat(path)).size > MAX_BYTES) return TOO_LONG;
    const text = await readFile(path, 'utf8');
    if (last?.text !== text) {
      const fresh = { text, reading: runRegisterWork({ kind: 'read', text }) };
      last = fresh;
      // What failed is tried again the next time.
      fresh.reading.catch(() => {
        if (last === fresh) last = undefined;
      });
    }
    return { text, read: await last.reading };
  };
}

/** The thread died, or was too slow. Nothing was changed. */
export class RegisterWorkError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('register_work_failed', `the register could not be worked on: ${why}`, options);
  }
}

const runInWorker = createWorkerRun<RegisterWork, unknown>({
  script: new URL('./register-worker.ts', import.meta.url),
  // The longest allowed file needs a quarter of this (measured on a busy machine).
  limitMs: 120_000,
  // Each may take much memory for a while. The longest file that is taken needs 1.3 GB.
  idleMs: 0,
  maxHeapMb: 1_536,
  toError: (why, options) => new RegisterWorkError(why, options),
});

/** In a thread of its own, one after the other: long texts take seconds. Rejects with RegisterWorkError. */
export function runRegisterWork<Work extends RegisterWork>(
  work: Work,
  options: { limitMs?: number } = {},
): Promise<RegisterWorkResult[Work['kind']]> {
  return runInWorker(work, options) as Promise<RegisterWorkResult[Work['kind']]>;
}
