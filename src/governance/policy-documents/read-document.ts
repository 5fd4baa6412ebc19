// Reads a file: an exported policy, or a register of an earlier release. If anything is wrong with it, nothing is taken from
// it, and each problem has its line.
import { type Document, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { toEntryKey } from '../policy/target.ts';
import type { SettingId } from '../policy/values.ts';
import {
  type DocumentProblem,
  type PlacedSentence,
  toProblems,
  toSentences,
  toSyntaxProblem,
} from './document-problems.ts';
import { block } from './document-values.ts';
import { type DocumentEntry, ENTRIES, SETTINGS, toEntry } from './entry-schema.ts';
import { type RegisterForm, registerSchema } from './register-schema.ts';

/** `revision`: of the policy that was exported, where the file says it. */
type PolicyDocument = { kind: 'policy'; revision: number | undefined; entries: DocumentEntry[] };

export type ReadDocument =
  | PolicyDocument
  | { kind: 'register'; register: RegisterForm }
  | { kind: 'problems'; problems: DocumentProblem[] };

/** More would keep the app from its other work for too long. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Entries of a policy; of a register environments, agents and exceptions. More than the largest tenant we expect has. */
const MAX_ENTRIES = 25_000;

/** All values that stand in it: about twenty for each entry. */
const MAX_VALUES = 500_000;

/** Many entries may share one anchored block. */
const MAX_ALIASES = 10_000;

const TOO_LONG =
  'Make this file shorter: it may have 4 MB and 25,000 entries at most, with all that is repeated with *.';

/** The form of the file: registers had 1. */
export const SCHEMA = 2;

/** Takes about half a second per megabyte. */
export function readDocument(text: string): ReadDocument {
  if (Buffer.byteLength(text) > MAX_BYTES) return fail([{ line: 1, sentence: TOO_LONG }]);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) return fail(document.errors.map((error) => toSyntaxProblem(error, lineCounter)));
  const plain = toPlain(document);
  // Checked first: validation would visit repeated blocks as often as aliases repeat them.
  if (plain === undefined || isTooLong(plain.value)) return fail([{ line: 1, sentence: TOO_LONG }]);
  const read = isRegister(plain.value) ? readRegister(plain.value) : readPolicy(plain.value);
  return Array.isArray(read) ? fail(toProblems(read, document, lineCounter)) : read;
}

function fail(problems: DocumentProblem[]): ReadDocument {
  return { kind: 'problems', problems };
}

function toPlain(document: Document): { value: unknown } | undefined {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch {
    // The only error it throws is about aliases: https://eemeli.org/yaml/#tojs-options
    return undefined;
  }
}

function isTooLong(value: unknown): boolean {
  const environments = readList(value, 'environments');
  const inRegister = environments.reduce<number>(
    (sum, one) => sum + 1 + readList(one, 'agents').length + readList(one, 'exceptions').length,
    0,
  );
  return inRegister + readList(value, 'entries').length > MAX_ENTRIES || countExpanded(value) > MAX_VALUES;
}

function readList(value: unknown, key: string): unknown[] {
  const found = isBlock(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * How many values a plain value contains; shared ones count each time. Each object is visited once, so it is quick however
 * large the count is.
 */
function countExpanded(value: unknown, counted: Map<object, number> = new Map()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = counted.get(value);
  if (before !== undefined) return before;
  // A value that contains itself never ends.
  counted.set(value, Number.POSITIVE_INFINITY);
  const count = Object.values(value).reduce<number>((sum, one) => sum + countExpanded(one, counted), 1);
  counted.set(value, count);
  return count;
}

function isRegister(value: unknown): boolean {
  return isBlock(value) && value.schema !== SCHEMA && 'environments' in value;
}

function readRegister(value: unknown): ReadDocument | PlacedSentence[] {
  const read = registerSchema.safeParse(value);
  return read.success ? { kind: 'register', register: read.data } : toSentences(read.error.issues, []);
}

const HEAD = `Write schema: ${SCHEMA} at the top, and then entries:, as in an exported policy.`;

const headSchema = block(
  {
    schema: z.literal(SCHEMA, { error: HEAD }),
    revision: z.int({ error: 'Leave revision: out, or write the number that was exported.' }).optional(),
    entries: z.array(z.unknown(), { error: 'Write entries: as a list, where each one starts with "- ".' }),
  },
  HEAD,
);

function readPolicy(value: unknown): ReadDocument | PlacedSentence[] {
  const head = headSchema.safeParse(value);
  if (!head.success) return toSentences(head.error.issues, []);
  const problems: PlacedSentence[] = [];
  const entries = head.data.entries.flatMap((form, index) => readEntry(form, ['entries', index], problems) ?? []);
  if (problems.length === 0) findTwins(entries, problems);
  return problems.length > 0 ? problems : { kind: 'policy', revision: head.data.revision, entries };
}

/** Adds to `problems` what is wrong with it. */
function readEntry(form: unknown, path: PropertyKey[], problems: PlacedSentence[]): DocumentEntry | undefined {
  const setting = chooseSetting(form);
  if (typeof setting !== 'object') {
    const read = ENTRIES[setting].safeParse(form);
    if (read.success) return toEntry(setting, read.data);
    problems.push(...toSentences(read.error.issues, path));
  } else problems.push({ path: [...path, ...setting.path], sentence: setting.sentence });
  return undefined;
}

/** The one that the entry is about: `class` is part of what a standard is about. */
function chooseSetting(form: unknown): SettingId | PlacedSentence {
  if (!isBlock(form)) return { path: [], sentence: 'Write each entry as a block that starts with "- ".' };
  const exception = isBlock(form.exception) ? form.exception : {};
  const named = SETTINGS.filter((one) => one in form || one in exception);
  const settings = named.includes('standard') ? named.filter((one) => one !== 'class') : named;
  const [setting, second] = settings;
  if (setting === undefined) {
    return { path: [], sentence: `Write what this entry sets: one of ${SETTINGS.join(', ')}.` };
  }
  if (second === undefined) return setting;
  return { path: [second], sentence: `Write ${setting} and ${second} as two entries: each sets one thing.` };
}

function findTwins(entries: readonly DocumentEntry[], problems: PlacedSentence[]): void {
  const seen = new Set<string>();
  for (const [index, { setting, target }] of entries.entries()) {
    const key = toEntryKey(setting, target);
    if (seen.has(key))
      problems.push({ path: ['entries', index], sentence: 'This entry is there twice. Keep one of them.' });
    seen.add(key);
  }
}
