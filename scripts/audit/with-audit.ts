import { loadConfig } from '../../src/config.ts';
import { NO_DATABASE, openReader } from '../../src/doctor/store-reader.ts';
import { UserError } from '../../src/errors.ts';
import type { AuditReader } from '../../src/governance/audit/audit-log.ts';

/** Runs with a look at the log of the store that the configuration names, and closes it. */
export async function withAudit<T>(look: (audit: AuditReader) => Promise<T>): Promise<T> {
  const store = await openReader(loadConfig());
  if (!store) throw new UserError('audit_not_open', NO_DATABASE);
  try {
    return await look(store.audit);
  } finally {
    await store.close();
  }
}
