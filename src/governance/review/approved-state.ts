// The register as a review uses it: the file, merged with the decisions made in Slack.
import { mergeOverlay } from '../register/merge-overlay.ts';
import type { OverlayRecord, OverlayStore, UnusedRecord } from '../register/overlay.ts';
import type { Register } from '../register/register.ts';
import type { RegisterFile } from '../register/register-file.ts';
import type { RegisterProblem } from '../register/register-problem.ts';

/** What is approved now, or why that is unknown. */
export type Approved =
  /** GOVERNANCE_REGISTER names no file. */
  | { kind: 'none' }
  /** The file could not be read; `error`: of the file system. */
  | { kind: 'unreadable_file'; error: unknown }
  /** The file has mistakes. */
  | { kind: 'problems'; problems: RegisterProblem[] }
  | ReadyRegister;

export type ReadyRegister = {
  kind: 'ready';
  /** The file merged with the overlay: what a review compares with. */
  register: Register;
  /** The file alone, and its text: what the overlay is exported into. */
  own: Register;
  text: string;
  /** Of the file alone. */
  registerHash: string;
  /** The overlay, and which records of it add nothing. */
  records: OverlayRecord[];
  unused: UnusedRecord[];
};

export type ApprovedSources = {
  /** Rejects if the file cannot be read. */
  readRegister(): Promise<RegisterFile | 'none'>;
  overlay: Pick<OverlayStore, 'list'>;
};

/** The register with its overlay, as of now. Rejects only if the store fails. */
export async function readApproved({ readRegister, overlay }: ApprovedSources): Promise<Approved> {
  const file = await readRegister().catch((error: unknown) => ({ error }));
  if (file === 'none') return { kind: 'none' };
  if ('error' in file) return { kind: 'unreadable_file', error: file.error };
  const { text, read } = file;
  if ('problems' in read) return { kind: 'problems', problems: read.problems };
  const { register: own, hash: registerHash } = read;
  const records = await overlay.list();
  return { kind: 'ready', ...mergeOverlay(own, records), own, text, registerHash, records };
}
