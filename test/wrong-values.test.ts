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

/** `value`: a function where it has to be made first. `beside`: what it needs to count. */
type Row = [
  name: Name,
  value: string | (() => string | Promise<string>),
  words: RegExp,
  beside?: Record<string, string>,
];

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
const ROWS: Record<Where, Row[]> = {
  configuration: [
    ['SLACK_SIGNING_SECRET', 'xoxb-1-2', /a bot token \(xoxb-…\)/],
    ['SLACK_SIGNING_SECRET', '123.456', /looks like a client id/],
    ['SLACK_SIGNING_SECRET', 'a'.repeat(24), /looks like a verification token/],
    ['SLACK_SIGNING_SECRET', 'a copied text', /what Basic Information/],
    ['SLACK_BOT_TOKEN', 'xapp-1-2', /an app-level token \(xapp-…\)/],
    ['SLACK_BOT_TOKEN', 'a'.repeat(32), /a signing secret or a client/],
    ['SLACK_APP_TOKEN', 'xoxb-1-2', /a bot token \(xoxb-…\)/],
    ['SLACK_ALLOWED_TEAMS', 'acme', /entry 1 is no team or enterprise id/],
    ['SLACKBOT_DOOR', 'yes', /one of: off, on/],
    [
      'SLACKBOT_DOOR',
      'on',
      /needs SLACK_SIGNING_SECRET, even with Socket Mode/,
      { SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-1-A0-1-x' },
    ],
    ['SLACK_BUDGETS', 'none', /one of: documented, off/],
    ['SLACK_API_URL', 'slack.com', /an https address/],
    ['PORT', 'many', /a whole number from 0 to 65535/],
    ['PUBLIC_URL', 'http://bridge.example', /use https/],
    ['PUBLIC_URL', 'https://acme.example/bridge', /has a path/],
    ['HOST', 'bridge.example', /an IP address of this machine/],
    ['OPS_HOST', 'localhost', /an IP address of this machine/],
    ['OPS_PORT', '-1', /a whole number/],
    ['OPS_PORT', () => world.environment.PORT ?? '', /are the same/],
    ['REDIS_URL', 'localhost:6379', /an address such as redis:/],
    ['LEASE_SECONDS', '0', /a whole number from 1 to 300/],
    ['ENCRYPTION_KEYS', 'k1:c2VjcmV0', /6 bytes instead of 32/],
    ['AUDIT_KEY', 'c2VjcmV0', /6 bytes instead of 32/],
    ['ASSISTANT_BASE_URL', 'assistant', /an https address/],
    ['ASSISTANT_STAGE', 'test', /one of: production, beta/],
    ['ASSISTANT_STREAMING', 'on', /one of: auto, off/],
    ['ASSISTANT_STREAM_SEGMENT', 'chat/stream', /one word/],
    ['ASSISTANT_FILE_HOSTS', 'https://acme.example', /entry 1 is no host/],
    ['DEFAULT_LANGUAGE', 'fr', /`en` or `de`|en, de|en or de/],
    ['DEFAULT_TIME_ZONE', 'Mars/Base', /an IANA time zone/],
    ['ADMIN_API_BASE_URL', 'admin', /an https address/],
    ['ADMIN_API_VERSION', '2024 10 01', /one word/],
    ['ADMIN_RESOURCE_PREFIX', 'the vendor', /one word/],
    ['ADMIN_TABLE_NAME', "Platform'", /one word/],
    ['ADMIN_AGENT_ID_PROPERTY', 'bot id', /one word/],
    ['ADMIN_READS_LIMITS', 'off', /one of: yes, no/],
    ['AUDIT_USERS', 'kim', /entries that cannot be read/],
    ['AUDIT_USERS', 'U0LEA', /AUDIT_USERS has .*unique within a team/, { ...TEAMS, ADMIN_USERS: 'T0001:U0KIM' }],
    ['ADMIN_USERS', 'kim', /entries that cannot be read/],
    ['ADMIN_USERS', 'T0001:U0KIM, U0BEN', /unique within a team/, TEAMS],
    ['ADMIN_USERS', 'S0ADMINS', /unique within a team/, TEAMS],
    ['RETENTION_DAYS', '1', /a whole number from 2 to 180/],
    ['LINK_RETENTION_DAYS', '3 months', /a whole number from 0 to 3650/],
    ['REQUIRE_SECOND_APPROVER', 'true', /one of: no, yes/],
    ['REVIEW_CRON', 'daily', /five fields of cron/, REVIEW],
    ['REVIEW_CHANNEL', '#news', /a team id, a colon/, REVIEW],
    ['REVIEW_TOKEN', 'Bearer eyJ', /access token alone/],
    ['REVIEW_AS', 'kim', /a team id, a colon/, REVIEW],
    ['REVIEW_AS', '', /belong together/, REVIEW],
    ['REVIEW_LEVELS', '80 %', /whole numbers from 1 to 1000/, REVIEW],
    ['FEEDBACK_CHANNEL', '#feedback', /a team id, a colon/],
    ['HTTPS_PROXY', 'proxy.example:3128', /the address of an HTTP proxy/],
    ['HTTPS_PROXY', 'http://a:50%@proxy.example', /write it as %25/],
    ['HTTPS_PROXY', 'socks5://proxy.example', /the address of an HTTP proxy/],
    ['NODE_EXTRA_CA_CERTS', 'gone.pem', /cannot be read \(ENOENT\)/],
    ['NODE_EXTRA_CA_CERTS', writeNotes, /without a certificate in PEM/],
    ['GUEST_CHANNELS', 'public', /one of: private, thread/],
    ['THREAD_CONTEXT', 'yes', /one of: on, off/],
    ['DRAIN_SECONDS', '1h', /a whole number from 0 to 600/],
    ['LOG_LEVEL', 'loud', /one of: trace, debug/],
  ],
  start: [
    ['SLACK_BOT_TOKEN', 'xoxb-other', /Slack does not accept .* \(invalid_auth\)/],
    ['SLACK_APP_TOKEN', 'xapp-1-2', /not accept SLACK_APP_TOKEN.* \(invalid_auth\)/],
    ['PORT', () => busyPort, /in use by another process/],
    ['HOST', '192.0.2.1', /does not have the address 192\.0\.2\.1\. Set HOST/],
    ['OPS_HOST', '192.0.2.1', /does not have the address 192\.0\.2\.1\. Set OPS_HOST/, { OPS_PORT: '9464' }],
    ['OPS_PORT', () => busyPort, /in use by another process/],
    ['REDIS_URL', () => closed.replace('http', 'redis'), /cannot be reached/],
    ['SQLITE_PATH', writeNotes, /is not a database/],
    ['SQLITE_PATH', '/proc/x/bridge.db', /cannot be opened for writing/],
  ],
  doctor: [
    ['SLACK_API_URL', () => `${closed}/api/`, /Slack cannot be reached at/],
    ['REDIS_URL', () => closed.replace('http', 'redis'), /cannot be reached/],
    ['SQLITE_PATH', writeNotes, /is not a database/],
    ['ASSISTANT_BASE_URL', () => `${world.assistant.url}/v1`, /has no \/v1\/rest/],
    ['ASSISTANT_BASE_URL', () => world.admin.url, /has no \/rest|something else/],
    ['ADMIN_API_BASE_URL', () => `${world.admin.url}/v1`, /has no \/v1\/resource/],
    ['ADMIN_API_BASE_URL', () => world.assistant.url, /has no \/resourcequery/],
    ['ADMIN_API_VERSION', '2020-01-01', /status 400\). Check/],
    ['NO_PROXY', 'a.example,10.0.0.0/8', /Entry 2 of NO_PROXY/, PROXY],
  ],
};

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
  const rows = (Object.keys(ROWS) as Where[]).flatMap((where) =>
    ROWS[where].map((row): [Where, ...Row] => [where, ...row]),
  );

  it.each(rows)('by the %s: %s', async (where, name, value, words, beside) => {
    const wrong = typeof value === 'string' ? value : await value();

    const said = await SAYS[where]({ ...world.environment, SLACK_BUDGETS: 'documented', ...beside, [name]: wrong });

    const about = said.filter((sentence) => sentence.includes(name));
    expect(about.join('\n')).toMatch(words);
    // What is wrong is said once, and what is right is left alone.
    if (where !== 'doctor') expect(said).toEqual(about);
  });

  it('whichever it is: the table has every variable', () => {
    const tried = new Set<string>([...rows.map(([, name]) => name), ...IDENTITY]);

    expect(Object.keys(VARIABLES).filter((name) => !tried.has(name))).toEqual([]);
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
