// How far reading is, where somebody watches it.
import type { ReadProgress } from '../plan/read-seen.ts';

/** Often enough to see it move, and a fraction of the 50 edits a minute that Slack lets all of us make. */
const EVERY_MS = 3_000;

export type ShownProgress = {
  onProgress(progress: ReadProgress): void;
  /** Shows nothing more. Resolves when the last one is shown. */
  end(): Promise<void>;
};

/** One at a time: Slack may get updates that are made at once in any order. `show`: may not reject. */
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
