import { ConfigError, loadConfig } from '../../src/config.ts';
import { NO_DATABASE, openReader } from '../../src/doctor/store-reader.ts';
import { BridgeError, systemCode, UserError } from '../../src/errors.ts';
import type { AuditReader } from '../../src/governance/audit/audit-log.ts';

export const USAGE = `Reads the audit log beside a running app, and changes nothing.
  npm run audit -- verify [--head <seq>:<hash>]… [--file <exported file>]
      ends with 1 if the log is broken; checks the seals if AUDIT_KEY is set
  npm run audit -- export              all entries as JSON lines
  npm run audit -- list [--limit <number>]
      the latest entries, one line each`;

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

/** What to say to an operator. */
export function toSentence(cause: unknown): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  const code = systemCode(cause) ?? 'no code';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${(cause as Error).message}\n${USAGE}`;
  return `The audit log cannot be read (${code}). Check the path, and who may read it.`;
}
