import type { Config } from '../config.ts';
import { PermanentError } from '../errors.ts';
import { createWorkerRun } from '../run-in-worker.ts';
import type { Section } from './check.ts';

class ExaminationError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('examination_failed', `the doctor could not run: ${why}`, options);
  }
}

/**
 * Runs the doctor inside the app, in a separate thread: checking a large database and decrypting every token would
 * block questions. Calls during a run get the same result.
 */
export function createExamination(config: Config): () => Promise<Section[]> {
  const run = createWorkerRun<Config, Section[]>({
    script: new URL('./examine-worker.ts', import.meta.url),
    // Most checks have their own limit of 5 to 20 s. A large database takes longer.
    limitMs: 120_000,
    idleMs: 0,
    maxHeapMb: 256,
    toError: (why, options) => new ExaminationError(why, options),
  });
  let running: Promise<Section[]> | undefined;
  return () => {
    running ??= run(config).finally(() => {
      running = undefined;
    });
    return running;
  };
}
