import type { Config } from '../config.ts';
import { createLocalAnnouncements } from '../delivery/announcements.ts';
import { createInProcessDispatcher } from '../delivery/in-process-dispatcher.ts';
import { PermanentError } from '../errors.ts';
import { createFaultLog } from '../fault-log.ts';
import type { Log } from '../log.ts';
import { createMemoryBuckets } from '../slack/web/buckets.ts';
import type { Backend } from './backend.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** How long a stop takes besides draining: load balancers have to notice it, and connections are closed. */
const AROUND_DRAIN_MS = 10_000;

/** For one process, on SQLite. */
export async function openEmbeddedBackend(config: Config, log: Log): Promise<Backend> {
  const gone = Promise.withResolvers<PermanentError>();
  const logRefusal = createFaultLog(log, 'store refuses');
  const store = await openSqliteStore({
    path: config.SQLITE_PATH,
    lockWaitMs: config.DRAIN_SECONDS * 1000 + AROUND_DRAIN_MS,
    onWait: (waitMs) => log.warn({ upToSeconds: waitMs / 1000 }, 'waiting for the other process to end'),
    onGone: () => gone.resolve(new PermanentError('store_gone', toGone(config.SQLITE_PATH))),
    audit: { keys: config.AUDIT_KEY, log },
    now: Date.now,
    onRefused: (reason) => logRefusal(reason, { reason }),
  });
  return {
    store,
    dispatcher: createInProcessDispatcher(log, Date.now),
    announcements: createLocalAnnouncements(),
    // Monotonic: a wall clock that is set back would block all calls until it catches up.
    buckets: createMemoryBuckets(() => performance.now()),
    withLock: undefined,
    // Wake-ups are kept in memory.
    keepsWakeUps: false,
    sweepEveryMs: 15_000,
    lookEveryMs: 60_000,
    gone: gone.promise,
    close: () => store.close(),
  };
}

function toGone(path: string): string {
  return `${path} (SQLITE_PATH) or its -wal file was deleted or replaced while the app was running. Accepted questions may be lost. Put a backup there if you have one; the next start uses the file that it finds.`;
}
