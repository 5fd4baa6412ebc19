import type { AuditHead, AuditStore } from './audit-store.ts';

/** The same log, which tells each new head: kept elsewhere, it shows later whether anything was cut off or written anew. */
export function createToldAudit(audit: AuditStore, tell: (head: AuditHead) => void): AuditStore {
  return {
    ...audit,
    async append(entry) {
      const linked = await audit.append(entry);
      tell({ seq: linked.seq, hash: linked.hash });
      return linked;
    },
  };
}
