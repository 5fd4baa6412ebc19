import type { ReviewSnapshot } from './review-snapshot.ts';

/** Port: what the scheduled review leaves behind. */
export type ReviewStore = {
  /** Of the last review that was told. Undefined: there was none yet. */
  lastSnapshot(): Promise<ReviewSnapshot | undefined>;
  /**
   * Takes the place of the review that it was compared with, which began at `replaces` (epoch ms; undefined: there was
   * none). False: another one has that place by now. The same once more is true.
   */
  saveSnapshot(snapshot: ReviewSnapshot, replaces: number | undefined): Promise<boolean>;
  /** True for one holder per key, as often as it asks, until `expiresAt` (epoch ms): it sends the notice. */
  claimNotice(key: string, expiresAt: number, holder: string): Promise<boolean>;
  /** It could not be sent: the next one may. */
  releaseNotice(key: string): Promise<void>;
};
