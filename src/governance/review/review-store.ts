import type { ClaimStore } from '../../identity/account-link.ts';
import { amend, type Kernel, read } from '../../storage/kernel.ts';
import type { ReviewSnapshot } from './review-diff.ts';

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

/** The last review that was posted. */
const LAST = 'review:last';

/** Notices are values that expire. */
export function createReviews(kernel: Kernel, once: ClaimStore): ReviewStore {
  return {
    lastSnapshot: async () => (await read<ReviewSnapshot>(kernel, LAST))?.body,
    saveSnapshot: (snapshot, replaces) =>
      amend<ReviewSnapshot>(kernel, [LAST], ([found]) => {
        const at = found?.body.at;
        if (at !== replaces && at !== snapshot.at) return undefined;
        return [{ put: LAST, body: snapshot, ifVersion: found?.version ?? 0 }];
      }),
    async claimNotice(key, expiresAt, holder) {
      if ((await once.claim(toKey(key), holder, expiresAt)) !== holder) return false;
      // It may have been claimed for a shorter time before.
      await once.put(toKey(key), holder, expiresAt);
      return true;
    },
    releaseNotice: async (key) => void (await once.take(toKey(key))),
  };
}

function toKey(key: string): string {
  return `notice:${key}`;
}
