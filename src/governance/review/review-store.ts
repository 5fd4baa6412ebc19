import type { ReviewSnapshot } from './review-snapshot.ts';

/** Port: what the scheduled review leaves behind. */
export type ReviewStore = {
  /** Of the last review that was told. Undefined: there was none yet. */
  lastSnapshot(): Promise<ReviewSnapshot | undefined>;
  /** Takes the place of the one before. */
  saveSnapshot(snapshot: ReviewSnapshot): Promise<void>;
  /** True for one caller per key, until `expiresAt` (epoch ms): whoever gets it sends the notice. */
  claimNotice(key: string, expiresAt: number): Promise<boolean>;
  /** It could not be sent: the next one may. */
  releaseNotice(key: string): Promise<void>;
};
