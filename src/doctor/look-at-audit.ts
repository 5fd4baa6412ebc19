import type { AuditKey } from '../governance/audit/audit-key.ts';
import type { AuditReader, StoredHead } from '../governance/audit/audit-log.ts';
import { isEndSealed, verifyNewest } from '../governance/audit/verify-audit.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** A moment's work: the rest is for `npm run audit -- verify`. */
const NEWEST = 100;

/** Whether the audit log is sealed, and whether its newest entries are as they were written. */
export async function lookAtAudit(audit: AuditReader, keys: readonly AuditKey[] = []): Promise<Finding[]> {
  const [key, head] = [keys.at(0), await audit.head()];
  if (key === undefined && head.seal !== undefined) return [KEY_MISSING];
  if (key && !isEndSealed(head, [key])) return [describeEnd(head, keys)];
  const verdict = await verifyNewest(audit, { limit: NEWEST, keys });
  if (!verdict.ok) return [toFault(verdict.seq)];
  const newest = verdict.entries === 0 ? 'it is empty' : 'its newest entries are as they were written';
  return [
    key
      ? ok(`The audit log is sealed with AUDIT_KEY, and ${newest}.`)
      : ok(
          `AUDIT_KEY is not set: the audit log is chained, but not sealed against whoever can write to the store; ${newest}.`,
        ),
  ];
}

const KEY_MISSING = error(
  'The audit log is sealed, but AUDIT_KEY is not set: administrators cannot change anything. Set the key that the app had before.',
);

function describeEnd(head: StoredHead, keys: readonly AuditKey[]): Finding {
  if (head.seal === undefined) return NOT_SEALED;
  return isEndSealed(head, keys) ? OLDER_KEY : OTHER_KEY;
}

const OLDER_KEY = warning(
  'The audit log is sealed with an older key of AUDIT_KEY. The next start of the app goes over to the first one.',
);

const OTHER_KEY = error(
  'The end of the audit log is not sealed with AUDIT_KEY. Set the key that the app had before; a new one goes in front of it. If it is set, somebody changed the log: run npm run audit -- verify.',
);

const NOT_SEALED = warning(
  'AUDIT_KEY is set, and the audit log is not sealed. The next start of the app seals it. If the app has been started with the key already, somebody changed the log: run npm run audit -- verify.',
);

function toFault(seq: number): Finding {
  return error(
    `The audit log is not as it was written, at entry ${seq} or near it. Run npm run audit -- verify for the whole of it, and keep a copy of the store.`,
  );
}
