// From the text of a file to the edits that it makes, and what has to be said about them.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { PermanentError } from '../../errors.ts';
import { createWorkerRun } from '../../run-in-worker.ts';
import { joinInventory } from '../inventory/inventory.ts';
import type { Edit } from '../policy/edit.ts';
import type { Policy } from '../policy/policy.ts';
import type { DocumentProblem } from './document-problems.ts';
import { findImportEdits } from './import-edits.ts';
import { type ReadDocument, readDocument } from './read-document.ts';
import { convertRegister } from './register-entries.ts';

export type ImportOptions = {
  currency: string;
  now: number;
  /** For a register, which may name agents by either of their ids. Throws the errors of admin-errors.ts. */
  readInventory(): Promise<FindAgent>;
};

type FindAgent = (environmentId: string, id: string) => string | undefined;

/** `notes`: sentences with names of the file, untrusted. `behind`: by how many revisions the file is older. */
export type Import = { edits: Edit[]; ended: number; behind: number; notes: string[] };

class DocumentError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('document_unreadable', `the file could not be read: ${why}`, options);
  }
}

/** In bytes; what is shorter takes less time to read than to start a thread for. */
const LONG = 100_000;

const readInWorker = createWorkerRun<string, ReadDocument>({
  script: new URL('./read-document-worker.ts', import.meta.url),
  limitMs: 60_000,
  idleMs: 0,
  maxHeapMb: 512,
  toError: (why, options) => new DocumentError(why, options),
});

/** Throws what `readInventory` throws, and DocumentError. */
export async function readImport(
  text: string,
  policy: Policy,
  options: ImportOptions,
): Promise<Import | { problems: DocumentProblem[] }> {
  const read = text.length > LONG ? await readInWorker(text) : readDocument(text);
  if (read.kind === 'problems') return { problems: read.problems };
  const { now } = options;
  if (read.kind === 'policy') {
    const { edits, ended } = findImportEdits(policy, read.entries, { isWhole: true, now });
    return { edits, ended, behind: Math.max(0, policy.revision - (read.revision ?? policy.revision)), notes: [] };
  }
  const findAgent = await options.readInventory();
  const { entries, notes } = convertRegister(read.register, { ...options, findAgent });
  // It never said anything about what was decided in Slack: that stays.
  return { ...findImportEdits(policy, entries, { isWhole: false, now }), behind: 0, notes };
}

/** The id in the inventory of an agent, by either of its ids. */
export async function readAgentIds(session: Pick<AdminSession, 'findAgents'>): Promise<FindAgent> {
  const { rows } = await session.findAgents();
  const ids = new Map<string, string>();
  for (const { environmentId, name, agentResourceId } of joinInventory(rows, [])) {
    for (const id of [agentResourceId, name]) ids.set(`${environmentId} ${id}`.toLowerCase(), name);
  }
  return (environmentId, id) => ids.get(`${environmentId} ${id}`.toLowerCase());
}
