import type { AuditKey } from '../../audit/audit-key.ts';
import type { StoredHead } from '../../audit/audit-log.ts';
import { isEndSealed, verifyNewest } from '../../audit/verify-audit.ts';
import { type Check, speak } from '../check.ts';

/** The entries that are checked, which is quick. `npm run audit -- verify` checks all. */
const NEWEST = 100;

const { words, say } = speak({
  sealed: '✓ The audit log is sealed with AUDIT_KEY, and {newest}.',
  chained:
    '✓ AUDIT_KEY is not set: the audit log is chained, but not sealed against whoever can write to the store; {newest}.',
  notSealed:
    '! AUDIT_KEY is set, and the audit log is not sealed. The next start of the app seals it. If the app has been started with the key already, somebody changed the log: run npm run audit -- verify.',
  olderKey:
    '! The audit log is sealed with an older key of AUDIT_KEY. The next start of the app seals it with the first key.',
  otherKey:
    '✗ The end of the audit log is not sealed with AUDIT_KEY. Set the key that the app had before; a new one goes in front of it. If it is set, somebody changed the log: run npm run audit -- verify.',
  noKey:
    '✗ The audit log is sealed, but AUDIT_KEY is not set: administrators cannot change anything. Set the key that the app had before.',
  changed:
    '✗ The audit log was changed, at entry {entry} or near it. Run npm run audit -- verify for all entries, and keep a copy of the store.',
});

/** Whether the audit log is sealed, and whether its newest entries are unchanged. */
export const AUDIT: Check = {
  name: 'The audit log',
  section: 'Audit log',
  words,
  async look({ config: { AUDIT_KEY: keys = [] }, store }) {
    const { audit } = (await store()).reader ?? {};
    if (!audit) return undefined;
    const word = judgeEnd(await audit.head(), keys);
    if (word) return say(word);
    const verdict = await verifyNewest(audit, { limit: NEWEST, keys });
    if (!verdict.ok) return say('changed', { entry: verdict.seq });
    const newest = verdict.entries === 0 ? 'it is empty' : 'its newest entries are unchanged';
    return say(keys.length > 0 ? 'sealed' : 'chained', { newest });
  },
};

/** Undefined: no problem. */
function judgeEnd(head: StoredHead, keys: readonly AuditKey[]) {
  if (keys.length === 0) return head.seal === undefined ? undefined : 'noKey';
  if (isEndSealed(head, keys.slice(0, 1))) return undefined;
  if (head.seal === undefined) return 'notSealed';
  return isEndSealed(head, keys) ? 'olderKey' : 'otherKey';
}
