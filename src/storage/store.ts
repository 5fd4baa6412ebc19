import type { ThreadStore, TurnStore } from '../conversation/stores.ts';
import type { AuditStore } from '../governance/audit/audit-log.ts';
import type { ChangeStore } from '../governance/changes/change.ts';
import type { OverlayStore } from '../governance/register/overlay.ts';
import type { ReviewStore } from '../governance/review/review-diff.ts';
import type { ClaimStore, LinkStore } from '../identity/account-link.ts';
import type { InstallationStore } from '../slack/installation.ts';

/** Everything that is kept, behind one small port per concern. Each port is declared beside those who need it. */
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
   * Removes all that is kept of a workspace: turns, threads, links. Changes and the audit log stay, which are an
   * account of what admins did; so does the installation, which has a port of its own. Returns how many records went.
   */
  purge(workspace: string): Promise<number>;
  /** Resolves where the store answers and can be written. Throws StoreUnavailableError. */
  check(): Promise<void>;
  close(): Promise<void>;
};

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
