import type { OverlayRecord } from './overlay.ts';

/** Port: what admins decided in Slack. Records are added, and stay: the register's file says when one is of no use. */
export type OverlayStore = {
  /** Once per id: of two callers with one id, one gets 'new'. */
  add(record: OverlayRecord): Promise<'new' | 'duplicate'>;
  /** All of them, in the order in which they were added. */
  list(): Promise<OverlayRecord[]>;
};
