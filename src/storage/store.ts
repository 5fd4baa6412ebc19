import type { TurnStore } from '../conversation/stores.ts';
import type { ThreadStore } from '../conversation/thread-store.ts';
import type { AuditStore } from '../governance/audit/audit-store.ts';
import type { ChangeStore } from '../governance/changes/change.ts';
import type { OverlayStore } from '../governance/register/overlay-store.ts';
import type { ReviewStore } from '../governance/review/review-store.ts';
import type { LinkStore } from '../identity/account-link.ts';
import type { ClaimStore } from '../identity/once-store.ts';
import type { InstallationStore } from '../slack/installation-store.ts';

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
