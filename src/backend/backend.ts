import type { Announcements } from '../delivery/announcements.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { TokenBuckets } from '../slack/web/buckets.ts';
import type { Store } from '../storage/store.ts';
import type { WithLock } from '../with-lock.ts';

/** Where everything is kept, and what replicas have in common: Redis for any number of them, SQLite for one process. */
export type Backend = {
  store: Store;
  dispatcher: Dispatcher;
  announcements: Announcements;
  buckets: TokenBuckets;
  /** One token refresh at a time per account, across replicas. */
  withLock: WithLock | undefined;
  /** How often to look for lanes whose wake-up was lost, in ms. */
  sweepEveryMs: number;
  close(): Promise<void>;
};
