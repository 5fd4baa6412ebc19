import type { ThreadStore, TurnStore } from '../conversation/stores.ts';
import type { AuditStore } from '../governance/audit/audit-log.ts';
import type { ChangeStore } from '../governance/changes/change.ts';
import type { OverlayStore } from '../governance/register/overlay.ts';
import type { ReviewStore } from '../governance/review/review-diff.ts';
import type { ClaimStore, LinkStore } from '../identity/account-link.ts';
import type { InstallationStore } from '../slack/installation.ts';

/** All persistent state, with one small port per concern. Each port is declared beside its users. */
export type Store = {
  turns: TurnStore;
  threads: ThreadStore;
  links: LinkStore;
  once: ClaimStore;
  changes: ChangeStore;
  audit: AuditStore;
  overlay: OverlayStore;
  reviews: ReviewStore;
  installations: InstallationStore;
  /**
   * Removes a workspace's turns, threads and links. Changes and the audit log stay, as a record of what admins did; so
   * does the installation, which has a port of its own. Returns how many records were removed.
   */
  purge(workspace: string): Promise<number>;
  /** Resolves if the store can be written. Throws StoreUnavailableError. */
  check(): Promise<void>;
  close(): Promise<void>;
};

const DAY_MS = 24 * 3_600_000;

/** How long each kind of record is kept after its last use. Everything else is kept until somebody deletes it. */
const RETENTION_MS = {
  /** Slack repeats deliveries for up to a day; *Ask again* needs the record for as long as people scroll back. */
  doneTurns: 30 * DAY_MS,
  /** After that, a reply in an old thread starts a new conversation. */
  threads: 180 * DAY_MS,
  /** Long enough to audit the last two years; limited, because it holds ids of people. */
  audit: 3 * 365 * DAY_MS,
} as const;

/** Removes records past their retention. Returns how many. */
export async function forgetOld(store: Store, now: number): Promise<number> {
  const turns = await store.turns.forget(now - RETENTION_MS.doneTurns);
  const threads = await store.threads.forget(now - RETENTION_MS.threads);
  const entries = await store.audit.forget(now - RETENTION_MS.audit);
  return turns + threads + entries;
}
