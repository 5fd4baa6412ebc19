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
  /** Whether timed wake-ups survive the process. If not, a start also looks at lanes that wait. */
  keepsWakeUps: boolean;
  /** How often the sweeper runs, in ms. */
  sweepEveryMs: number;
  /** How often this process looks for due lanes that no replica runs, in ms. */
  lookEveryMs: number;
  /** Resolves with an error for operators if the store is gone for good: this process has to end. */
  gone: Promise<PermanentError>;
  close(): Promise<void>;
};
