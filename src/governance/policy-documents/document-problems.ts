// Where in a file something is wrong, and what to write there.
import { type Document, isNode, type LineCounter, type YAMLError } from 'yaml';
import type { z } from 'zod';
import { REPLY_MODES, RULE_TYPES } from '../../policy/values.ts';
import { countEdits } from '../shell/typed-text.ts';

/** `line` counts from 1. `sentence` may hold words of the file: untrusted. */
export type DocumentProblem = { line: number; sentence: string };

export type Path = readonly PropertyKey[];

/** A problem before its line is known. */
export type PlacedSentence = { path: Path; sentence: string };

/** The rest appears once these are corrected. To find a line takes as long as its block. */
const MAX_PROBLEMS = 500;

/** Sorted by line; a problem of a block that aliases repeat is reported once. */
export function toProblems(
  placed: readonly PlacedSentence[],
  document: Document,
  lineCounter: LineCounter,
): DocumentProblem[] {
  const problems = placed.slice(0, MAX_PROBLEMS).map(({ path, sentence }) => {
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

/** What to write, by the key that is wrong, perhaps with its parent key. */
const HINTS: Record<string, string> = {
  schema: 'schema: 2 at the top, and then entries:, as in an exported policy',
  revision: 'the number that was exported, or leave revision: out',
  entries: 'entries: as a list, where each one starts with "- "',
  environment: 'the id of the environment, in quotes where it consists of digits',
  agent: 'the id of the agent, in quotes where it consists of digits',
  workspace: 'the id of the workspace, in quotes where it consists of digits',
  channel: 'the id of the channel, or "*" for all channels',
  currency: 'currency: and the name of the credits, for example ServiceMessages',
  standard: 'standard: { limit: …, credits: { ServiceMessages: … } }; what is left out is not governed',
  class: 'the name of a class: letters, digits, - and _, beginning with a letter',
  owners: 'owners as a list of at most 20 e-mail addresses, ids of the directory or Slack user ids',
  credits: 'credits: { allocated: 5000, rules: { Deny: on } }; what is left out is not governed',
  'limit.credits': 'credits: and a number, 0 or more, without separators',
  allocated: 'allocated: and a whole number of credits, 0 or more, without separators',
  ...Object.fromEntries(RULE_TYPES.map((rule) => [rule, `${rule}: on or off`])),
  rules: `under rules: ${RULE_TYPES.join(', ')}, each on or off`,
  limit: 'limit: none, or limit: { credits: 2000, noticeAt: 80, stopAtLimit: off }',
  noticeAt: 'noticeAt: and a percentage from 0 to 100, or noticeAt: off',
  stopAtLimit: 'stopAtLimit: on, or stopAtLimit: off',
  stop: 'stop: on, or stop: off',
  questions: 'questions: allowed, or questions: refused',
  answers: 'answers: thread, or answers: private',
  webSearch: 'webSearch: on, or webSearch: off',
  threadContext: 'threadContext: on, or threadContext: off',
  pause: 'pause: { word: … } with the message to people who ask, or with ""',
  reply: `reply: and one of ${REPLY_MODES.join(', ')}`,
  personCap: 'personCap: and a whole number of questions a day, or none',
  channelCap: 'channelCap: and a whole number of questions a day, or none',
  why: 'why: and a reason, on one line; or why: with reason:, and by: and at: as they were exported',
  at: 'at: and a time, as in 2026-11-24T18:00:00.000Z',
  exception: 'under exception: what it sets, until and why',
  until: 'until: and the last day on which it holds, as in 2026-12-31',
};

/** Sentences for every issue. If a value may have several forms, the one that was begun is probably meant. */
export function toSentences(issues: readonly z.core.$ZodIssue[], parent: Path): PlacedSentence[] {
  // A misspelt key explains the missing one, so it comes first.
  const ordered = issues.toSorted((one, other) => Number(isOfKeys(other)) - Number(isOfKeys(one)));
  return ordered.flatMap((issue) => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, MAX_PROBLEMS)
        .map((key) => ({ path: [...path, key], sentence: describeUnknownKey(key) }));
    }
    const begun = issue.code === 'invalid_union' ? issue.errors.find(isBegun) : undefined;
    return begun === undefined ? [{ path, sentence: `Write ${findHint(path)}.` }] : toSentences(begun, path);
  });
}

/** The hint of the innermost key that has one. Items of lists, names of currencies and keys of registers have none. */
function findHint(path: Path): string {
  const keys = path.filter((step) => typeof step === 'string');
  const hints = keys.map((key, index) => HINTS[`${keys[index - 1]}.${key}`] ?? HINTS[key]);
  const [last = 'schema'] = keys.slice(-1);
  return hints.findLast((hint) => hint !== undefined) ?? HINTS[last] ?? `${last}: as in the earlier release`;
}

function isOfKeys({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys';
}

function isBegun(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some((issue) => issue.path.length > 0 || isOfKeys(issue));
}

/** The offset of the deepest part of the path that exists. Missing parts, and parts of aliases, are reported there. */
function findOffset(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function describeUnknownKey(key: string): string {
  const nearest = findNearest(key, KEYS);
  const shown = JSON.stringify(key.slice(0, 60).toWellFormed());
  return `${shown} is not a key here. ${nearest === undefined ? 'Remove it.' : `Did you mean ${nearest}?`}`;
}

/** Also those of a register. */
const KEYS = [
  ...Object.keys(HINTS),
  ...[
    'defaults',
    'environments',
    'id',
    'name',
    'classification',
    'allocations',
    'unnamedAgents',
    'agents',
    'exceptions',
  ],
  ...['monthlyLimit', 'alertAt', 'stopWhenReached', 'setting', 'value', 'reason', 'approver', 'expires'],
];

/** More than two typing errors make it another word. */
const MAX_EDITS = 2;

/** What somebody probably meant; undefined if none is close. */
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
