import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { systemCode } from './errors.ts';
import { countEdits } from './governance/shell/typed-text.ts';

export type EnvFile = {
  values: NodeJS.Dict<string>;
  /** A line for each value that cannot be read, or that Node would read differently from how it is written. */
  problems: string[];
};

/**
 * Reads a file of `NAME=value` lines as Node does: https://nodejs.org/api/environment_variables.html#dotenv. A missing
 * file has no values. `names`: the variables that are checked for mistakes, because Node reports none.
 */
export function readEnvFile(path: string, names: readonly string[]): EnvFile {
  const text = readText(path);
  if (typeof text !== 'string') return { values: {}, problems: text ? [text.problem] : [] };
  const values = parseEnv(text);
  const problems = text.split(/\r?\n/).flatMap((line, index) => {
    const problem = findProblem(line, values, names);
    return problem ? [{ ...problem, sentence: `${path} line ${index + 1}: ${problem.sentence}` }] : [];
  });
  // Lines swallowed by an unclosed quote are not reported themselves.
  const own = problems.some(({ isOpenQuote }) => isOpenQuote)
    ? problems.filter(({ isTakenIn }) => !isTakenIn)
    : problems;
  return { values, problems: own.map(({ sentence }) => sentence) };
}

/**
 * The values of secrets that are in files, as Docker and Kubernetes mount them: `NAME_FILE` is the path of the file with
 * the value of NAME. White space around a value does not count. Problems never show a value or a path, because somebody
 * may have pasted the secret itself.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv, names: readonly string[]): EnvFile {
  const values: NodeJS.Dict<string> = {};
  const problems: string[] = [];
  for (const name of names) {
    const path = environment[`${name}_FILE`]?.trim();
    if (!path) continue;
    const problem = environment[name]?.trim() ? `${name} and ${name}_FILE are both set: leave one of them out.` : '';
    const value = problem ? '' : readSecret(path);
    if (problem) problems.push(problem);
    else if (value instanceof Error) problems.push(`${name}_FILE ${value.message}`);
    else values[name] = value;
  }
  return { values, problems };
}

function readSecret(path: string): string | Error {
  try {
    return readFileSync(path, 'utf8').trim() || new Error('is the path of an empty file. Write the value into it.');
  } catch (error) {
    return new Error(
      `cannot be read (${systemCode(error) ?? 'unknown reason'}). It has to be the path of a file that this process may read.`,
    );
  }
}

function readText(path: string): string | { problem: string } | undefined {
  try {
    // Node would read a byte order mark as part of the first name.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = systemCode(error) ?? 'unknown reason';
    if (code === 'ENOENT') return undefined;
    return { problem: `${path} cannot be read (${code}). Make it a file that this process may read, or remove it.` };
  }
}

/**
 * A sentence for each variable that nobody reads and that resembles one of `names` that is not set: nothing else says
 * that it has no effect.
 */
export function describeMisspelt(environment: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  // Some are read in small letters, too.
  const set = new Set(names.filter((name) => environment[name] !== undefined).map((name) => name.toUpperCase()));
  const missing = names.filter((name) => !set.has(name.toUpperCase()));
  return Object.keys(environment).flatMap((name) => {
    // Other programs set many short words.
    if (names.includes(name) || !name.includes('_')) return [];
    const near = missing
      .map((candidate) => ({ candidate, edits: countEdits(name.toUpperCase(), candidate) }))
      .filter(({ candidate, edits }) => edits <= (candidate.length < LONG_NAME ? 1 : 2));
    const [nearest] = near.sort((one, other) => one.edits - other.edits);
    if (!nearest) return [];
    return [`${name} is not a variable of the app, and has no effect. If you meant ${nearest.candidate}, rename it.`];
  });
}

/** Longer names may have two wrong letters. */
const LONG_NAME = 11;

type Problem = { sentence: string; isOpenQuote?: boolean; isTakenIn?: boolean };

const QUOTE = 'Put the value in single quotes.';

/** Never shows a value: most values with such characters are secrets. */
function findProblem(line: string, values: NodeJS.Dict<string>, names: readonly string[]): Problem | undefined {
  const [, name = '', written = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (!names.includes(name)) return undefined;
  const read = values[name];
  if (read === undefined) {
    return { sentence: `${name} is not read: a quote in an earlier line is not closed.`, isTakenIn: true };
  }
  const quote = /^['"`]/.exec(written)?.[0];
  if (!quote) return isCutOff(written) ? { sentence: `${name} is cut off at the #. ${CUT_OFF}` } : undefined;
  const end = written.indexOf(quote, 1);
  if (end === -1) {
    const isClosed = !read.startsWith(quote) && (!read.includes('\n') || PEM.test(read));
    if (isClosed) return undefined;
    return { sentence: `${name} has a quote that is not closed. Put the same quote at its end.`, isOpenQuote: true };
  }
  if (read.includes('\n') && !PEM.test(read)) {
    return { sentence: `${name} has a \\n, which is a line break in double quotes. ${QUOTE}` };
  }
  const rest = written.slice(end + 1).trim();
  if (rest === '' || rest.startsWith('#')) return undefined;
  return { sentence: `${name} is cut off at the second ${quote}. Put the value in another kind of quotes: ' " or \`.` };
}

/** The only values with several lines. */
const PEM = /^\s*-----BEGIN [\s\S]*-----END [^\n]*-----\s*$/;

const CUT_OFF = `${QUOTE} A comment has a space on both sides of its #.`;

/** Node cuts an unquoted value off at its first #. */
function isCutOff(written: string): boolean {
  const [, before = '', after = ''] = /^([^#]*)#(.*)$/.exec(written) ?? [];
  return /\S$/.test(before) || /^[^\s#]/.test(after);
}
