import { parseAuditKeys } from './audit/audit-key.ts';
import {
  accessToken,
  address,
  appToken,
  botToken,
  cronPattern,
  hosts,
  issuer,
  oneOf,
  ownAddress,
  pem,
  percentLevels,
  proxyAddress,
  type ReadValue,
  redisAddress,
  signingSecret,
  siteAddress,
  teamIds,
  teamPlace,
  text,
  timeZone,
  wholeNumber,
  word,
} from './config-values.ts';
import { certificateFile } from './extra-certificates.ts';
import { type AdminRule, parseAdminRules } from './governance/shell/admin-rules.ts';
import { type EncryptionKey, parseEncryptionKeys } from './identity/encryption-keys.ts';
import { LANGUAGES } from './languages/language.ts';

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

/** The value may be in a file instead, whose path is in the variable `…_FILE`. */
function secret<V extends Variable<unknown>>(variable: V): V & { isSecret: true } {
  return { ...variable, isSecret: true };
}

function adminRules(value: string): AdminRule[] {
  const { rules, problems } = parseAdminRules(value);
  if (problems.length > 0) throw new Error(`has entries that cannot be read: ${problems.join('; ')}`);
  return rules;
}

/** Errors of parseEncryptionKeys are whole sentences that name the variable: this removes the name. */
function encryptionKeys(value: string): EncryptionKey[] {
  try {
    return parseEncryptionKeys(value);
  } catch (error) {
    throw new Error(error instanceof Error ? error.message.replace(/^ENCRYPTION_KEYS |\.$/g, '') : 'cannot be read');
  }
}

