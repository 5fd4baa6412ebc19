import type { Announcements } from '../delivery/announcements.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { PermanentError } from '../errors.ts';
import type { TokenBuckets } from '../slack/web/buckets.ts';
import type { WithLock } from '../with-lock.ts';
import type { Store } from './store.ts';

/** Storage and coordination: Redis for any number of replicas, SQLite for one process. */
export type Backend = {
  store: Store;
  dispatcher: Dispatcher;
  announcements: Announcements;
  buckets: TokenBuckets;
  /** One token refresh at a time per account, across replicas. */
  withLock: WithLock | undefined;
  /** Whether a timed wake-up survives the process. Where not, a start looks at the lanes that wait as well. */
  keepsWakeUps: boolean;
  /** How often the sweeper runs, in ms. */
  sweepEveryMs: number;
  /** How often this process looks for lanes that are due and that nobody is at, in ms. */
  lookEveryMs: number;
  /** Resolves if the store is gone for good, with an error for operators: this process has to end. */
  gone: Promise<PermanentError>;
  close(): Promise<void>;
};
