import type { Store } from './store.ts';

const DAY_MS = 24 * 3_600_000;

/** How long each kind of record is kept after its last use. Everything else is kept until somebody deletes it. */
const RETENTION_MS = {
  /** Slack repeats deliveries for up to a day; *Ask again* needs the record for as long as people scroll back. */
  doneTurns: 30 * DAY_MS,
  /** After that a reply in an old thread starts a new conversation of the service. */
  threads: 180 * DAY_MS,
  /** Three years: long enough for whoever audits the last two, and not for ever, because it holds ids of people. */
  audit: 3 * 365 * DAY_MS,
} as const;

/** Removes what is past its time. Returns how many records went. */
export async function forgetOld(store: Store, now: number): Promise<number> {
  const turns = await store.turns.forget(now - RETENTION_MS.doneTurns);
  const threads = await store.threads.forget(now - RETENTION_MS.threads);
  const entries = await store.audit.forget(now - RETENTION_MS.audit);
  return turns + threads + entries;
}
