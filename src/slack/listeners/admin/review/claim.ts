// One review at a time for each admin, on whatever replica, and never blocked for long by one that was killed.
import type { Person } from '../../../../conversation/person.ts';
import type { OnceStore } from '../../../../identity/once-store.ts';
import type { WithLock } from '../../../../with-lock.ts';

export type ReviewClaim = {
  /** The message of a review before that ended without a word: it still says that it runs. */
  abandonedTs: string | undefined;
  /** Still at it: to be called every few seconds. `messageTs`: the message that tells of it. */
  beat(messageTs: string): Promise<void>;
  release(): Promise<void>;
};

export type ClaimPorts = {
  /** Which reviews run, and the messages that tell of them. */
  reviewRuns: OnceStore;
  exclusively: WithLock;
  now: () => number;
};

/** `aliveAt`: epoch ms. */
type Run = { aliveAt: number; messageTs?: string | undefined };

/** Past this without a word it was killed. */
const ALIVE_MS = 30_000;

/** How long the message of one that was killed can still be put right. */
const KEPT_MS = 24 * 60 * 60_000;

/** Undefined: one runs. Throws where the store fails. */
export async function claimReview(
  { team, user }: Person,
  { reviewRuns, exclusively, now }: ClaimPorts,
): Promise<ReviewClaim | undefined> {
  const key = `review-run:${team}:${user}`;
  const put = (run: Run) => reviewRuns.put(key, JSON.stringify(run), run.aliveAt + KEPT_MS);
  return exclusively(key, async () => {
    const stored = await reviewRuns.peek(key);
    const before = stored === undefined ? undefined : (JSON.parse(stored) as Run);
    if (before !== undefined && now() - before.aliveAt < ALIVE_MS) return undefined;
    await put({ aliveAt: now() });
    return {
      abandonedTs: before?.messageTs,
      beat: (messageTs) => put({ aliveAt: now(), messageTs }),
      async release() {
        await reviewRuns.take(key);
      },
    };
  });
}
