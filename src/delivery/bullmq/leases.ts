export type Lease = {
  /** False once another replica may have the job: the lock is gone, or could not be renewed in time. */
  isHeld(): boolean;
  /** Ends the renewals. */
  release(): void;
};

export type Leases = {
  /** Renews the lock of a job, fetched at `fetchedAt` (epoch ms), until it is released. */
  hold(jobId: string, token: string, fetchedAt: number): Lease;
  close(): void;
};

/** Extends the locks of jobs by a lease. Resolves with the ids of jobs that have no lock any more. */
export type ExtendLocks = (jobIds: string[], tokens: string[]) => Promise<string[]>;

/** Renewals per lease: a lock survives three failed ones. */
const RENEWALS = 4;

type Held = { jobId: string; token: string; renewedAt: number; isLost: boolean };

/**
 * Renews locks instead of BullMQ. BullMQ uses the wall clock, so that setting it back would lose all locks, and reports
 * lost locks from a timer, too late for a process that was paused. Here a lease expires by the monotonic clock, counted
 * from when its last renewal was sent.
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
      // A job that ended meanwhile has no lock to renew.
      const lost = due.filter((held) => held.isLost && all.has(held));
      if (lost.length > 0) onLost(lost.length);
    } catch {
      // The connection has reported the error. Either the next renewal works, or the leases expire.
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
