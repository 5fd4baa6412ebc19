// Where in a file something is wrong, and what to write there.
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type YAMLError } from 'yaml';
import type { z } from 'zod';
import { countEdits } from '../shell/typed-text.ts';

/** `line` counts from 1. `sentence` may hold words of the file: untrusted. */
export type DocumentProblem = { line: number; sentence: string };

export type Path = readonly PropertyKey[];

/** A problem before its line is known. */
export type PlacedSentence = { path: Path; sentence: string };

/** Sorted by line; a problem of a block that aliases repeat is reported once. */
export function toProblems(
  placed: readonly PlacedSentence[],
  document: Document,
  lineCounter: LineCounter,
): DocumentProblem[] {
  const problems = placed.map(({ path, sentence }) => {
    return { line: Math.max(1, lineCounter.linePos(findOffset(document, path)).line), sentence };
  });
  const distinct = new Map(problems.map((problem) => [`${problem.line} ${problem.sentence}`, problem]));
  return [...distinct.values()].sort((one, other) => one.line - other.line);
}

const SYNTAX: { [code in YAMLError['code']]?: string } = {
  DUPLICATE_KEY: 'This key is there twice in one block. Keep one of the two.',
  TAB_AS_INDENT: 'Indent with spaces instead of tabs.',
  BAD_INDENT: 'Indent this line like its neighbours, and close what was opened before it.',
  MULTIPLE_DOCS: 'Keep everything in one document: remove the line with three dashes.',
  BAD_ALIAS: 'Write this value out: no anchor of that name stands before it.',
  NON_STRING_KEY: 'Put this key in quotes.',
};

export function toSyntaxProblem({ code, pos, message }: YAMLError, lineCounter: LineCounter): DocumentProblem {
  const line = Math.max(1, lineCounter.linePos(pos[0]).line);
  return { line, sentence: SYNTAX[code] ?? `Mend the YAML here: ${message}.` };
}

/** Every issue as sentences. Of the forms that a value may have, the one that was begun is taken to be meant. */
export function toSentences(issues: readonly z.core.$ZodIssue[], parent: Path): PlacedSentence[] {
  // A misspelt key explains the missing one, so it comes first.
  const ordered = issues.toSorted((one, other) => Number(isOfKeys(other)) - Number(isOfKeys(one)));
  return ordered.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const sentences = issue.message.split('\n');
      return issue.keys.map((key, index) => ({ path: [...path, key], sentence: sentences[index] ?? issue.message }));
    }
    const begun = issue.code === 'invalid_union' ? issue.errors.find(isBegun) : undefined;
    return begun === undefined ? [{ path, sentence: issue.message }] : toSentences(begun, path);
  });
}

function isOfKeys({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function isBegun(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some((issue) => issue.path.length > 0 || isOfKeys(issue));
}

/** The offset of the deepest part of the path that exists: what is missing is reported there. */
function findOffset(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = readOffset(node) ?? 0;
  for (const step of path) {
    const found = readStep(document, node, step);
    if (found === undefined) break;
    node = found.node;
    offset = readOffset(found.place) ?? offset;
  }
  return offset;
}

function readStep(document: Document, node: unknown, step: PropertyKey): { node: unknown; place: unknown } | undefined {
  const parent = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(parent)) {
    const item = parent.items[Number(step)];
    return item === undefined ? undefined : { node: item, place: item };
  }
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
  return pair && { node: pair.value, place: pair.key };
}

function readOffset(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

export function describeUnknownKey(key: string, keys: readonly string[]): string {
  const nearest = findNearest(key, keys);
  const shown = JSON.stringify(key.slice(0, 60).toWellFormed());
  if (nearest !== undefined) return `${shown} is not a key here. Did you mean ${nearest}?`;
  return `${shown} is not a key here. Remove it, or write one of: ${keys.join(', ')}.`;
}

/** More than two typing errors make it another word. */
const MAX_EDITS = 2;

/** What somebody probably meant; undefined where none is close. */
function findNearest(written: string, known: readonly string[]): string | undefined {
  // A longer text is no typing error, and would be slow to compare.
  const word = written.toLowerCase().slice(0, 40);
  const rated = known.map((one) => ({ one, edits: measure(word, one.toLowerCase()) }));
  const [nearest] = rated.sort((one, other) => one.edits - other.edits);
  return nearest && nearest.edits <= MAX_EDITS ? nearest.one : undefined;
}

/** A part of a key, or a key with something added, counts as one typing error: `limit` for `monthlyLimit`. */
function measure(word: string, key: string): number {
  const isPart = word.length > 2 && (key.includes(word) || word.includes(key));
  return Math.min(isPart ? 1 : Number.POSITIVE_INFINITY, countEdits(word, key));
}
