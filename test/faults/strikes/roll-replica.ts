import type { Replica } from '../replica.ts';

/** An orchestrator that waits 60 s before it kills. */
const EXIT_WITHIN_MS = 60_000;

export type Roll = {
  /** From SIGTERM to the end, in ms. */
  ms: number;
  /** Set where it ended in another way than it should. */
  problem?: string;
};

/** SIGTERM, and a new start once the process has ended. */
export async function rollReplica(replica: Replica): Promise<Roll> {
  const begunAt = performance.now();
  const code = await replica.stop();
  const ms = performance.now() - begunAt;
  await replica.start();
  if (code === 0 && ms <= EXIT_WITHIN_MS) return { ms };
  return { ms, problem: `${replica.name} ended with ${code} after ${Math.round(ms)} ms` };
}
