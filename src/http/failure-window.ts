/** `failsAlone`: see ExchangeOptions. */
type Outcome = { hasFailed: boolean; failsAlone: boolean };

const WINDOW_MS = 30_000;

/**
 * If any subject was served within this time, failures of subjects with `failsAlone` do not count. Long enough for a
 * series of their failures, short enough to notice an outage.
 */
const SERVING_MS = 10_000;

/** Failures of one or two subjects are not an outage. */
const LEAST_FAILED_SUBJECTS = 3;

/** The share of subjects that must have failed. */
const LEAST_FAILED_SHARE = 0.5;

/** Fewer exchanges are too few to judge. */
const LEAST_EXCHANGES = 10;

/** `times`: when its latest exchanges ended, at most LEAST_EXCHANGES. */
type Seen = Outcome & { times: number[] };

/**
 * The latest outcomes of an origin. Each subject has one vote, the outcome of its latest exchange, so that a frequent
 * subject does not decide for the others. `now`: monotonic, in ms.
 */
export function createFailureWindow(now: () => number) {
  // In the order of their latest exchanges.
  const subjects = new Map<string, Seen>();

  function forgetOld(): void {
    const oldest = now() - WINDOW_MS;
    for (const [subject, { times }] of subjects) {
      if ((times.at(-1) ?? 0) > oldest) return;
      subjects.delete(subject);
    }
  }

  return {
    note(subject: string, outcome: Outcome): void {
      const times = subjects.get(subject)?.times ?? [];
      times.push(now());
      if (times.length > LEAST_EXCHANGES) times.shift();
      subjects.delete(subject);
      subjects.set(subject, { ...outcome, times });
      forgetOld();
    },
    /** Whether the latest exchange of this subject within the window failed. */
    hasFailed(subject: string): boolean {
      forgetOld();
      return subjects.get(subject)?.hasFailed ?? false;
    },
    /** Whether enough failed, for enough subjects, to blame the origin. */
    isOutage(): boolean {
      forgetOld();
      const oldest = now() - WINDOW_MS;
      const seen = [...subjects.values()];
      const isServing = seen.some(({ hasFailed, times }) => !hasFailed && (times.at(-1) ?? 0) > now() - SERVING_MS);
      const failed = seen.filter(({ hasFailed, failsAlone }) => hasFailed && !(failsAlone && isServing)).length;
      const exchanges = seen.reduce((sum, { times }) => sum + times.filter((time) => time > oldest).length, 0);
      return (
        failed >= LEAST_FAILED_SUBJECTS && failed >= seen.length * LEAST_FAILED_SHARE && exchanges >= LEAST_EXCHANGES
      );
    },
    clear: () => subjects.clear(),
  };
}
