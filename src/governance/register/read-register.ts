import { createHash } from 'node:crypto';
import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { countExpanded } from './count-expanded.ts';
import type { Register } from './register.ts';
import { type RegisterProblem, toPlacedSentences, toProblems } from './register-problem.ts';
import { registerSchema } from './register-schema.ts';
import { resolveRegister } from './resolve-register.ts';

/** `hash`: SHA-256 of the text in UTF-8, in hex. It names the version of the register that was reviewed against. */
export type ReadRegister = { register: Register; hash: string } | { problems: RegisterProblem[] };

/** Many environments may share one anchored block; nests of anchors may not grow without end: see count-expanded.ts. */
const MAX_ALIASES = 10_000;

/** Environments and agents, wherever aliases repeat them: five times the largest tenant we expect. */
const MAX_ENTRIES = 100_000;

/** All values that stand in it: about ten for each entry. */
const MAX_VALUES = 2_000_000;

/**
 * Reads the text of a register. Where anything is wrong with it there is no register at all, and `problems` has what
 * to write, line by line. Takes about a second for each megabyte: see do-aside.ts, and keep what it returns while the text
 * is the same.
 */
export function readRegister(text: string): ReadRegister {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) {
    return { problems: document.errors.map((error) => toSyntaxProblem(error, lineCounter)) };
  }
  const plain = toPlain(document);
  if ('problems' in plain) return plain;
  // Before all of it is checked: what aliases repeat is then there as often as it is repeated.
  if (countEntries(plain.value) > MAX_ENTRIES || countExpanded(plain.value) > MAX_VALUES) {
    return { problems: [{ line: 1, sentence: TOO_MANY }] };
  }
  const form = registerSchema.safeParse(plain.value);
  if (!form.success) return { problems: toProblems(toPlacedSentences(form.error.issues), document, lineCounter) };
  const { register, problems } = resolveRegister(form.data);
  if (problems.length > 0) return { problems: toProblems(problems, document, lineCounter) };
  return { register, hash: createHash('sha256').update(text, 'utf8').digest('hex') };
}

const TOO_MANY =
  'Leave some environments or agents out: with all that is repeated with *, there are more than 100,000 of them, or more is said of them than can be read.';

function countEntries(value: unknown): number {
  const environments = readList(value, 'environments');
  return environments.reduce<number>((sum, one) => sum + 1 + readList(one, 'agents').length, 0);
}

function readList(value: unknown, key: string): unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function toPlain(document: Document): { value: unknown } | { problems: RegisterProblem[] } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch {
    // The only error it throws is about aliases: https://eemeli.org/yaml/#tojs-options
    return {
      problems: [{ line: 1, sentence: 'Write out blocks that are repeated with *: there are too many of them.' }],
    };
  }
}

const SYNTAX_SENTENCES: { [code in YAMLError['code']]?: string } = {
  DUPLICATE_KEY: 'This key is there twice in one block. Keep one of the two.',
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  BAD_INDENT: 'Indent this line like its neighbours, and close what was opened before it.',
  MULTIPLE_DOCS: 'Keep everything in one document: remove the line with three dashes.',
  BAD_ALIAS: 'Write this value out: no anchor of that name stands before it.',
  NON_STRING_KEY: 'Put this key in quotes.',
};

function toSyntaxProblem({ code, pos, message }: YAMLError, lineCounter: LineCounter): RegisterProblem {
  const line = Math.max(1, lineCounter.linePos(pos[0]).line);
  return { line, sentence: SYNTAX_SENTENCES[code] ?? `Mend the YAML here: ${message}.` };
}
