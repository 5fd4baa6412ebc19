// Where in the file something is wrong, and what to write there.
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import type { z } from 'zod';

/** `line` counts from 1. */
export type RegisterProblem = { line: number; sentence: string };

export type Path = readonly PropertyKey[];

/** A problem before its line is known. */
export type PlacedSentence = { path: Path; sentence: string };

/** Sorted by line; a problem of a block that aliases repeat is reported once. */
export function toProblems(
  placed: readonly PlacedSentence[],
  document: Document,
  lineCounter: LineCounter,
): RegisterProblem[] {
  const problems = placed.map(({ path, sentence }) => {
    return { line: Math.max(1, lineCounter.linePos(findOffset(document, path)).line), sentence };
  });
  const distinct = new Map(problems.map((problem) => [`${problem.line} ${problem.sentence}`, problem]));
  return [...distinct.values()].sort((one, other) => one.line - other.line);
}

/** Every issue as sentences. Of the forms that a value may have, the one that was begun is taken to be meant. */
export function toPlacedSentences(issues: readonly z.core.$ZodIssue[], parent: Path = []): PlacedSentence[] {
  // A misspelt key explains the missing one, so it comes first.
  const ordered = issues.toSorted((one, other) => Number(isOfKeys(other)) - Number(isOfKeys(one)));
  return ordered.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const sentences = issue.message.split('\n');
      return issue.keys.map((key, index) => ({ path: [...path, key], sentence: sentences[index] ?? issue.message }));
    }
    const begun = issue.code === 'invalid_union' ? issue.errors.find(isBegun) : undefined;
    return begun === undefined ? [{ path, sentence: issue.message }] : toPlacedSentences(begun, path);
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

/**
 * How many values a plain value contains; shared ones count each time. Each object is visited once, so it is quick however
 * large the count is.
 */
export function countExpanded(value: unknown, counted: Map<object, number> = new Map()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = counted.get(value);
  if (before !== undefined) return before;
  // A value that contains itself never ends.
  counted.set(value, Number.POSITIVE_INFINITY);
  const count = Object.values(value).reduce<number>((sum, one) => sum + countExpanded(one, counted), 1);
  counted.set(value, count);
  return count;
}
