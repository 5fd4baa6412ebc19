import { createHash } from 'node:crypto';
import { type Document, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Register } from './register.ts';
import { type RegisterProblem, toPlacedSentences, toProblems } from './register-problem.ts';
import { registerSchema } from './register-schema.ts';
import { resolveRegister } from './resolve-register.ts';

/** `hash`: SHA-256 of the text in UTF-8, in hex. It names the version of the register that was reviewed against. */
export type ReadRegister = { register: Register; hash: string } | { problems: RegisterProblem[] };

/** Many environments may share one anchored block; nests of anchors that grow without end may not. */
const MAX_ALIASES = 10_000;

/**
 * Reads the text of a register. Where anything is wrong with it there is no register at all, and `problems` has what
 * to write, line by line. Takes about a second for each megabyte: keep what it returns while the text is the same.
 */
export function readRegister(text: string): ReadRegister {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  if (document.errors.length > 0) {
    return { problems: document.errors.map((error) => toSyntaxProblem(error, lineCounter)) };
  }
  const plain = toPlain(document);
  if ('problems' in plain) return plain;
  const form = registerSchema.safeParse(plain.value);
  if (!form.success) return { problems: toProblems(toPlacedSentences(form.error.issues), document, lineCounter) };
  const { register, problems } = resolveRegister(form.data);
  if (problems.length > 0) return { problems: toProblems(problems, document, lineCounter) };
  return { register, hash: createHash('sha256').update(text, 'utf8').digest('hex') };
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
