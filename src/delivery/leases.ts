import { randomUUID } from 'node:crypto';
import { StoreUnavailableError } from '../errors.ts';

/**
 * Port: who holds which lane, for all replicas. A replica has a token that it has to renew. The holder of a lane begins
 * with the token of its replica.
 */
export type LeaseStore = {
  /** Keeps the replica and all its lanes for `leaseMs`. False: the token had expired. */
  renew(token: string, leaseMs: number): Promise<boolean>;
  /**
   * `taken over`: from a replica that fell silent; never if `isPatient`. `held`: by another one, whose `release` will
   * return the lane.
   */
  take(lane: string, holder: string, isPatient?: boolean): Promise<'taken' | 'taken over' | 'held'>;
  /** Releases the lanes that still have this holder. Resolves with those that another replica wanted meanwhile. */
  release(leases: Pick<Lease, 'lane' | 'holder'>[]): Promise<string[]>;
};

export type Lease = {
  lane: string;
  holder: string;
  /** False once another replica may have the lane: the lease was lost, or could not be renewed in time. */
  isHeld(): boolean;
  /** Releases the lane soon. */
  release(): void;
};

type LeaseOptions = {
  store: LeaseStore;
  leaseMs: number;
  /** Lanes that run here may now run on other replicas. */
  onLost(): void;
  /** Another replica wanted the lane while it was held here. */
  onWanted(lane: string): void;
};

/** Renewals per lease: it survives three failed renewals. */
const RENEWALS = 4;

/** How long a released lane is still held: one call then releases many. */
const RELEASE_MS = 100;

/**
 * Leases expire by the monotonic clock, counted from when the last renewal was sent. So a process that was frozen knows
 * in its next step that others may have its lanes.
 */
export function createLeases({ store, leaseMs, onLost, onWanted }: LeaseOptions) {
  const token = randomUUID();
  let released: Lease[] = [];
  let count = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** When the store was back. */
  let backAt = Number.NEGATIVE_INFINITY;
  /** Leases from before the last loss stay lost. */
  let losses = 0;
  let releasing: NodeJS.Timeout | undefined;

  const isSure = () => performance.now() - renewedAt < leaseMs;
  const isRecent = (at: number) => performance.now() - at < leaseMs / 2;

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    try {
      const wasThere = await store.renew(token, leaseMs);
      // A renewal whose reply was lost may have restored the token after others took lanes: they count as lost, too.
      if (!wasThere || !isSure()) {
        losses += 1;
        onLost();
      }
      if (Number.isFinite(renewedAt) && !isRecent(renewedAt)) backAt = sentAt;
      renewedAt = sentAt;
    } catch {
      // The connection has reported the error. Either the next renewal works, or the leases expire.
    }
  }

  /** A lease that is about to be taken. Undefined: the token may have expired. */
  function prepare(lane: string): Lease | undefined {
    if (!isSure()) return undefined;
    const session = losses;
    const lease: Lease = {
      lane,
      // Unique: releasing an earlier lease must not release a later one.
      holder: `${token}${++count}`,
      isHeld: () => session === losses && isSure(),
      release() {
        released.push(lease);
        releasing ??= setTimeout(() => void flush(), RELEASE_MS);
      },
    };
    return lease;
  }

  /** Tells the store which leases were released. */
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
    /** The holders of all lanes of this process begin with it. */
    token,
    prepare,
    /** Undefined: another replica has the lane. Throws StoreUnavailableError. */
    async take(lane: string): Promise<{ lease: Lease; isTakenOver: boolean } | undefined> {
      if (!isSure()) await renew();
      const lease = prepare(lane);
      if (!lease) throw new StoreUnavailableError('no lease can be kept now');
      // After an outage of the store, others are not silent: they, too, could not renew.
      const taken = await store.take(lane, lease.holder, isRecent(backAt) || !isRecent(renewedAt));
      return taken === 'held' ? undefined : { lease, isTakenOver: taken === 'taken over' };
    },
    flush,
    /** Ends the renewals. Running lanes go to other replicas when the token expires. */
    close(): Promise<void> {
      clearInterval(timer);
      renewedAt = Number.NEGATIVE_INFINITY;
      return flush();
    },
  };
}
