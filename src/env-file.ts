import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { systemCode } from './errors.ts';
import { countEdits } from './governance/shell/typed-text.ts';

export type EnvFile = {
  values: NodeJS.Dict<string>;
  /** A line for each value that cannot be read, or that Node would not read as it is written. */
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
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, name = '', written = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    // An open quote includes the following lines: report only the first.
    const isTakenIn = values[name] === undefined && problems.length > 0;
    if (!names.includes(name) || isTakenIn || isReadAsWritten(written, values[name])) continue;
    problems.push(`${path} line ${index + 1}: ${name} ${NOT_AS_WRITTEN}`);
  }
  return { values, problems };
}

/** Never shows a value: most values with such characters are secrets. */
const NOT_AS_WRITTEN =
  'is not read as it is written, because of a #, a quote or a \\n in it or before it. Put the value in single quotes, or in another kind of quotes if it contains those, and close them. A comment has a space on both sides of its #.';

/** Node cuts an unquoted value off at its first #, and a quoted one at the second quote. */
function isReadAsWritten(written: string, read: string | undefined): boolean {
  if (read === undefined) return false;
  const [, quote, quoted, rest = ''] = /^(['"`])(.*?)\1(.*)$/.exec(written) ?? [];
  if (quote) return (read === quoted || PEM.test(read)) && /^\s*(#.*)?$/.test(rest);
  // The first of several lines.
  if (/^['"`]/.test(written)) return PEM.test(read);
  const [, before = '', after = ''] = /^([^#]*)#(.*)$/.exec(written) ?? [];
  return !/\S$/.test(before) && !/^[^\s#]/.test(after);
}

/** The only values with several lines. */
const PEM = /^\s*-----BEGIN [\s\S]*-----END [^\n]*-----\s*$/;

/**
 * Reads secrets from files, as Docker and Kubernetes mount them: `NAME_FILE` is the path of the file with the value of
 * NAME. White space around a value is removed. Problems never show a value or a path, because somebody may have pasted
 * the secret itself.
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
 * A sentence for each unknown variable that resembles one of `names` that is not set. Otherwise nobody would notice
 * that it has no effect.
 */
export function describeMisspelt(environment: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  // Some variables are read in small letters, too.
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
