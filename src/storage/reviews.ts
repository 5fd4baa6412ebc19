import type { ReviewStore } from '../governance/review/review-diff.ts';
import type { ClaimStore } from '../identity/account-link.ts';

/** What a store keeps of reviews itself; the notices are among what is kept for a while. */
export type Snapshots = Pick<ReviewStore, 'lastSnapshot' | 'saveSnapshot'>;

export function createReviews(snapshots: Snapshots, once: ClaimStore): ReviewStore {
  return {
    ...snapshots,
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
