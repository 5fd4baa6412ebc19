import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Config } from '../../src/config.ts';
import { SECRETS, VARIABLES } from '../../src/config-variables.ts';
import { readEnvFile, readSecretFiles } from '../../src/env-file.ts';
import { UserError } from '../../src/errors.ts';

/** A variable, or for a secret also the path of a file with it. */
export type Name = keyof typeof VARIABLES | 'AUTH_CLIENT_CERTIFICATE_FILE';

/** The configuration while it is being entered: the file `.env`, which is written after every answer. */
export type EnvDraft = {
  /** Whether the question was answered, be it with nothing. */
  isAnswered(name: Name): boolean;
  /** As it was entered; empty where it has none. Placeholders of `.env.example` are none. */
  read(name: Name): string;
  /** Writes the value into the file, which only its owner may read from then on. Empty: asked, and left out. */
  write(name: Name, value: string): void;
  /** What the app would find now, with what is in files of their own. */
  toEnvironment(): NodeJS.ProcessEnv;
  /** What the app would read now; undefined where a value is missing or wrong. */
  toConfig(): Config;
  /** What is wrong with a value, as the app would say it at its start; undefined where it can be read. */
  findProblem(name: Name, value: string): string | undefined;
};

const HEAD = `# Written by npm run setup. docs/configuration.md lists every variable; the environment takes precedence over this file.
# Only its owner may read this file: it has secrets in it.
`;

/** Throws an Error with a sentence for the person at the terminal where the file cannot be read. */
export function openEnvDraft(path: string, environment: NodeJS.ProcessEnv): EnvDraft {
  const { problems } = readEnvFile(path, Object.keys(VARIABLES));
  if (problems.length > 0) throw new UserError('env_unreadable', problems.join('\n'));
  let text = readText(path);
  const find = (name: string) => {
    const value = (environment[name] ?? parseEnv(text)[name])?.trim();
    return value !== undefined && isPlaceholder(value) ? undefined : value;
  };
  const toEnvironment = () => {
    const names = [...Object.keys(VARIABLES), ...SECRETS.map((name) => `${name}_FILE`)];
    const values = Object.fromEntries(names.map((name) => [name, find(name)]));
    return { ...values, ...readSecretFiles(values, SECRETS).values };
  };

  return {
    isAnswered: (name) => find(name) !== undefined || find(`${name}_FILE`) !== undefined,
    read: (name) => find(name) ?? '',
    write(name, value) {
      text = withLine(text, name, `${name}=${quote(name, value)}`);
      const draft = `${path}.draft`;
      writeFileSync(draft, text, { mode: 0o600 });
      // The mode above counts for a new file only.
      chmodSync(draft, 0o600);
      renameSync(draft, path);
    },
    toEnvironment,
    toConfig() {
      const all = toEnvironment();
      const entries = Object.entries(VARIABLES).map(([name, variable]) => {
        const value = all[name] || ('default' in variable ? variable.default : '');
        return [name, value === '' ? undefined : tryRead(variable.read, value).value];
      });
      return Object.fromEntries(entries) as Config;
    },
    findProblem(name, value) {
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

/** In place of the variable's line, or of the one that is commented out; else at the end. */
function withLine(text: string, name: string, line: string): string {
  const lines = text.split('\n');
  const findLine = (pattern: RegExp) => lines.findIndex((one) => pattern.test(one));
  const own = findLine(new RegExp(`^\\s*(export\\s+)?${name}\\s*=`));
  const at = own === -1 ? findLine(new RegExp(`^#\\s*${name}=`)) : own;
  if (at === -1) return `${text.replace(/\n*$/, '\n')}${line}\n`;
  return lines.with(at, line).join('\n');
}

/** So that Node reads the value as it was entered. Throws an Error for one that it cannot. */
function quote(name: string, value: string): string {
  const written = [value, `'${value}'`, `"${value}"`, `\`${value}\``].find(
    (one) => parseEnv(`X=${one}`).X === value && !(one === value && /[#\s'"`\\$]/.test(value)),
  );
  if (written === undefined)
    throw new UserError('env_quotes', `${name} has every kind of quotes in it: no file .env can hold it.`);
  return written;
}
