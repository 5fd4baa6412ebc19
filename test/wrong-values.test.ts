import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBridge } from '../src/app.ts';
import { openBackend } from '../src/backend/open-backend.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { VARIABLES } from '../src/config-variables.ts';
import { examine } from '../src/doctor/examine.ts';
import { createLog } from '../src/log.ts';
import { startWorld, type World } from './app/world.ts';
import { findClosedUrl } from './http/loopback.ts';

type Name = keyof typeof VARIABLES;

/** What the identity provider and Slack's sign-in alone can judge: their own test has these. */
const IDENTITY: readonly Name[] = [
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'ASSISTANT_SCOPE',
  'ADMIN_SCOPE',
  'AUTH_URL',
  'AUTH_TENANT_ID',
  'AUTH_CLIENT_ID',
  'AUTH_CLIENT_SECRET',
  'AUTH_CLIENT_CERTIFICATE',
  'AUTH_ISSUER',
];

/**
 * Where a mistake is named. `configuration`: before anything is started, by the app and the doctor alike. `start`: the
 * start of the app ends with it. `doctor`: the doctor finds it.
 */
type Where = 'configuration' | 'start' | 'doctor';

type Row = {
  name: Name;
  /** A wrong value. A function, where it has to be made first. */
  value: string | (() => string | Promise<string>);
  where: Where;
  words: RegExp;
  /** What it needs beside it to count. */
  beside?: Record<string, string>;
};

let world: World;
let busyPort: string;
let closed: string;
const busy = createServer((_, response) => response.writeHead(404).end());

beforeAll(async () => {
  world = await startWorld();
  busy.listen(0);
  await once(busy, 'listening');
  busyPort = String((busy.address() as AddressInfo).port);
  closed = await findClosedUrl();
});
afterAll(async () => {
  busy.close();
  await world.close();
});

const PROXY = { HTTPS_PROXY: 'http://proxy.example:3128' };

const REVIEW = { REVIEW_CRON: '0 7 * * 1-5', REVIEW_CHANNEL: 'T0001:C0GENERAL', REVIEW_AS: 'T0001:U0KIM' };

