// Shows the progress of reading while somebody watches it.
import type { ReadProgress } from '../plan/read-seen.ts';

/** Often enough to see it move, and only a part of the 50 edits a minute that Slack allows the app. */
const EVERY_MS = 3_000;

export type ShownProgress = {
  onProgress(progress: ReadProgress): void;
  /** Shows nothing more. Resolves when the last update is shown. */
  end(): Promise<void>;
};

/** One update at a time, because Slack may get parallel ones in any order. `show` must not reject. */
export function createProgress(
  show: (progress: ReadProgress) => Promise<unknown>,
  { now }: { now(): number },
): ShownProgress {
  let shownAt = now();
  let showing: Promise<unknown> | undefined;
  let hasEnded = false;
  return {
    onProgress(progress) {
      if (hasEnded || showing !== undefined || now() - shownAt < EVERY_MS) return;
      shownAt = now();
      showing = show(progress).finally(() => {
        showing = undefined;
      });
    },
    async end() {
      hasEnded = true;
      await showing;
    },
  };
}
