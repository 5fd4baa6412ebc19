// Reads a file: an exported policy, or a register of an earlier release. If anything is wrong, it returns only the problems,
// each with its line.
import { type Document, isScalar, LineCounter, parseDocument, visit, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { toEntryKey } from '../../policy/target.ts';
import type { SettingId } from '../../policy/values.ts';
import {
  type DocumentProblem,
  type PlacedSentence,
  toProblems,
  toSentences,
  toSyntaxProblem,
} from './document-problems.ts';
import { type DocumentEntry, isBlock, readOnOff, SCHEMA, SETTINGS, toEntrySchema } from './document-schema.ts';
import { type Register, registerSchema } from './register.ts';

export type SoundDocument =
  /** `revision`: of the policy that was exported, if the file has it. */
  { kind: 'policy'; revision: number | undefined; entries: DocumentEntry[] } | { kind: 'register'; register: Register };

export type ReadDocument = SoundDocument | { kind: 'problems'; problems: DocumentProblem[] };

/** More would keep the app from its other work for too long. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** About twenty values for each of 25,000 entries, which is more than we expect in the largest tenant. */
const MAX_VALUES = 500_000;

/** Many entries may share one anchored block. */
const MAX_ALIASES = 10_000;

const TOO_LONG =
  'Make this file shorter: it may have 4 MB at most, and 500,000 values with all that is repeated with *.';

/** Takes about half a second per megabyte. */
export function readDocument(text: string): ReadDocument {
  if (Buffer.byteLength(text) > MAX_BYTES) return fail([{ line: 1, sentence: TOO_LONG }]);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true, uniqueKeys: false });
  const errors = [...document.errors, ...findTwinKeys(document)];
  if (errors.length > 0) return fail(errors.map((error) => toSyntaxProblem(error, lineCounter)));
  const plain = toPlain(document);
  // Checked first: validation would visit repeated blocks as often as aliases repeat them.
  if (plain === undefined || countExpanded(plain.value) > MAX_VALUES) return fail([{ line: 1, sentence: TOO_LONG }]);
  const value = readOnOff(plain.value);
  const read = isRegister(value) ? readRegister(value) : readPolicy(value);
  return Array.isArray(read) ? fail(toProblems(read, document, lineCounter)) : read;
}

/** As `uniqueKeys` of the parser, which compares each key with all others of its block: a long block takes it minutes. */
function findTwinKeys(document: Document): YAMLParseError[] {
  const twins: YAMLParseError[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) twins.push(new YAMLParseError([key.range?.[0] ?? 0, 0], 'DUPLICATE_KEY', 'twin'));
        seen.add(key.value);
      }
    },
  });
  return twins;
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

const headSchema = z.strictObject({
  schema: z.literal(SCHEMA),
  revision: z.int().optional(),
  entries: z.array(z.unknown()),
});

function readPolicy(value: unknown): ReadDocument | PlacedSentence[] {
  const head = headSchema.safeParse(value);
  if (!head.success) return toSentences(head.error.issues, []);
  const { revision, entries: forms } = head.data;
  const read = forms.map((form, index) => readEntry(form, ['entries', index]));
  const problems = read.flatMap((one) => ('setting' in one ? [] : one));
  const entries = read.flatMap((one) => ('setting' in one ? [one] : []));
  const wrong = problems.length > 0 ? problems : findTwins(entries);
  return wrong.length > 0 ? wrong : { kind: 'policy', revision, entries };
}

const SCHEMAS = new Map(SETTINGS.map((setting) => [setting, toEntrySchema(setting)]));

function readEntry(form: unknown, path: PropertyKey[]): DocumentEntry | PlacedSentence[] {
  const setting = chooseSetting(form);
  if (typeof setting === 'object') return [{ path: [...path, ...setting.path], sentence: setting.sentence }];
  const read = SCHEMAS.get(setting)?.safeParse(form);
  return read?.data ?? toSentences(read?.error?.issues ?? [], path);
}

/** The setting of the entry. In a standard, `class` is the target. */
function chooseSetting(form: unknown): SettingId | PlacedSentence {
  if (!isBlock(form)) return { path: [], sentence: 'Write each entry as a block that starts with "- ".' };
  const exception = isBlock(form.exception) ? form.exception : {};
  const named = SETTINGS.filter((one) => one in form || one in exception);
  const [setting, second] = named.includes('standard') ? named.filter((one) => one !== 'class') : named;
  if (setting === undefined) {
    return { path: [], sentence: `Write what this entry sets: one of ${SETTINGS.join(', ')}.` };
  }
  if (second === undefined) return setting;
  return { path: [second], sentence: `Write ${setting} and ${second} as two entries: each sets one thing.` };
}

function findTwins(entries: readonly DocumentEntry[]): PlacedSentence[] {
  const keys = entries.map(({ setting, target }) => toEntryKey(setting, target));
  const seen = new Set<string>();
  return keys.flatMap((key, index) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: ['entries', index], sentence: 'This entry is there twice. Keep one of them.' }];
  });
}
