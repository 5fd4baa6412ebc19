/**
 * Retries while `toWaitMs`, given the error and the number of failed attempts, returns a wait (ms). If it returns
 * undefined, throws that error. `wait` may reject to end the retries.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  toWaitMs: (error: unknown, failures: number) => number | undefined,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = toWaitMs(error, failures);
      if (waitMs === undefined) throw error;
      await wait(waitMs);
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
