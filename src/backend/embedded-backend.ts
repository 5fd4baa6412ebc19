import type { Config } from '../config.ts';
import { createLocalAnnouncements } from '../delivery/announcements.ts';
import { createInProcessDispatcher } from '../delivery/in-process-dispatcher.ts';
import type { Log } from '../log.ts';
import { createMemoryBuckets } from '../slack/web/buckets.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import type { Backend } from './backend.ts';

/** A stop gives balancers time before it drains, and closes what is open after that. */
const AROUND_DRAIN_MS = 10_000;

/** For one process, on SQLite. */
export async function openEmbeddedBackend(config: Config, log: Log): Promise<Backend> {
  const store = await openSqliteStore({
    path: config.SQLITE_PATH,
    lockWaitMs: config.DRAIN_SECONDS * 1000 + AROUND_DRAIN_MS,
    onWait: (waitMs) => log.warn({ upToSeconds: waitMs / 1000 }, 'waiting for the other process to end'),
    now: Date.now,
  });
  return {
    store,
    dispatcher: createInProcessDispatcher(log, Date.now),
    announcements: createLocalAnnouncements(),
    // A clock that only goes forward: one that is set back would stop all calls until then.
    buckets: createMemoryBuckets(() => performance.now()),
    withLock: undefined,
    // In one process none is lost while it lives, and at its start it looks.
    sweepEveryMs: 15_000,
    close: () => store.close(),
  };
}