/** Several workspaces, whose people may have the same ids. */
const TEAMS = { SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001,T0002' };

/** Legal values that nobody can know to be wrong, such as another number of seconds, are malformed here. */
const ROWS: Row[] = [
  { name: 'SLACK_SIGNING_SECRET', value: 'xoxb-1-2', where: 'configuration', words: /a bot token \(xoxb-…\)/ },
  { name: 'SLACK_SIGNING_SECRET', value: '123.456', where: 'configuration', words: /looks like a client id/ },
  { name: 'SLACK_SIGNING_SECRET', value: 'a'.repeat(31), where: 'configuration', words: /32 hexadecimal/ },
  { name: 'SLACK_BOT_TOKEN', value: 'xapp-1-2', where: 'configuration', words: /an app-level token \(xapp-…\)/ },
  { name: 'SLACK_BOT_TOKEN', value: 'a'.repeat(32), where: 'configuration', words: /a signing secret or a client/ },
  { name: 'SLACK_BOT_TOKEN', value: 'xoxb-other', where: 'start', words: /Slack does not accept .* \(invalid_auth\)/ },
  { name: 'SLACK_APP_TOKEN', value: 'xoxb-1-2', where: 'configuration', words: /a bot token \(xoxb-…\)/ },
  {
    name: 'SLACK_APP_TOKEN',
    value: 'xapp-1-2',
    where: 'start',
    words: /not accept SLACK_APP_TOKEN.* \(invalid_auth\)/,
  },
  { name: 'SLACK_ALLOWED_TEAMS', value: 'acme', where: 'configuration', words: /entry 1 is no team or enterprise id/ },
  { name: 'SLACKBOT_DOOR', value: 'yes', where: 'configuration', words: /one of: off, on/ },
  {
    name: 'SLACKBOT_DOOR',
    value: 'on',
    where: 'configuration',
    words: /needs SLACK_SIGNING_SECRET, also with Socket Mode/,
    beside: { SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-1-A0-1-x' },
  },
  { name: 'SLACK_BUDGETS', value: 'none', where: 'configuration', words: /one of: documented, off/ },
  { name: 'SLACK_API_URL', value: 'slack.com', where: 'configuration', words: /an https address/ },
  { name: 'SLACK_API_URL', value: () => `${closed}/api/`, where: 'doctor', words: /Slack cannot be asked at/ },
  { name: 'PORT', value: 'many', where: 'configuration', words: /a whole number from 0 to 65535/ },
  { name: 'PORT', value: () => busyPort, where: 'start', words: /in use by another process/ },
  { name: 'PUBLIC_URL', value: 'http://bridge.example', where: 'configuration', words: /use https/ },
  { name: 'PUBLIC_URL', value: 'https://acme.example/bridge', where: 'configuration', words: /has a path/ },
  { name: 'HOST', value: 'bridge.example', where: 'configuration', words: /an IP address of this machine/ },
  { name: 'HOST', value: '192.0.2.1', where: 'start', words: /does not have the address 192\.0\.2\.1\. Set HOST/ },
  { name: 'OPS_HOST', value: 'localhost', where: 'configuration', words: /an IP address of this machine/ },
  {
    name: 'OPS_HOST',
    value: '192.0.2.1',
    where: 'start',
    words: /does not have the address 192\.0\.2\.1\. Set OPS_HOST/,
    beside: { OPS_PORT: '9464' },
  },
  { name: 'OPS_PORT', value: '-1', where: 'configuration', words: /a whole number/ },
  { name: 'OPS_PORT', value: () => world.environment.PORT ?? '', where: 'configuration', words: /are the same/ },
  { name: 'OPS_PORT', value: () => busyPort, where: 'start', words: /in use by another process/ },
  { name: 'REDIS_URL', value: 'localhost:6379', where: 'configuration', words: /an address such as redis:/ },
  { name: 'REDIS_URL', value: () => closed.replace('http', 'redis'), where: 'start', words: /cannot be reached/ },
  { name: 'REDIS_URL', value: () => closed.replace('http', 'redis'), where: 'doctor', words: /cannot be reached/ },
  { name: 'LEASE_SECONDS', value: '0', where: 'configuration', words: /a whole number from 1 to 300/ },
  { name: 'SQLITE_PATH', value: writeNotes, where: 'start', words: /is not a database/ },
  { name: 'SQLITE_PATH', value: '/proc/x/bridge.db', where: 'start', words: /cannot be opened for writing/ },
  { name: 'SQLITE_PATH', value: writeNotes, where: 'doctor', words: /is not a database/ },
  { name: 'ENCRYPTION_KEYS', value: 'k1:c2VjcmV0', where: 'configuration', words: /6 bytes instead of 32/ },
  { name: 'AUDIT_KEY', value: 'c2VjcmV0', where: 'configuration', words: /6 bytes instead of 32/ },
  { name: 'ASSISTANT_BASE_URL', value: 'assistant', where: 'configuration', words: /an https address/ },
  { name: 'ASSISTANT_BASE_URL', value: () => `${world.assistant.url}/v1`, where: 'doctor', words: /has no \/v1\/rest/ },
  { name: 'ASSISTANT_BASE_URL', value: () => world.admin.url, where: 'doctor', words: /has no \/rest|something else/ },
  { name: 'ASSISTANT_STAGE', value: 'test', where: 'configuration', words: /one of: production, beta/ },
  { name: 'ASSISTANT_STREAMING', value: 'on', where: 'configuration', words: /one of: auto, off/ },
  { name: 'ASSISTANT_STREAM_SEGMENT', value: 'chat/stream', where: 'configuration', words: /one word/ },
  { name: 'ASSISTANT_FILE_HOSTS', value: 'https://acme.example', where: 'configuration', words: /entry 1 is no host/ },
  { name: 'DEFAULT_LANGUAGE', value: 'fr', where: 'configuration', words: /`en` or `de`|en, de|en or de/ },
  { name: 'DEFAULT_TIME_ZONE', value: 'Mars/Base', where: 'configuration', words: /an IANA time zone/ },
  { name: 'ADMIN_API_BASE_URL', value: 'admin', where: 'configuration', words: /an https address/ },
  { name: 'ADMIN_API_BASE_URL', value: () => `${world.admin.url}/v1`, where: 'doctor', words: /has no \/v1\/resource/ },
  { name: 'ADMIN_API_BASE_URL', value: () => world.assistant.url, where: 'doctor', words: /has no \/resourcequery/ },
  { name: 'ADMIN_API_VERSION', value: '2024 10 01', where: 'configuration', words: /one word/ },
  { name: 'ADMIN_API_VERSION', value: '2020-01-01', where: 'doctor', words: /status 400\). Check/ },
  { name: 'ADMIN_RESOURCE_PREFIX', value: 'the vendor', where: 'configuration', words: /one word/ },
  { name: 'ADMIN_TABLE_NAME', value: "Platform'", where: 'configuration', words: /one word/ },
  { name: 'ADMIN_AGENT_ID_PROPERTY', value: 'bot id', where: 'configuration', words: /one word/ },
  { name: 'ADMIN_READS_LIMITS', value: 'off', where: 'configuration', words: /one of: yes, no/ },
  { name: 'AUDIT_USERS', value: 'kim', where: 'configuration', words: /entries that cannot be read/ },
  {
    name: 'AUDIT_USERS',
    value: 'U0LEA',
    where: 'configuration',
    words: /AUDIT_USERS has .*unique within a team/,
    beside: { ...TEAMS, ADMIN_USERS: 'T0001:U0KIM' },
  },
  { name: 'ADMIN_USERS', value: 'kim', where: 'configuration', words: /entries that cannot be read/ },
  {
    name: 'ADMIN_USERS',
    value: 'T0001:U0KIM, U0BEN',
    where: 'configuration',
    words: /unique within a team/,
    beside: TEAMS,
  },
  { name: 'ADMIN_USERS', value: 'S0ADMINS', where: 'configuration', words: /unique within a team/, beside: TEAMS },
  { name: 'RETENTION_DAYS', value: '1', where: 'configuration', words: /a whole number from 2 to 180/ },
  { name: 'LINK_RETENTION_DAYS', value: '3 months', where: 'configuration', words: /a whole number from 0 to 3650/ },
  { name: 'REQUIRE_SECOND_APPROVER', value: 'true', where: 'configuration', words: /one of: no, yes/ },
  { name: 'REVIEW_CRON', value: 'daily', where: 'configuration', words: /five fields of cron/, beside: REVIEW },
  { name: 'REVIEW_CHANNEL', value: '#news', where: 'configuration', words: /a team id, a colon/, beside: REVIEW },
  { name: 'REVIEW_TOKEN', value: 'Bearer eyJ', where: 'configuration', words: /access token alone/ },
  { name: 'REVIEW_AS', value: 'kim', where: 'configuration', words: /a team id, a colon/, beside: REVIEW },
  { name: 'REVIEW_AS', value: '', where: 'configuration', words: /belong together/, beside: REVIEW },
  {
    name: 'REVIEW_LEVELS',
    value: '80 %',
    where: 'configuration',
    words: /whole numbers from 1 to 1000/,
    beside: REVIEW,
  },
  { name: 'FEEDBACK_CHANNEL', value: '#feedback', where: 'configuration', words: /a team id, a colon/ },
  { name: 'HTTPS_PROXY', value: 'proxy.example:3128', where: 'configuration', words: /the address of an HTTP proxy/ },
  { name: 'HTTPS_PROXY', value: 'http://a:50%@proxy.example', where: 'configuration', words: /write it as %25/ },
  {
    name: 'HTTPS_PROXY',
    value: 'socks5://proxy.example',
    where: 'configuration',
    words: /the address of an HTTP proxy/,
  },
  { name: 'NO_PROXY', value: 'a.example,10.0.0.0/8', where: 'doctor', words: /Entry 2 of NO_PROXY/, beside: PROXY },
  { name: 'NODE_EXTRA_CA_CERTS', value: 'gone.pem', where: 'configuration', words: /cannot be read \(ENOENT\)/ },
  { name: 'NODE_EXTRA_CA_CERTS', value: writeNotes, where: 'configuration', words: /without a certificate in PEM/ },
  { name: 'GUEST_CHANNELS', value: 'public', where: 'configuration', words: /one of: private, thread/ },
  { name: 'THREAD_CONTEXT', value: 'yes', where: 'configuration', words: /one of: on, off/ },
  { name: 'DRAIN_SECONDS', value: '1h', where: 'configuration', words: /a whole number from 0 to 600/ },
  { name: 'LOG_LEVEL', value: 'loud', where: 'configuration', words: /one of: trace, debug/ },
];

function writeNotes(): string {
  const path = join(world.folder, 'notes.txt');
  writeFileSync(path, 'my notes. '.repeat(100));
  return path;
}

/** What each place says of this environment, a line a problem. */
const SAYS: Record<Where, (environment: Record<string, string>) => Promise<string[]>> = {
  configuration: async (environment) => {
    try {
      readConfig(environment);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [];
    }
  },
  start: async (environment) => {
    const config = readConfig(environment);
    const log = createLog('silent');
    const failed = (error: unknown) => [String((error as Error).message)];
    const opened = await openBackend(config, log).catch(failed);
    if (Array.isArray(opened)) return opened;
    const started = await startBridge(config, opened, log).catch(failed);
    if (!Array.isArray(started)) await started.stop();
    await opened.close();
    return Array.isArray(started) ? started : [];
  },
  doctor: async (environment) => {
    const findings = (await examine(readConfig(environment))).flatMap((section) => section.findings);
    return findings.filter(({ level }) => level !== 'ok').map(({ sentence }) => sentence);
  },
};

describe('a wrong value is named with its variable', () => {
  it.each(ROWS)('$name, by the $where: $words', async ({ name, value, where, words, beside }) => {
    const wrong = typeof value === 'string' ? value : await value();

    const said = await SAYS[where]({ ...world.environment, SLACK_BUDGETS: 'documented', ...beside, [name]: wrong });

    const about = said.filter((sentence) => sentence.includes(name));
    expect(about.join('\n')).toMatch(words);
    // What is wrong is said once, and what is right is left alone.
    if (where !== 'doctor') expect(said).toEqual(about);
  });

  it('whichever it is: the table has every variable', () => {
    const tried = new Set([...ROWS.map(({ name }) => name), ...IDENTITY]);

    expect(Object.keys(VARIABLES).filter((name) => !tried.has(name as Name))).toEqual([]);
  });

  it.each(['hush~Q8!', 'xoxb-hush', 'k1:hush', 'http://user:hush@host.example', '0 hush'])(
    'without being shown, whatever it is: %s',
    async (secret) => {
      const everywhere = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, secret]));

      const said = await SAYS.configuration(everywhere);

      expect(said.length).toBeGreaterThan(20);
      expect(said.join()).not.toContain('hush');
    },
  );
});

describe('ids of administrators', () => {
  it.each([
    ['with their team', { ...TEAMS, ADMIN_USERS: 'T0001:U0KIM, T0002:S0ADMINS' }],
    ['the administrators of every workspace', { ...TEAMS, ADMIN_USERS: 'workspace-admins' }],
    ['of one workspace', { ...TEAMS, SLACK_ALLOWED_TEAMS: 'T0001', ADMIN_USERS: 'U0KIM' }],
    ['of one organisation', { ...TEAMS, SLACK_ALLOWED_TEAMS: 'E0001', ADMIN_USERS: 'S0ADMINS' }],
  ])('are clear %s', async (_, change) => {
    expect(await SAYS.configuration({ ...world.environment, ...change })).toEqual([]);
  });
});
