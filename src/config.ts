import type { ReadValue } from './config-values.ts';
import { SECRETS, VARIABLES } from './config-variables.ts';
import { describeMisspelt, readEnvFile, readSecretFiles } from './env-file.ts';
import { PermanentError } from './errors.ts';
import { trustCertificates } from './extra-certificates.ts';
import type { AdminRule } from './governance/shell/admin-rules.ts';

type Value<V> = V extends { read: ReadValue<infer T> } ? (V extends { optional: true } ? T | undefined : T) : never;

export type Config = { [Name in keyof typeof VARIABLES]: Value<(typeof VARIABLES)[Name]> };

/** One line per problem, each naming the variable, what is wrong with it, and what it should be. */
export class ConfigError extends PermanentError {
  readonly problems: string[];

  constructor(problems: string[]) {
    super('config', problems.join('\n'));
    this.problems = problems;
  }
}

const ENV_FILE = '.env';

/**
 * The configuration of this process: its environment, then the file `.env` in the working directory, if any. A variable
 * in the environment, even an empty one, overrides the file. Secrets may be in files of their own. Throws ConfigError.
 */
export function loadConfig(): Config {
  const config = readConfig(loadEnvironment());
  if (config.NODE_EXTRA_CA_CERTS) trustCertificates(config.NODE_EXTRA_CA_CERTS);
  return config;
}

/** Reads only some variables, from the same places, for scripts that need no more. Throws ConfigError. */
export function loadSome<Name extends keyof Config>(names: readonly Name[]): Pick<Config, Name> {
  const environment = loadEnvironment();
  const problems: string[] = [];
  const config = Object.fromEntries(names.map((name) => [name, readVariable(environment, name, problems)]));
  if (problems.length > 0) throw new ConfigError(problems);
  if (config.NODE_EXTRA_CA_CERTS) trustCertificates(String(config.NODE_EXTRA_CA_CERTS));
  return config as Pick<Config, Name>;
}

/** All names that are read, in every spelling. */
const NAMES = [...Object.keys(VARIABLES).flatMap(toSpellings), ...SECRETS.map((name) => `${name}_FILE`)];

/** A sentence for each environment variable that looks like a misspelt variable of the app. */
export function describeUnknown(environment = process.env): string[] {
  return describeMisspelt(environment, NAMES);
}

function loadEnvironment(): NodeJS.ProcessEnv {
  const { values, problems } = readEnvFile(ENV_FILE, NAMES);
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [name, value] of Object.entries(values)) {
    if (findSpelling(process.env, name) === undefined) process.env[name] = value;
  }
  const secrets = readSecretFiles(process.env, SECRETS);
  if (secrets.problems.length > 0) throw new ConfigError(secrets.problems);
  return { ...process.env, ...secrets.values };
}

/** Reads and checks the whole configuration. Throws ConfigError with every problem at once. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const names = Object.keys(VARIABLES) as (keyof Config)[];
  const entries = names.map((name) => [name, readVariable(environment, name, problems)]);
  const config = Object.fromEntries(entries) as Config;
  // A variable that is wrong by itself is not reported again in a combination.
  const named = problems.join('\n');
  const isNews = (problem: string) =>
    !(problem.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []).some((name) => named.includes(name));
  problems.push(...checkTogether(config).filter(isNews));
  if (problems.length > 0) throw new ConfigError([...problems, ...describeUnknown(environment)]);
  return config;
}

function readVariable(environment: NodeJS.ProcessEnv, name: keyof Config, problems: string[]): unknown {
  const variable = VARIABLES[name];
  const spelling = findSpelling(environment, name) ?? name;
  const value = environment[spelling]?.trim() || ('default' in variable ? variable.default : undefined);
  if (value === undefined && 'required' in variable) problems.push(`${name} is missing. ${variable.meaning}`);
  return value === undefined ? undefined : readValue(spelling, variable.read, value, problems);
}

/** Proxy variables are read in small letters first, as in curl. */
function toSpellings(name: string): string[] {
  return /^(HTTPS|NO)_PROXY$/i.test(name) ? [name.toLowerCase(), name.toUpperCase()] : [name];
}