/** All environment variables. The table in docs/configuration.md is generated from this. */
export const VARIABLES = {
  SLACK_SIGNING_SECRET: secret(
    optional(
      'Proves that a request comes from Slack. Basic Information → App Credentials → Signing Secret. Required without `SLACK_APP_TOKEN`.',
      signingSecret,
    ),
  ),
  SLACK_APP_TOKEN: secret(
    optional(
      '`xapp-…` with the scope `connections:write`: the app uses Socket Mode. Basic Information → App-Level Tokens.',
      appToken,
    ),
  ),
  SLACK_BOT_TOKEN: secret(
    optional(
      '`xoxb-…`, of the one workspace the app is installed in. OAuth & Permissions → Bot User OAuth Token. Without it workspaces install the app at `/slack/install`.',
      botToken,
    ),
  ),
  SLACK_CLIENT_ID: required(
    'People sign in to Slack with it, and workspaces install the app. Basic Information → App Credentials → Client ID.',
    text,
  ),
  SLACK_CLIENT_SECRET: secret(required('Basic Information → App Credentials → Client Secret.', text)),
  SLACK_ALLOWED_TEAMS: preset(
    '',
    'The team or enterprise ids that may install the app, separated by commas. Required without `SLACK_BOT_TOKEN`.',
    teamIds,
  ),
  SLACKBOT_DOOR: preset(
    'off',
    '`on`: Slackbot, Slack’s own assistant, may ask for people, and reads the answers. Needs `SLACK_SIGNING_SECRET` and a manifest printed with `--slackbot`.',
    oneOf('off', 'on'),
  ),
  SLACK_BUDGETS: preset(
    'documented',
    '`documented` keeps to the rate limits that Slack documents; `off`, for load tests against a stand-in, also lifts those of administrators.',
    oneOf('documented', 'off'),
  ),
  SLACK_API_URL: preset(
    'https://slack.com/api/',
    'The address of the Slack Web API. Tests point it to a stand-in.',
    address,
  ),
  PORT: preset('3000', 'The port that Slack and browsers reach.', wholeNumber(0, 65_535)),
  HOST: preset('*', 'The IP address that `PORT` listens on; `*`: all of this machine.', ownAddress),
  PUBLIC_URL: required(
    'The address at which browsers reach `PORT`, and Slack unless the app uses Socket Mode: a host name of its own, without a path.',
    siteAddress,
  ),
  OPS_PORT: preset('9464', 'The port of `/metrics`, which must not be public; 0 turns it off.', wholeNumber(0, 65_535)),
  OPS_HOST: preset(
    '127.0.0.1',
    'The IP address that `OPS_PORT` listens on; `*`: all of this machine. The image, Compose and Kubernetes set `*`.',
    ownAddress,
  ),
  REDIS_URL: secret(
    optional(
      '`redis://…` or `rediss://…`: keeps everything in Redis, for any number of replicas. Without it, one process keeps everything in SQLite.',
      redisAddress,
    ),
  ),
  LEASE_SECONDS: preset(
    '10',
    'With Redis: how many seconds a replica may be silent before the others take over its work.',
    wholeNumber(1, 300),
  ),
  SQLITE_PATH: preset('./data/bridge.db', 'The database file, on a local disk.', text),
  ENCRYPTION_KEYS: secret(
    required(
      'Encrypts people’s tokens, questions and answers: `id:base64` of 32 bytes, several separated by commas. The first encrypts, all decrypt.',
      encryptionKeys,
    ),
  ),
  RETENTION_DAYS: preset(
    '180',
    'For how many days a thread stays known after its last use; what is kept of an answered question, for 30 days at most. Fewer need less memory.',
    wholeNumber(2, 180),
  ),
  LINK_RETENTION_DAYS: preset(
    '90',
    'After how many days without use a person’s sign-in is deleted, with its tokens; 0 keeps it. Identity providers often end refresh tokens then.',
    wholeNumber(0, 3_650),
  ),
  ASSISTANT_BASE_URL: required('`{base_url}` of the assistant service.', address),
  ASSISTANT_SCOPE: required('The scope of its interface, such as `api://…/Agent.Ask`.', text),
  ASSISTANT_STAGE: preset('production', '`production` or `beta`.', oneOf('production', 'beta')),
  ASSISTANT_STREAMING: preset(
    'auto',
    '`auto` uses the streaming operation where the service offers it: answers in direct messages grow while they arrive. `off` does not.',
    oneOf('auto', 'off'),
  ),
  ASSISTANT_STREAM_SEGMENT: preset(
    'chatoverstream',
    'How the service spells the last part of the stream’s path.',
    word,
  ),
  ASSISTANT_FILE_HOSTS: preset(
    '',
    'Hosts of the document libraries, separated by commas: links to them go along as files. `.example.com`: all of its subdomains.',
    hosts,
  ),
  DEFAULT_LANGUAGE: preset(
    'en',
    'For people whose Slack language the app does not speak: `en` or `de`.',
    oneOf(...LANGUAGES),
  ),
  DEFAULT_TIME_ZONE: preset('UTC', 'For people whose Slack profile has no time zone.', timeZone),
  AUTH_URL: required('`{auth_url}` of the identity provider.', address),
  AUTH_TENANT_ID: required('The tenant in its paths.', text),
  AUTH_CLIENT_ID: required('The app registration there.', text),
  AUTH_CLIENT_SECRET: secret(optional('Its secret. Set either this or the certificate.', text)),
  AUTH_CLIENT_CERTIFICATE: secret(optional('Private key and certificate in PEM, instead of a secret.', pem)),
  AUTH_ISSUER: optional('The issuer in its id tokens, if it is not `{AUTH_URL}/{AUTH_TENANT_ID}/v2.0`.', issuer),
  ADMIN_API_BASE_URL: optional(
    '`{admin_api_base_url}`. Without it `/assistant-admin` has only `policy`, `log`, `rules`, `pause`, `resume`, `insights` and `doctor`.',
    address,
  ),
  ADMIN_SCOPE: optional('The scope of the administrative interface.', text),
  ADMIN_API_VERSION: preset('2024-10-01', 'Sent as `api-version`.', word),
  ADMIN_RESOURCE_PREFIX: preset(
    'vendor',
    'The maker’s name in resource types, as in `vendor.agentstudio/agents`.',
    word,
  ),
  ADMIN_TABLE_NAME: preset('PlatformResources', 'The table that the inventory query names.', word),
  ADMIN_AGENT_ID_PROPERTY: optional(
    'The property of agents in the inventory that holds the id limits are set by, such as `botId`; otherwise the agent’s name.',
    word,
  ),
  ADMIN_READS_LIMITS: preset(
    'yes',
    '`no`: limits are never read. Then what was last sent from here counts.',
    oneOf('yes', 'no'),
  ),
  ADMIN_USERS: preset(
    '',
    'Who may use `/assistant-admin`: user ids, user group ids or `workspace-admins`, separated by commas, each optionally as `team:…`. Where several teams are allowed, ids need their team.',
    adminRules,
  ),
  AUDIT_USERS: preset(
    '',
    'Who may read lists, reviews, the log and the policy, and change nothing: written as `ADMIN_USERS`.',
    adminRules,
  ),
  REQUIRE_SECOND_APPROVER: preset(
    'no',
    '`yes`: a second administrator has to approve what allows more than before. Never a stop.',
    oneOf('no', 'yes'),
  ),
  AUDIT_KEY: secret(
    optional(
      'Seals the audit log: 32 bytes in base64, several separated by commas. The first seals, all verify. Once set, it has to stay set.',
      parseAuditKeys,
    ),
  ),
  REVIEW_CRON: optional(
    'When the scheduled review runs, such as `0 7 * * 1-5`, in `DEFAULT_TIME_ZONE`. Needs `ADMIN_API_BASE_URL`.',
    cronPattern,
  ),
  REVIEW_CHANNEL: optional('`team:channel` (such as `T0123:C0456`), where the scheduled review is posted.', teamPlace),
  REVIEW_AS: optional(
    '`team:user` (such as `T0123:U0456`): the admin whose sign-in and permissions the scheduled review uses.',
    teamPlace,
  ),
  REVIEW_LEVELS: preset(
    '80,100',
    'Of how many percent of its credits or of its limit the scheduled review tells owners, separated by commas. `none`: of none.',
    percentLevels,
  ),
  REVIEW_TOKEN: secret(
    optional(
      'Only for `npm run policy`: an access token for the administrative interface, instead of the stored sign-in of `REVIEW_AS`.',
      accessToken,
    ),
  ),
  FEEDBACK_CHANNEL: optional(
    '`team:channel` (such as `T0123:C0456`), where reasons and comments given with *Good answer* and *Bad answer* are posted. Invite the app.',
    teamPlace,
  ),
  HTTPS_PROXY: optional(
    'The HTTP proxy that calls to `https://` addresses go through, such as `http://proxy.example.com:3128`. A user and a password come before the host, as `user:password@`, with special characters percent-encoded. Redis and loopback addresses are called directly. Also read as `https_proxy`.',
    proxyAddress,
  ),
  NO_PROXY: preset(
    '',
    'Hosts that are called directly, separated by commas: `example.com` with its subdomains, `*.example.com` without itself, with or without a port, or `*`. Ranges such as `10.0.0.0/8` are ignored. Also read as `no_proxy`.',
    text,
  ),
  NODE_EXTRA_CA_CERTS: optional(
    'A file with the certificates (PEM) of private authorities to trust besides the public ones, also for Redis.',
    certificateFile,
  ),
  GUEST_CHANNELS: preset(
    'private',
    'Where questions are answered in channels that guests read: `private`, in the asker’s direct message; or `thread`.',
    oneOf('private', 'thread'),
  ),
  THREAD_CONTEXT: preset(
    'on',
    'Whether what others wrote in a thread goes along with a question, with linked messages and text files: `on` or `off`.',
    oneOf('on', 'off'),
  ),
  DRAIN_SECONDS: preset('50', 'How long a stop waits for running questions, in seconds.', wholeNumber(0, 600)),
  LOG_LEVEL: preset(
    'info',
    'From `trace` to `fatal`, or `silent`.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} as const;

/** The variables that may be given as `…_FILE`. */
export const SECRETS = Object.entries(VARIABLES).flatMap(([name, variable]) => ('isSecret' in variable ? [name] : []));
