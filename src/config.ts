import {
  address,
  botToken,
  cronPattern,
  hosts,
  issuer,
  oneOf,
  pem,
  type ReadValue,
  redisAddress,
  signingSecret,
  teamIds,
  teamPlace,
  text,
  timeZone,
  wholeNumber,
  word,
} from './config-values.ts';
import { readEnvFile } from './env-file.ts';
import { PermanentError } from './errors.ts';
import { type AdminRule, parseAdminRules } from './governance/shell/admin-rules.ts';
import { type EncryptionKey, parseEncryptionKeys } from './identity/token-vault.ts';

type Variable<T> = { meaning: string; read: ReadValue<T> };

function required<T>(meaning: string, read: ReadValue<T>): Variable<T> & { required: true } {
  return { meaning, read, required: true };
}

function optional<T>(meaning: string, read: ReadValue<T>): Variable<T> & { optional: true } {
  return { meaning, read, optional: true };
}

function preset<T>(value: string, meaning: string, read: ReadValue<T>): Variable<T> & { default: string } {
  return { meaning, read, default: value };
}

function adminRules(value: string): AdminRule[] {
  const { rules, problems } = parseAdminRules(value);
  if (problems.length > 0) throw new Error(`has entries that cannot be read: ${problems.join('; ')}`);
  return rules;
}

/** Its errors are whole sentences, which name the variable themselves. */
function encryptionKeys(value: string): EncryptionKey[] {
  try {
    return parseEncryptionKeys(value);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message.replace(/^ENCRYPTION_KEYS |\.$/g, '') : 'cannot be read');
  }
}

