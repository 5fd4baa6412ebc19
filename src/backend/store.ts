import { randomUUID } from 'node:crypto';
import type { ThreadStore, TurnStore } from '../conversation/stores.ts';
import { type AccountLink, eachLink, type LinkStore } from '../identity/account-link.ts';
import type { PersonalRecords } from '../identity/personal-data.ts';
import { toDay, USAGE_DAYS } from '../usage/usage.ts';
import type { createRecords } from './records.ts';

/** All persistent state, with one small port per concern. Each port is declared beside its users. */
export type Store = Omit<ReturnType<typeof createRecords>, 'purge'> & {
  turns: TurnStore;
  threads: ThreadStore;
  personal: PersonalRecords;
  /**
   * Removes a workspace's turns, threads, links and usage, and who was greeted and opened the home tab. Policy, runs and
   * audit log stay, as a record of what admins did. The tenant's consumption and the installation stay, too. Returns how
   * many records were removed.
   */
  purge(workspace: string): Promise<number>;
  /** Resolves if the store can be written. Throws StoreUnavailableError. */
  check(): Promise<void>;
  /** How full the memory of Redis is. Undefined with SQLite. */
  memory?(): Promise<{ usedBytes: number; limitBytes: number } | undefined>;
  close(): Promise<void>;
};

const DAY_MS = 24 * 3_600_000;

/**
 * How many days each kind of record is kept after its last use. Everything else is kept until somebody deletes it.
 * `RETENTION_DAYS` shortens those with a person's questions.
 */
const KEPT_DAYS = {
  /** Slack repeats deliveries for up to a day. *Ask again* needs the record as long as people scroll back. */
  doneTurns: 30,
  /** Later, a reply in an old thread starts a new conversation. */
  threads: 180,
  /** Long enough to audit the last two years. Limited, because it has ids of people. */
  audit: 3 * 365,
  /** Insights look back a quarter of a year at most. */
  usage: USAGE_DAYS,
  /** This month and the three before it: each month is compared with the one before. */
  consumption: 124,
} as const;

export type Retention = {
  /** Done turns and threads are kept for this many days at most. */
  days: number;
  /** After how many days links that nobody uses are deleted; 0: never. */
  linkDays: number;
  /** Called for each link. */
  onForgotten(link: AccountLink): Promise<void>;
};

/** Removes records past their retention. Returns how many. */
export async function forgetOld(store: Store, now: number, retention: Retention): Promise<number> {
  const before = (days: number) => now - days * DAY_MS;
  const turns = await store.turns.forget(before(Math.min(KEPT_DAYS.doneTurns, retention.days)));
  const threads = await store.threads.forget(before(Math.min(KEPT_DAYS.threads, retention.days)));
  const usage = (await isFirstToday(store, USAGE_FORGOTTEN, now))
    ? (await store.usage.forget(toDay(before(KEPT_DAYS.usage)))) +
      (await store.consumption.forget(toDay(before(KEPT_DAYS.consumption))))
    : 0;
  // By whole days (UTC), so that the audit log gets at most one entry a day about it.
  const auditBegin = before(KEPT_DAYS.audit);
  const entries = await store.audit.forget(auditBegin - (auditBegin % DAY_MS));
  return turns + threads + usage + entries + (await forgetLinks(store, now, retention));
}

const LINKS_FORGOTTEN = 'links:forgotten';
const USAGE_FORGOTTEN = 'usage:forgotten';

/** True for one replica a day (UTC). Each day has its own key: a clock that is set back must not wait for another. */
async function isFirstToday({ once }: Pick<Store, 'once'>, key: string, now: number): Promise<boolean> {
  const claim = randomUUID();
  return (await once.claim(`${key}:${toDay(now)}`, claim, now + DAY_MS)) === claim;
}

/** Reads all links. */
async function forgetLinks({ links, once }: Store, now: number, retention: Retention): Promise<number> {
  if (retention.linkDays === 0 || !(await isFirstToday({ once }, LINKS_FORGOTTEN, now))) return 0;
  let forgotten = 0;
  for await (const link of eachLink(links)) if (await forgetIfUnused(link, links, now, retention)) forgotten += 1;
  return forgotten;
}

async function forgetIfUnused(link: AccountLink, links: LinkStore, now: number, retention: Retention) {
  const usedAt = link.usedAt ?? link.linkedAt;
  if (usedAt >= now - retention.linkDays * DAY_MS || !(await links.deleteUnchanged(link))) return false;
  await retention.onForgotten(link);
  return true;
}
