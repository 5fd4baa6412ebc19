import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Config } from '../../src/config.ts';
import { SECRETS, VARIABLES } from '../../src/config-variables.ts';
import { readEnvFile, readSecretFiles } from '../../src/env-file.ts';
import { UserError } from '../../src/errors.ts';

/** A variable, or for a secret also the path of a file with it. */
export type Name = keyof typeof VARIABLES | 'AUTH_CLIENT_CERTIFICATE_FILE';

/** The configuration while it is being entered: the file `.env`, which is written after every answer. */
export type EnvDraft = ReturnType<typeof openEnvDraft>;

const HEAD = `# Written by npm run setup. docs/configuration.md lists every variable; the environment takes precedence over this file.
# Only its owner may read this file: it has secrets in it.
`;

/** Throws an Error with a sentence for the person at the terminal if the file cannot be read. */
export function openEnvDraft(path: string, environment: NodeJS.ProcessEnv) {
  const { problems } = readEnvFile(path, Object.keys(VARIABLES));
  if (problems.length > 0) throw new UserError('env_unreadable', problems.join('\n'));
  let text = readText(path);
  const find = (name: string) => {
    const value = (environment[name] ?? parseEnv(text)[name])?.trim();
    return value !== undefined && isPlaceholder(value) ? undefined : value;
  };
  /** The environment that the app would see now, with the values of secret files. */
  const toEnvironment = (): NodeJS.ProcessEnv => {
    const names = [...Object.keys(VARIABLES), ...SECRETS.map((name) => `${name}_FILE`)];
    const values = Object.fromEntries(names.map((name) => [name, find(name)]));
    return { ...values, ...readSecretFiles(values, SECRETS).values };
  };

  return {
    /** Whether the question was answered, even with nothing. */
    isAnswered: (name: Name) => find(name) !== undefined || find(`${name}_FILE`) !== undefined,
    /** The value as it was entered; empty if there is none. Placeholders of `.env.example` do not count. */
    read: (name: Name) => find(name) ?? '',
    /** Writes the value into the file, and lets only its owner read the file. Empty: the person left it out. */
    write(name: Name, value: string): void {
      text = withLine(text, name, `${name}=${quote(name, value)}`);
      const draft = `${path}.draft`;
      writeFileSync(draft, text, { mode: 0o600 });
      // The mode above only applies to a new file.
      chmodSync(draft, 0o600);
      renameSync(draft, path);
    },
    toEnvironment,
    /** The configuration that the app would read now. Missing and wrong values are undefined. */
    toConfig(): Config {
      const all = toEnvironment();
      const entries = Object.entries(VARIABLES).map(([name, variable]) => {
        const value = all[name] || ('default' in variable ? variable.default : '');
        return [name, value === '' ? undefined : tryRead(variable.read, value).value];
      });
      return Object.fromEntries(entries) as Config;
    },
    /** What is wrong with a value, in the app's own words; undefined if nothing is. */
    findProblem(name: Name, value: string): string | undefined {
      if (name === 'AUTH_CLIENT_CERTIFICATE_FILE') return readSecretFiles({ [name]: value }, SECRETS).problems[0];
      const { problem } = tryRead(VARIABLES[name].read, value);
      return problem === undefined ? undefined : `${name} ${problem}.`;
    },
  };
}

function tryRead(read: (value: string) => unknown, value: string): { value?: unknown; problem?: string } {
  try {
    return { value: read(value) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'cannot be read' };
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return HEAD;
  }
}

function isPlaceholder(value: string): boolean {
  return /^<.*>$/.test(value);
}

/** Replaces the variable's line, or the one that is commented out; else adds the line at the end. */
function withLine(text: string, name: string, line: string): string {
  const lines = text.split('\n');
  const findLine = (pattern: RegExp) => lines.findIndex((one) => pattern.test(one));
  const own = findLine(new RegExp(`^\\s*(export\\s+)?${name}\\s*=`));
  const at = own === -1 ? findLine(new RegExp(`^#\\s*${name}=`)) : own;
  if (at === -1) return `${text.replace(/\n*$/, '\n')}${line}\n`;
  return lines.with(at, line).join('\n');
}

/** Quotes a value so that Node reads it as it was entered. Throws an Error if that is not possible. */
function quote(name: string, value: string): string {
  const written = [value, `'${value}'`, `"${value}"`, `\`${value}\``].find(
    (one) => parseEnv(`X=${one}`).X === value && !(one === value && /[#\s'"`\\$]/.test(value)),
  );
  if (written === undefined)
    throw new UserError('env_quotes', `${name} has every kind of quotes in it: no file .env can hold it.`);
  return written;
}
