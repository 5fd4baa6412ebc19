// Builders with values that no test looks at; a test names the ones it does.
import { randomBytes } from 'node:crypto';
import { type AuditKey, parseAuditKeys } from '../../src/audit/audit-key.ts';
import { type AuditEntry, CHAIN_BEGIN, type LinkedEntry, linkEntry } from '../../src/audit/audit-log.ts';

export function anEntry(values: Partial<AuditEntry> = {}): AuditEntry {
  return {
    schema: 1,
    at: 1,
    what: 'item_ended',
    who: { user: 'UKIM' },
    team: 'T1',
    workspace: 'T1',
    subject: { environmentId: 'env-1', planId: 'plan-1' },
    before: { limit: 1, rules: ['a', { b: null }] },
    after: { limit: 2 },
    reason: 'more is needed',
    outcome: { kind: 'verified', written: 'yes' },
    requestIds: ['r-1'],
    ...values,
  };
}

/** A chain of so many, each made a millisecond after the one before. */
export function aChain(length: number): LinkedEntry[] {
  const entries: LinkedEntry[] = [];
  for (let at = 1; at <= length; at += 1) entries.push(linkEntry(anEntry({ at }), entries.at(-1) ?? CHAIN_BEGIN));
  return entries;
}

export async function readAll(entries: AsyncIterable<LinkedEntry>): Promise<LinkedEntry[]> {
  const read: LinkedEntry[] = [];
  for await (const entry of entries) read.push(entry);
  return read;
}

/** So many keys for AUDIT_KEY, and the text to set. */
export function makeKeys(count: number): { keys: AuditKey[]; text: string } {
  const text = Array.from({ length: count }, () => randomBytes(32).toString('base64')).join(',');
  return { keys: parseAuditKeys(text), text };
}

export const [aKey] = makeKeys(1).keys as [AuditKey];