/** All environment variables. The table in docs/configuration.md is generated from this. */
export const VARIABLES = {
  SLACK_SIGNING_SECRET: required(
    'Proves that a request comes from Slack. Basic Information → App Credentials → Signing Secret.',
    signingSecret,
  ),
  SLACK_BOT_TOKEN: optional(
    '`xoxb-…`, of the one workspace the app is installed in. OAuth & Permissions → Bot User OAuth Token. Without it workspaces install the app at `/slack/install`.',
    botToken,
  ),
  SLACK_CLIENT_ID: optional(
    'Together with the secret: people prove who they are with Sign in with Slack; without it, they type a code into Slack. Also needed where workspaces install the app themselves.',
    text,
  ),
  SLACK_CLIENT_SECRET: optional('Goes with `SLACK_CLIENT_ID`.', text),
  SLACK_ALLOWED_TEAMS: preset(
    '',
    'The team or enterprise ids that may install the app, separated by commas. Required without `SLACK_BOT_TOKEN`.',
    teamIds,
  ),
  SLACK_BUDGETS: preset(
    'documented',
    '`documented` keeps to the rate limits that Slack documents; `off` is for load tests against a stand-in, and also lifts the limits on what one administrator may do per minute.',
    oneOf('documented', 'off'),
  ),
  SLACK_HISTORY_LIMIT: preset(
    'internal',
    'How often Slack lets the app read messages back. `internal`: 50 times a minute, for an app of your own or from the Slack Marketplace. `distributed`: once a minute, 15 messages at a time, for an app that is sold outside the Marketplace.',
    oneOf('internal', 'distributed'),
  ),
  SLACK_API_URL: preset(
    'https://slack.com/api/',
    'The address of the Slack Web API. Tests point it to a stand-in.',
    address,
  ),
  PORT: preset('3000', 'The port that Slack and browsers reach.', wholeNumber(0, 65_535)),
  PUBLIC_URL: required('The address at which browsers and Slack reach `PORT`.', address),
  OPS_PORT: preset('9464', 'The port of `/metrics`, which must not be public; 0 turns it off.', wholeNumber(0, 65_535)),
  REDIS_URL: optional(
    '`redis://…` or `rediss://…`: keeps everything in Redis, for any number of replicas. Without it, one process keeps everything in SQLite.',
    redisAddress,
  ),
  LEASE_SECONDS: preset(
    '10',
    'With Redis: how many seconds a replica may be silent before the others take over its work.',
    wholeNumber(1, 300),
  ),
  SQLITE_PATH: preset('./data/bridge.db', 'The database file, on a local disk.', text),
  ENCRYPTION_KEYS: required(
    'Encrypts people’s tokens: `id:base64` of 32 bytes, several separated by commas. The first encrypts, all decrypt.',
    encryptionKeys,
  ),
  ASSISTANT_BASE_URL: required('`{base_url}` of the assistant service.', address),
  ASSISTANT_SCOPE: required('The scope of its interface, such as `api://…/Agent.Ask`.', text),
  ASSISTANT_STAGE: preset('production', '`production` or `beta`.', oneOf('production', 'beta')),
  ASSISTANT_STREAMING: preset(
    'auto',
    '`auto` uses the streaming operation where the service offers it, which is safer for long answers; `off` does not.',
    oneOf('auto', 'off'),
  ),
  ASSISTANT_STREAM_SEGMENT: preset(
    'chatoverstream',
    'How the service spells the last part of the stream’s path.',
    word,
  ),
  ASSISTANT_FILE_HOSTS: preset(
    '',
    'Hosts of the document libraries, separated by commas: links to them are passed on as files. `.example.com` means all of its subdomains.',
    hosts,
  ),
  DEFAULT_TIME_ZONE: preset('UTC', 'For people whose Slack profile has no time zone.', timeZone),
  AUTH_URL: required('`{auth_url}` of the identity provider.', address),
  AUTH_TENANT_ID: required('The tenant in its paths.', text),
  AUTH_CLIENT_ID: required('The app registration there.', text),
  AUTH_CLIENT_SECRET: optional('Its secret. Set either this or the certificate.', text),
  AUTH_CLIENT_CERTIFICATE: optional('Private key and certificate in PEM, instead of a secret.', pem),
  AUTH_ISSUER: optional('The issuer in its id tokens, if it is not `{AUTH_URL}/{AUTH_TENANT_ID}/v2.0`.', issuer),
  ADMIN_API_BASE_URL: optional('`{admin_api_base_url}`. Without it `/assistant-admin` is off.', address),
  ADMIN_SCOPE: optional('The scope of the administrative interface.', text),
  ADMIN_API_VERSION: preset('2024-10-01', 'Sent as `api-version`.', word),
  ADMIN_RESOURCE_PREFIX: preset(
    'vendor',
    'The maker’s name in resource types, as in `vendor.agentstudio/agents`.',
    word,
  ),
  ADMIN_TABLE_NAME: preset('PlatformResources', 'The table that the inventory query names.', word),
  ADMIN_CURRENCY: preset('ServiceMessages', 'The credit currency of agent messages.', word),
  ADMIN_AGENT_ID_PROPERTY: optional(
    '`botId` if agents in the inventory have this property and limits are set by it; otherwise limits are set by the agent’s name.',
    oneOf('botId'),
  ),
  ADMIN_USERS: preset(
    '',
    'Who may use `/assistant-admin`: user ids, user group ids or `workspace-admins`, separated by commas, each optionally as `team:…`.',
    adminRules,
  ),
  GOVERNANCE_REGISTER: optional(
    'The file (YAML) that says what is approved for each environment and agent. Without it there is nothing to review.',
    text,
  ),
  REQUIRE_SECOND_APPROVER: preset(
    'no',
    '`yes`: a second admin has to approve what allows more than before: more credits, a higher limit, a looser rule, accepting looser drift, classifying an environment, approving a limit.',
    oneOf('no', 'yes'),
  ),
  REVIEW_CRON: optional(
    'When the scheduled review runs, such as `0 7 * * 1-5`, in `DEFAULT_TIME_ZONE`. Needs `GOVERNANCE_REGISTER`.',
    cronPattern,
  ),
  REVIEW_CHANNEL: optional('`team:channel` (such as `T0123:C0456`), where the scheduled review is posted.', teamPlace),
  REVIEW_AS: optional(
    '`team:user` (such as `T0123:U0456`): the admin whose sign-in and permissions the scheduled review uses.',
    teamPlace,
  ),
  CHANNEL_ANSWERS: preset(
    'thread',
    'What the sign-in page suggests for answers to questions in channels: `thread` or `private`.',
    oneOf('thread', 'private'),
  ),
  DRAIN_SECONDS: preset('50', 'How long a stop waits for running questions, in seconds.', wholeNumber(0, 600)),
  LOG_LEVEL: preset(
    'info',
    'From `trace` to `fatal`, or `silent`.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} as const;

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
 * in the environment, even an empty one, overrides the file. Throws ConfigError.
 */
export function loadConfig(): Config {
  const { values, problems } = readEnvFile(ENV_FILE, Object.keys(VARIABLES));
  if (problems.length > 0) throw new ConfigError(problems);
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
  return readConfig(process.env);
}

/** Reads and checks the whole configuration. Throws ConfigError with every problem at once. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    const value = environment[name]?.trim() || ('default' in variable ? variable.default : undefined);
    if (value === undefined && 'required' in variable) problems.push(`${name} is missing. ${variable.meaning}`);
    return [name, value === undefined ? undefined : readValue(name, variable.read, value, problems)];
  });
  const config = Object.fromEntries(entries) as Config;
  // A variable that is wrong by itself is not reported again in a combination.
  const named = problems.join('\n');
  const isNews = (problem: string) =>
    !(problem.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []).some((name) => named.includes(name));
  problems.push(...checkTogether(config).filter(isNews));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
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
  if (Boolean(config.SLACK_CLIENT_ID) !== Boolean(config.SLACK_CLIENT_SECRET)) {
    problems.push('SLACK_CLIENT_ID and SLACK_CLIENT_SECRET belong together: set both, or neither.');
  }
  if (config.SLACK_BOT_TOKEN && config.SLACK_ALLOWED_TEAMS?.length > 0) {
    problems.push(
      'SLACK_BOT_TOKEN is of one workspace, and SLACK_ALLOWED_TEAMS is for those that install the app: leave one of them out.',
    );
  }
  if (!config.SLACK_BOT_TOKEN && !(config.SLACK_CLIENT_ID && config.SLACK_ALLOWED_TEAMS?.length > 0)) {
    problems.push(
      'Set SLACK_BOT_TOKEN for one workspace; or SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_ALLOWED_TEAMS, so that workspaces can install the app.',
    );
  }
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
  if (scheduled.every(Boolean) && !(config.GOVERNANCE_REGISTER && config.ADMIN_API_BASE_URL)) {
    problems.push('A scheduled review needs GOVERNANCE_REGISTER and ADMIN_API_BASE_URL.');
  }
  return problems;
}
