/** `failsAlone`: the subject may fail for good by itself, whatever the origin does for others. */
type Outcome = { hasFailed: boolean; failsAlone: boolean };

/** What became of the latest exchanges of an origin, subject by subject. */
export type FailureWindow = {
  note(subject: string, outcome: Outcome): void;
  /** Whether the latest exchange of this subject failed, and lately. */
  hasFailed(subject: string): boolean;
  /** Whether so much failed, for so many, that it is the origin and not those who ask. */
  isOutage(): boolean;
  clear(): void;
};

const WINDOW_MS = 30_000;

/**
 * While anything was served so lately, subjects that fail alone say nothing of the origin. Long enough for a row of them
 * that fail, and short enough to notice that the origin went down after it began well.
 */
const SERVING_MS = 10_000;

/** One person's bad luck, or one environment's, is no outage; neither are two. */
const LEAST_FAILED_SUBJECTS = 3;

/** Of the subjects. */
const LEAST_FAILED_SHARE = 0.5;

/** A handful of exchanges in the night says little. */
const LEAST_EXCHANGES = 10;

/** `times`: when its latest exchanges ended, at most as many as are ever asked for. */
type Seen = Outcome & { times: number[] };

/**
 * Each subject has one vote, the outcome of its latest exchange: whoever asks most often must not decide for the others,
 * neither by failing nor by being answered. `now`: monotonic, in ms.
 */
export function createFailureWindow(now: () => number): FailureWindow {
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
    note(subject, outcome) {
      const times = subjects.get(subject)?.times ?? [];
      times.push(now());
      if (times.length > LEAST_EXCHANGES) times.shift();
      subjects.delete(subject);
      subjects.set(subject, { ...outcome, times });
      forgetOld();
    },
    hasFailed(subject) {
      forgetOld();
      return subjects.get(subject)?.hasFailed ?? false;
    },
    isOutage() {
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
