import type { LinkedEntry } from './audit-entry.ts';

/** One entry as a line of JSON, with its line end: a file of these can be verified, too. */
export function toAuditLine(entry: LinkedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
