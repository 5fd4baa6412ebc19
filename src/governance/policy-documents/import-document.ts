// Makes edits of the policy from the text of a file, with notes about them.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { type Edit, endEdit, endException } from '../../policy/edit.ts';
import { type Entry, isOver, type Policy } from '../../policy/policy.ts';
import { describeIds, type Target, toEntryKey } from '../../policy/target.ts';
import { createWorkerRun } from '../../run-in-worker.ts';
import { joinInventory } from '../inventory/inventory.ts';
import { SentenceError } from '../shell/admin-failure.ts';
import type { DocumentProblem } from './document-problems.ts';
import { type DocumentEntry, describeOver } from './document-schema.ts';
import type { ReadDocument, SoundDocument } from './read-document.ts';
import { type ConvertOptions, convertRegister } from './register.ts';

type FindAgent = ConvertOptions['findAgent'];

type ImportOptions = Omit<ConvertOptions, 'findAgent'> & {
  /** For a register, which may name agents by either of their ids. Throws the errors of admin-errors.ts. */
  readInventory(): Promise<FindAgent>;
  /** Whether the importing person may decide about the target. Other targets are left out. */
  isOurs?(target: Target): boolean;
};

/**
 * `ended`: how many entries end because the file does not have them. `behind`: how many revisions older the file is.
 * `notes`: sentences with names from the file, untrusted.
 */
export type Import = { edits: Edit[]; ended: number; behind: number; notes: string[] };

const LEFT_OUT = 'Channels of other installations of this app are left out: their administrators decide them.';

const NOT_READ =
  'This file could not be read in time, so nothing was changed. If others import a file now, try again in a minute. Otherwise shorten it, or the longest block in it.';

/** Apart from the app: a long file takes seconds. Throws SentenceError if it takes too long, or waits for too long. */
export const readInWorker = createWorkerRun<string, ReadDocument>({
  script: new URL('./read-document-worker.ts', import.meta.url),
  limitMs: 60_000,
  // Somebody who sends a bad file again and again does not stop all others.
  waitLimitMs: 30_000,
  idleMs: 0,
  maxHeapMb: 512,
  toError: (why, options) => new SentenceError('document_unreadable', NOT_READ, { cause: new Error(why, options) }),
});

/** Throws the errors of `readInventory`. */
export function readImport(read: SoundDocument, policy: Policy, options: ImportOptions): Promise<Import>;
export function readImport(
  read: ReadDocument,
  policy: Policy,
  options: ImportOptions,
): Promise<Import | { problems: DocumentProblem[] }>;
export async function readImport(
  read: ReadDocument,
  policy: Policy,
  options: ImportOptions,
): Promise<Import | { problems: DocumentProblem[] }> {
  if (read.kind === 'problems') return { problems: read.problems };
  const { now } = options;
  if (read.kind === 'policy') {
    const behind = Math.max(0, policy.revision - (read.revision ?? policy.revision));
    const ours = read.entries.filter(({ target }) => options.isOurs?.(target) ?? true);
    const left = ours.length < read.entries.length ? [LEFT_OUT] : [];
    const notes = [...left, ...describeClasses(ours), ...listOver(policy, ours, now)];
    return { ...findImportEdits(policy, ours, { isWhole: true, now }), behind, notes };
  }
  const findAgent = await options.readInventory();
  const { entries, notes } = convertRegister(read.register, { ...options, findAgent });
  // A register says nothing about decisions in Slack, so those stay.
  return { ...findImportEdits(policy, entries, { isWhole: false, now }), behind: 0, notes };
}

/** The classes without a standard, which may be typing errors: their environments would be neither new nor governed. */
function describeClasses(entries: readonly DocumentEntry[]): string[] {
  const known = new Set(entries.map(({ target }) => ('className' in target ? target.className.toLowerCase() : '')));
  const named = entries.filter(({ setting }) => setting === 'class').flatMap((one) => [one.standing, one.exception]);
  const names = new Set(named.flatMap((stated) => (stated ? [String(stated.value)] : [])));
  return [...names]
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => `Class ${name} has no standard: it approves nothing for its environments.`);
}

/** The exceptions that the policy does not have, and that nobody can set any more. */
function listOver({ entries }: Policy, wanted: readonly DocumentEntry[], now: number): string[] {
  return wanted.flatMap(({ setting, target, exception }) => {
    if (exception === undefined || !isOver(exception.until, now)) return [];
    const isThere = isSame(entries[toEntryKey(setting, target)]?.exception, exception);
    return isThere ? [] : [describeOver(`${setting} of ${describeIds(target)}`, exception.until)];
  });
}

/** Finds the id of an agent in the inventory by either of its ids. */
export async function readAgentIds(session: Pick<AdminSession, 'findAgents'>): Promise<FindAgent> {
  const { rows } = await session.findAgents();
  const ids = new Map<string, string>();
  for (const { environmentId, name, agentResourceId } of joinInventory(rows, [])) {
    for (const id of [agentResourceId, name]) ids.set(`${environmentId} ${id}`.toLowerCase(), name);
  }
  return (environmentId, id) => ids.get(`${environmentId} ${id}`.toLowerCase());
}

/** `isWhole`: entries that the file leaves out end. An exception that is over is not set. */
export function findImportEdits(
  { entries }: Policy,
  wanted: readonly DocumentEntry[],
  { isWhole, now }: { isWhole: boolean; now: number },
): Pick<Import, 'edits' | 'ended'> {
  const byKey = new Map(wanted.map((entry) => [toEntryKey(entry.setting, entry.target), entry]));
  const missing = isWhole ? Object.entries(entries).filter(([key]) => !byKey.has(key)) : [];
  const edits = [...byKey].flatMap(([key, entry]) => compareEntry(entries[key], entry, now));
  const ends = missing.map(([, { setting, target }]) => endEdit(setting, target));
  return { edits: [...edits, ...ends], ended: missing.length };
}

function compareEntry(present: Entry | undefined, wanted: DocumentEntry, now: number): Edit[] {
  const { setting, target, standing, exception } = wanted;
  const isStanding = isSame(present?.standing, standing);
  if (isStanding && isSame(present?.exception, exception)) return [];
  const set = ({ value, why, until }: NonNullable<typeof standing> & { until?: string }): Edit => ({
    ...{ setting, target, change: { kind: 'set', value, until, reason: why?.reason } },
  });
  const first =
    standing === undefined ? (present ? [endEdit(setting, target)] : []) : isStanding ? [] : [set(standing)];
  if (exception !== undefined && !isOver(exception.until, now)) return [...first, set(exception)];
  return isStanding && standing !== undefined && present?.exception ? [endException(present)] : first;
}

type Said = { value: unknown; until?: string };

/** Compares values and last days only. An unchanged entry keeps its present decision and reason. */
function isSame(present: Said | undefined, wanted: Said | undefined): boolean {
  if (present === undefined || wanted === undefined) return present === wanted;
  const toJson = ({ value, until }: Said) => toCanonicalJson([value, until]);
  return toJson(present) === toJson(wanted);
}