/** How the environment spells the variable; undefined if it does not have it. */
function findSpelling(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  return toSpellings(name).find((spelling) => environment[spelling] !== undefined);
}

function readValue(name: string, read: ReadValue<unknown>, value: string, problems: string[]): unknown {
  try {
    if (/^<.*>$/.test(value)) throw new Error('is still the placeholder of .env.example');
    return read(value);
  } catch (error) {
    problems.push(`${name} ${error instanceof Error ? error.message : 'cannot be read'}.`);
    return undefined;
  }
}

/** Problems of several variables together. */
function checkTogether(config: Config): string[] {
  const problems: string[] = [];
  if (config.PORT && config.PORT === config.OPS_PORT) {
    problems.push('PORT and OPS_PORT are the same: /metrics needs a port of its own, or 0 for none.');
  }
  if (Boolean(config.AUTH_CLIENT_SECRET) === Boolean(config.AUTH_CLIENT_CERTIFICATE)) {
    problems.push('Set either AUTH_CLIENT_SECRET or AUTH_CLIENT_CERTIFICATE.');
  }
  if (Boolean(config.ADMIN_API_BASE_URL) !== Boolean(config.ADMIN_SCOPE)) {
    problems.push('ADMIN_API_BASE_URL and ADMIN_SCOPE belong together: set both, or neither.');
  }
  const scheduled = [config.REVIEW_CRON, config.REVIEW_CHANNEL, config.REVIEW_AS];
  if (scheduled.some(Boolean) && !scheduled.every(Boolean)) {
    problems.push('REVIEW_CRON, REVIEW_CHANNEL and REVIEW_AS belong together: set all three, or none.');
  }
  if (scheduled.every(Boolean) && !config.ADMIN_API_BASE_URL) {
    problems.push('A scheduled review needs ADMIN_API_BASE_URL.');
  }
  return [...checkSlack(config), ...problems, ...checkAdminIds(config)];
}

function checkSlack(config: Config): string[] {
  const problems: string[] = [];
  if (!config.SLACK_SIGNING_SECRET && !config.SLACK_APP_TOKEN) {
    problems.push(`SLACK_SIGNING_SECRET is missing. ${VARIABLES.SLACK_SIGNING_SECRET.meaning}`);
  }
  if (config.SLACKBOT_DOOR === 'on' && !config.SLACK_SIGNING_SECRET && config.SLACK_APP_TOKEN) {
    problems.push(
      'SLACKBOT_DOOR needs SLACK_SIGNING_SECRET, even with Socket Mode: Slackbot sends requests, which are signed.',
    );
  }
  if (config.SLACK_BOT_TOKEN && config.SLACK_ALLOWED_TEAMS?.length > 0) {
    problems.push(
      'SLACK_BOT_TOKEN is of one workspace, and SLACK_ALLOWED_TEAMS is for those that install the app: leave one of them out.',
    );
  }
  if (!config.SLACK_BOT_TOKEN && !(config.SLACK_ALLOWED_TEAMS?.length > 0)) {
    problems.push(
      'Set SLACK_BOT_TOKEN for one workspace, or SLACK_ALLOWED_TEAMS, so that workspaces can install the app.',
    );
  }
  return problems;
}

/** With several teams, a user of another team may have the same id, and would get the same rights. */
function checkAdminIds({ SLACK_ALLOWED_TEAMS: teams, ...config }: Config): string[] {
  const isAmbiguous = ({ kind, team }: AdminRule) => team === undefined && kind !== 'workspace_admins';
  const names = (['ADMIN_USERS', 'AUDIT_USERS'] as const).filter((name) => config[name]?.some(isAmbiguous));
  if (!(teams?.length > 1)) return [];
  return names.map(
    (name) =>
      `${name} has user ids or user groups without a team, and SLACK_ALLOWED_TEAMS allows several: ids are unique within a team only, so write each as T0123:U0456 or T0123:S0456.`,
  );
}
