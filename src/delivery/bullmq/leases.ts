export type Lease = {
  /** False once another replica may have the job: the lock is gone, or could not be renewed in time. */
  isHeld(): boolean;
  /** Ends the renewals. */
  release(): void;
};

export type Leases = {
  /** Renews the lock of a job, which was fetched at `fetchedAt` (epoch ms), until it is released. */
  hold(jobId: string, token: string, fetchedAt: number): Lease;
  close(): void;
};

/** Extends the locks of jobs by a lease. Resolves with the ids of those that had none any more. */
export type ExtendLocks = (jobIds: string[], tokens: string[]) => Promise<string[]>;

/** A lock is renewed four times before it would end, and so outlives three failures. */
const RENEWALS = 4;

type Held = { jobId: string; token: string; renewedAt: number; isLost: boolean };

/**
 * Renews locks in place of BullMQ, which goes by the wall clock, so that one set back would cost all locks, and tells
 * from a timer what it lost, which a process that was stopped for too long would hear too late. Here a lease ends by
 * itself, so long after its last renewal was sent.
 */
export function createLeases(leaseMs: number, extend: ExtendLocks, onLost: (count: number) => void): Leases {
  const all = new Set<Held>();
  let isRenewing = false;

  async function renew(): Promise<void> {
    const due = [...all].filter(({ isLost }) => !isLost);
    if (isRenewing || due.length === 0) return;
    isRenewing = true;
    const sentAt = performance.now();
    try {
      const ids = due.map(({ jobId }) => jobId);
      const tokens = due.map(({ token }) => token);
      const failed = new Set(await extend(ids, tokens));
      for (const held of due) {
        if (failed.has(held.jobId)) held.isLost = true;
        else held.renewedAt = sentAt;
      }
      // Of a job that ended meanwhile there was no lock to renew.
      const lost = due.filter((held) => held.isLost && all.has(held));
      if (lost.length > 0) onLost(lost.length);
    } catch {
      // The connection has told its fault. The next renewal is soon enough, or the leases end.
    } finally {
      isRenewing = false;
    }
  }

  const timer = setInterval(() => void renew(), leaseMs / RENEWALS);

  return {
    hold(jobId, token, fetchedAt) {
      const age = Math.max(Date.now() - fetchedAt, 0);
      const held: Held = { jobId, token, renewedAt: performance.now() - age, isLost: false };
      all.add(held);
      return {
        isHeld: () => !held.isLost && performance.now() - held.renewedAt < leaseMs,
        release: () => void all.delete(held),
      };
    },
    close: () => clearInterval(timer),
  };
}
