import type { Config } from '../config.ts';
import { PermanentError } from '../errors.ts';
import { createWorkerRun } from '../run-in-worker.ts';
import type { Section } from './finding.ts';

class ExaminationError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('examination_failed', `the doctor could not look: ${why}`, options);
  }
}

/**
 * Looks at all that the configuration names, from inside the app: in a thread of its own, because to check a large database
 * and to open every token would block questions. Whoever asks meanwhile gets the same result.
 */
export function createExamination(config: Config): () => Promise<Section[]> {
  const run = createWorkerRun<Config, Section[]>({
    script: new URL('./examine-worker.ts', import.meta.url),
    // Most looks have a limit of 5 to 20 s of their own. A large database takes longer.
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
