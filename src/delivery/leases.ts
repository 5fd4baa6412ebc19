import { randomUUID } from 'node:crypto';
import { StoreUnavailableError } from '../errors.ts';

/**
 * Port: who holds which lane, for all replicas. A replica is a token that it has to renew; a holder of a lane begins with
 * the token of its replica.
 */
export type LeaseStore = {
  /** Keeps the replica, and with it all that it holds, for so long (ms). False: it had been forgotten. */
  renew(token: string, leaseMs: number): Promise<boolean>;
  /** `taken over`: from a replica that fell silent. `held`: by another one, which learns of it when it releases the lane. */
  take(lane: string, holder: string): Promise<'taken' | 'taken over' | 'held'>;
  /** Gives up what is still held so. Resolves with the lanes that another replica wanted meanwhile. */
  release(leases: Pick<Lease, 'lane' | 'holder'>[]): Promise<string[]>;
};

export type Lease = {
  lane: string;
  holder: string;
  /** False once another replica may have the lane: the lease was lost, or could not be renewed in time. */
  isHeld(): boolean;
  /** The lane is free soon. */
  release(): void;
};

type LeaseOptions = {
  store: LeaseStore;
  leaseMs: number;
  /** What runs here may run elsewhere now. */
  onLost(): void;
  /** Another replica wanted the lane while it was held here. */
  onWanted(lane: string): void;
};

/** Renewals per lease: it survives three failed ones. */
const RENEWALS = 4;

/** How long a lane stays here when nothing is left to do: many are given up in one call. */
const RELEASE_MS = 100;

/**
 * Leases expire by the monotonic clock, counted from when the last renewal was sent: a process that was frozen knows in its
 * next step that others may have its lanes.
 */
export function createLeases({ store, leaseMs, onLost, onWanted }: LeaseOptions) {
  const token = randomUUID();
  let released: Lease[] = [];
  let count = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** Leases from before the last loss stay lost. */
  let losses = 0;
  let releasing: NodeJS.Timeout | undefined;

  const isSure = () => performance.now() - renewedAt < leaseMs;

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    try {
      const wasThere = await store.renew(token, leaseMs);
      // An answer that was lost may have renewed it after others took its lanes. A run that found it lost has ended.
      if (!wasThere || !isSure()) {
        losses += 1;
        onLost();
      }
      renewedAt = sentAt;
    } catch {
      // The connection has reported the error. Either the next renewal works, or the leases expire.
    }
  }

  /** A lease that is about to be taken. Undefined: none would be sure now. */
  function prepare(lane: string): Lease | undefined {
    if (!isSure()) return undefined;
    const session = losses;
    const lease: Lease = {
      lane,
      // Each its own: giving up an earlier one gives up no later one.
      holder: `${token}${++count}`,
      isHeld: () => session === losses && isSure(),
      release() {
        released.push(lease);
        releasing ??= setTimeout(() => void flush(), RELEASE_MS);
      },
    };
    return lease;
  }

  /** Gives up what was released. */
  async function flush(): Promise<void> {
    clearTimeout(releasing);
    releasing = undefined;
    const leases = released;
    if (leases.length === 0) return;
    released = [];
    try {
      for (const lane of await store.release(leases)) onWanted(lane);
    } catch {
      released.push(...leases);
    }
  }

  void renew();
  const timer = setInterval(() => {
    void renew();
    void flush();
  }, leaseMs / RENEWALS).unref();

  return {
    /** The holder of all lanes that this process holds begins with it. */
    token,
    prepare,
    /** Undefined: another replica has the lane. Throws StoreUnavailableError. */
    async take(lane: string): Promise<{ lease: Lease; isTakenOver: boolean } | undefined> {
      if (!isSure()) await renew();
      const lease = prepare(lane);
      if (!lease) throw new StoreUnavailableError('no lease can be kept now');
      const taken = await store.take(lane, lease.holder);
      return taken === 'held' ? undefined : { lease, isTakenOver: taken === 'taken over' };
    },
    flush,
    /** Ends the renewals. Lanes that run go to other replicas when the lease ends. */
    close(): Promise<void> {
      clearInterval(timer);
      renewedAt = Number.NEGATIVE_INFINITY;
      return flush();
    },
  };
}
