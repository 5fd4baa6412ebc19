// One review at a time per admin, across replicas.
import type { Person } from '../../conversation/question.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { WithLock } from '../../with-lock.ts';

/** A review that was killed blocks the next one for half a minute at most. */
export type ReviewClaim = {
  /** The progress message of an earlier review that was killed: it still says that it runs. */
  abandonedTs: string | undefined;
  /** Heartbeat, every few seconds. `messageTs`: of the progress message. */
  beat(messageTs: string): Promise<void>;
  release(): Promise<void>;
};

export type ClaimPorts = {
  /** The running reviews and their progress messages. */
  reviewRuns: ExpiringStore;
  exclusively: WithLock;
  now: () => number;
};

/** `aliveAt`: epoch ms. */
type Run = { aliveAt: number; messageTs?: string | undefined };

/** After this time without a heartbeat it was killed. */
const ALIVE_MS = 30_000;

/** How long the message of a killed review can still be corrected. */
const KEPT_MS = 24 * 60 * 60_000;

/** Undefined: a review is running. Throws if the store fails. */
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
