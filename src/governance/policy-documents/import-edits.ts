// What a file would change: the difference to the policy of now, as edits of it.
import type { Edit } from '../policy/edit.ts';
import { type Entry, isOver, type Policy } from '../policy/policy.ts';
import { toEntryKey } from '../policy/target.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { DocumentEntry } from './entry-schema.ts';

/** `ended`: entries that the file does not have. */
export type ImportEdits = { edits: Edit[]; ended: number };

/** `isWhole`: what the file leaves out ends. An exception that is over neither comes back nor is it put in. */
export function findImportEdits(
  { entries }: Policy,
  wanted: readonly DocumentEntry[],
  { isWhole, now }: { isWhole: boolean; now: number },
): ImportEdits {
  const edits: Edit[] = [];
  const kept = new Set<string>();
  for (const entry of wanted) {
    const key = toEntryKey(entry.setting, entry.target);
    kept.add(key);
    edits.push(...compareEntry(entries[key], entry, now));
  }
  const missing = isWhole ? Object.entries(entries).filter(([key]) => !kept.has(key)) : [];
  for (const [, entry] of missing) edits.push(...endAll(entry));
  return { edits, ended: missing.length };
}

function compareEntry(present: Entry | undefined, wanted: DocumentEntry, now: number): Edit[] {
  const { setting, target, standing, exception } = wanted;
  const isStanding = isSame(present?.standing, standing);
  if (isStanding && isSame(present?.exception, exception)) return [];
  const set = (one: NonNullable<typeof exception | typeof standing>): Edit => {
    const until = 'until' in one ? one.until : undefined;
    return { setting, target, change: { kind: 'set', value: one.value, until, reason: one.why?.reason } };
  };
  const wantsException = exception !== undefined && !isOver(exception.until, now);
  const first = standing === undefined ? endAll(present) : isStanding ? [] : [set(standing)];
  if (wantsException) return [...first, set(exception)];
  const isLeft = isStanding && standing !== undefined && present?.exception !== undefined;
  return isLeft ? [{ setting, target, change: { kind: 'end' } }] : first;
}

type Said = { value: unknown; until?: string };

/** Who decided and why is not compared: of what stays as it is, that of now stays as well. */
function isSame(present: Said | undefined, wanted: Said | undefined): boolean {
  if (present === undefined || wanted === undefined) return present === wanted;
  const toJson = ({ value, until }: Said) => toCanonicalJson([value, until]);
  return toJson(present) === toJson(wanted);
}

/** The exception first, then what stands. */
function endAll(present: Entry | undefined): Edit[] {
  if (!present) return [];
  const { setting, target, standing, exception } = present;
  const end: Edit = { setting, target, change: { kind: 'end' } };
  return standing && exception ? [end, end] : [end];
}
