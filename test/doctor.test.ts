import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRedisStore } from '../src/backend/redis-store.ts';
import { openSqliteStore } from '../src/backend/sqlite-store.ts';
import type { Store } from '../src/backend/store.ts';
import type { AuditOptions } from '../src/governance/audit/chained-log.ts';
import { parseEncryptionKeys } from '../src/identity/encryption-keys.ts';
import { createTokenVault, sealTokens } from '../src/identity/token-vault.ts';
import { BOT_SCOPES } from '../src/slack/installations/bot-scopes.ts';
import { sealInstallation } from '../src/slack/installations/find-installation.ts';
import { startAppProcess } from './app/app-process.ts';
import { startRedis } from './app/redis-server.ts';
import { startWorld, type World } from './app/world.ts';
import { aQuestion, aTurn } from './conversation/a-question.ts';
import { DOCTOR, runDoctor, seeDoctor } from './doctor/see-doctor.ts';
import { anEntry, makeKeys } from './governance/audit/samples.ts';
import { findClosedUrl, listen } from './http/loopback.ts';
import { beginRun } from './storage/begin-run.ts';

let world: World;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => world.close());

function aKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

describe('npm run doctor', () => {
  it('knows a verified Request URL of an app to which nobody has written yet', async () => {
    const app = await startAppProcess(world.environment);
    cleanups.push(() => app.kill('SIGKILL'));
    await world.slack.verifyUrl();

    const { report } = await seeDoctor(world);

    expect(report).toMatch(/✓ Slack verified the Request URL \d+ s ago\./);
  });

  it('finds nothing wrong beside an app that runs, and leaves it running', async () => {
    const app = await startAppProcess(world.environment);
    cleanups.push(() => app.kill('SIGKILL'));
    await world.slack.verifyUrl();
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'hello');

    const { status, report } = await runDoctor(world, {}, []);

    expect(report).toContain('✓ Everything is kept in SQLite');
    expect(report).toContain('✓ It can be reached at');
    expect(report).toContain('✓ A process of the app uses it.');
    expect(report).toMatch(/✓ Slack accepts SLACK_BOT_TOKEN: the app is in Acme \(T0001\)\./);
    expect(report).toContain('✓ It has every scope of the manifest.');
    expect(report).toMatch(/✓ The last event of Slack came \d+ s ago\./);
    expect(report).toMatch(/✓ The assistant service at \S+ answers in \d+ ms\./);
    expect(report).toMatch(/All is well\.\n$/);
    expect(status).toBe(0);
    await app.kill('SIGTERM');
    expect(await app.ended).toBe(0);
  });

  it('ends with 1 where the app does not run, and with 0 before the first start', async () => {
    const fresh = { SQLITE_PATH: join(world.folder, 'fresh.db') };
    const stopped = await runDoctor(world, fresh, []);
    const before = await runDoctor(world, fresh, ['--before-start']);

    expect(stopped.report).toMatch(/App\n {2}✗ The app is not running: nothing listens on port \d+ \(PORT\)/);
    expect(stopped.status).toBe(1);
    expect(before.report).not.toContain('✗');
    expect(before.report).toContain('✓ Slack has sent nothing yet. Start the app, then open Event Subscriptions');
    expect(before.status).toBe(0);
  });

  it('ends with 1 and its usage where an option is unknown', async () => {
    const { status, report } = await runDoctor(world, {}, ['--before']);

    expect(status).toBe(1);
    expect(report).toContain('npm run doctor -- --before-start');
  });

  it('ends with 1 and a line a problem where the configuration cannot be read', async () => {
    const { status, report } = await runDoctor(world, { PORT: 'many', ASSISTANT_SCOPE: '' });

    expect(status).toBe(1);
    expect(report).toMatch(
      /^Assistant Bridge \S+\n\nConfiguration\n {2}✗ PORT has to be .*\n {2}✗ ASSISTANT_SCOPE is missing\. .*\n\n2 errors/,
    );
  });

  it('ends with 1 where Slack refuses the token and a service does not answer, and says which', async () => {
    const gone = await findClosedUrl();

    const { status, report } = await seeDoctor(world, { SLACK_BOT_TOKEN: 'xoxb-of-somebody-else', AUTH_URL: gone });

    expect(status).toBe(1);
    expect(report).toContain('✗ Slack does not accept SLACK_BOT_TOKEN (invalid_auth).');
    expect(report).toContain(`✗ The identity provider at ${gone} cannot be reached (ECONNREFUSED).`);
    expect(report).toMatch(/3 errors, \d warnings?\.\n$/);
    expect(report).not.toContain('xoxb-');
  });

  it('ends with 1 where services accept connections and never answer, and names their variables', async () => {
    const { url, close } = await listen(() => undefined);
    cleanups.push(close);

    const { status, report } = await runDoctor(world, { ASSISTANT_BASE_URL: url, AUTH_URL: url });

    expect(status).toBe(1);
    expect(report).toMatch(/✗ The assistant service at \S+ does not answer a request .* check ASSISTANT_BASE_URL\./);
    expect(report).toMatch(/✗ Could not be checked: AUTH_ISSUER, .*no_answer_in_time\. Check AUTH_URL\./);
  }, 20_000);

  it('ends with 1 where the app was not given a scope, and where the clock is off', async () => {
    const { url, close } = await listen((_, response) => {
      response.setHeader('x-oauth-scopes', BOT_SCOPES.filter((scope) => scope !== 'users:read').join(','));
      response.setHeader('date', new Date(Date.now() - 100_000).toUTCString());
      response.end(JSON.stringify({ ok: true, team: 'Acme\u001b[2J', team_id: 'T1' }));
    });
    cleanups.push(close);

    const { status, report } = await seeDoctor(world, { SLACK_API_URL: url });

    expect(status).toBe(1);
    expect(report).toContain('the app is in Acme?[2J (T1).');
    expect(report).toMatch(
      /✗ It lacks users:read\. Paste what `npm run --silent manifest -- http\S+` prints under App Manifest, .* Reinstall to Workspace\./,
    );
    expect(report).toMatch(/✗ This machine's clock is (99|100|101) s ahead of that of Slack\. .* Set it/);
  });

  it('warns where an app is ready, but its database is not the one that SQLITE_PATH names here', async () => {
    const { url, close } = await listen((_, response) => response.end('{"status":"ready"}'));
    cleanups.push(close);
    const elsewhere = join(world.folder, 'elsewhere.db');

    const beside = await seeDoctor(world, { SQLITE_PATH: elsewhere, PORT: new URL(url).port });
    const alone = await seeDoctor(world, { SQLITE_PATH: elsewhere });

    expect(beside.report).toContain(`! There is no database at ${elsewhere} (SQLITE_PATH), but the app on port`);
    expect(beside.report).not.toContain('There is no database yet.');
    expect(alone.report).toContain('✓ There is no database yet. The first start makes it.');
  });

  it('says what is wrong with a database that is none', async () => {
    const { status, report } = await seeDoctor(world, { SQLITE_PATH: DOCTOR });

    expect(status).toBe(1);
    expect(report).toMatch(/Store\n {2}✗ \S+doctor\.ts \(SQLITE_PATH\) is not a database/);
  });

  it('knows a database of another release, and leaves it as it is', async () => {
    const path = join(world.folder, 'other-release.db');
    const database = new DatabaseSync(path);
    cleanups.push(() => database.close());
    database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 99');

    const { status, report } = await seeDoctor(world, { SQLITE_PATH: path });

    expect(report).toMatch(/Store\n {2}✗ The database is of another release: it has version 99/);
    expect(status).toBe(1);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    expect(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 });
  });

  it('says what is wrong with the settings of Redis, and never its password', async () => {
    const redis = await startRedis({ appendfsync: 'everysec', 'maxmemory-policy': 'allkeys-lru' });
    cleanups.push(() => redis.close());
    const url = redis.url.replace('//', '//bridge:hush-hush@');

    const refused = await seeDoctor(world, { REDIS_URL: url });
    const looked = await seeDoctor(world, { REDIS_URL: redis.url });

    expect(refused.report).toMatch(
      /Store\n {2}✗ Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\) refuses the name or password\./,
    );
    expect(refused.report).not.toContain('hush-hush');
    expect(looked.report).toContain('✗ The maxmemory-policy of Redis is allkeys-lru');
    expect(looked.report).toContain('! The appendfsync of Redis is everysec');
    expect([refused.status, looked.status]).toEqual([1, 1]);
  });
});

type Opened = { store: Store; environment: Record<string, string> };

async function openSqlite(audit?: AuditOptions): Promise<Opened> {
  const path = join(world.folder, `${randomBytes(6).toString('hex')}.db`);
  const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now, audit });
  cleanups.push(() => store.close());
  return { store, environment: { SQLITE_PATH: path } };
}

async function openRedis(audit?: AuditOptions): Promise<Opened> {
  const redis = await startRedis();
  cleanups.push(() => redis.close());
  const store = await openRedisStore({ url: redis.url, now: Date.now, audit });
  cleanups.push(() => store.close());
  return { store, environment: { REDIS_URL: redis.url } };
}

describe.each([
  ['SQLite', openSqlite],
  ['Redis', openRedis],
])('the doctor and a store in %s', (_, open) => {
  it('shows what is open, for how long, and what was given up, but nothing that somebody wrote', async () => {
    const { store, environment } = await open();
    const acceptedAt = Date.now() - 300_000;
    const question = aQuestion({ text: 'my private words' });
    await store.turns.accept(aTurn({ id: 'message:T1:C1:1.1', lane: 'T1:C1:1.1', question, acceptedAt }));
    await store.turns.accept(aTurn({ id: 'message:T1:C1:2.1', lane: 'T1:C1:2.1', question, acceptedAt: Date.now() }));
    await giveUp(store, 'message:T1:C1:3.1');

    const { status, report } = await runDoctor(world, environment);

    expect(report).toContain('✓ 2 questions are open: 2 accepted.');
    expect(report).toMatch(
      /! The oldest that does not wait for a sign-in came 5 min ago, at \S+Z\. Its turn is message:T1:C1:1\.1\.\n/,
    );
    expect(report).toMatch(/! 1 question was given up/);
    expect(report).toMatch(
      /\n {6}2001-09-09T01:46:40Z {2}failed {5}message:T1:C1:3\.1 {2}TypeError in src\/a\.ts:1:2\n/,
    );
    expect(report).not.toContain('private');
    expect(status).toBe(0);
  });

  it('knows which keys are in use, and which records no key opens', async () => {
    const { store, environment } = await open();
    const [current, former, lost] = [aKey('k3'), aKey('k2'), aKey('k1')];
    await seal(store, `${current},${former},${lost}`, 'UANA');
    await seal(store, former, 'UBEN');
    await seal(store, lost, 'UKIM');

    const rightKeys = await seeDoctor(world, {
      ...environment,
      ENCRYPTION_KEYS: [current, former, lost, aKey('k0')].join(),
    });
    const wrongKeys = await seeDoctor(world, { ...environment, ENCRYPTION_KEYS: [current, aKey('k2')].join() });

    expect(rightKeys.report).toContain('✓ Key k3 seals what comes, and opens 2 records.');
    expect(rightKeys.report).toContain('✓ Key k1 opens 1 record, and is still needed.');
    expect(rightKeys.report).toContain('✓ Key k0 opens no sign-in any more');
    expect(wrongKeys.report).toContain(
      '✗ 1 record sealed with key k1 cannot be opened: ENCRYPTION_KEYS has no such key.',
    );
    expect(wrongKeys.report).toContain('✗ 1 record sealed with key k2 cannot be opened: ENCRYPTION_KEYS has another');
    expect(wrongKeys.report).toContain('else 1 sign-in has to be made again.');
    expect([rightKeys.status, wrongKeys.status]).toEqual([0, 1]);
  });

  it('says whether the audit log is sealed, and whether its newest entries are as they were written', async () => {
    const { keys, text } = makeKeys(2);
    const [newer = '', older = ''] = text.split(',');
    const chained = await open();
    await chained.store.audit.append(anEntry());
    const sealed = await open({ keys: keys.slice(1) });
    await sealed.store.audit.append(anEntry());

    const look = async ({ environment }: Opened, AUDIT_KEY: string) => {
      const { status, report } = await seeDoctor(world, { ...environment, AUDIT_KEY });
      expect(report).not.toContain(newer);
      expect(report).not.toContain(older);
      return `${status} ${/Audit log\n {2}(.*)/.exec(report)?.[1]}`;
    };

    expect(await look(chained, '')).toMatch(/^0 ✓ AUDIT_KEY is not set: the audit log is chained, but not sealed/);
    expect(await look(chained, older)).toMatch(/^0 ! AUDIT_KEY is set, and the audit log is not sealed\. The next/);
    expect(await look(sealed, older)).toMatch(
      /^0 ✓ The audit log is sealed with AUDIT_KEY, and its newest entries are/,
    );
    expect(await look(sealed, text)).toMatch(/^0 ! The audit log is sealed with an older key of AUDIT_KEY\. The next/);
    expect(await look(sealed, newer)).toMatch(/^1 ✗ The end of the audit log is not sealed with AUDIT_KEY/);
    expect(await look(sealed, '')).toMatch(/^1 ✗ The audit log is sealed, but AUDIT_KEY is not set/);
  });

  it('asks Slack about every workspace that has installed the app', async () => {
    const { store, environment } = await open();
    const vault = createTokenVault(parseEncryptionKeys(world.environment.ENCRYPTION_KEYS ?? ''));
    const many = { ...environment, SLACK_BOT_TOKEN: '', SLACK_ALLOWED_TEAMS: 'T0001,T0009', ADMIN_USERS: '' };
    const before = await seeDoctor(world, many);
    for (const [workspace, token] of [['T0001', world.slack.botToken] as const, ['T0009', 'xoxb-over'] as const]) {
      const draft = { workspace, team: workspace, isOrganisation: false, botId: 'B', botUserId: 'U' };
      const installation = { ...draft, installedBy: 'U0ANA', installedAt: 1 };
      await store.installations.put(sealInstallation(vault, installation, token));
    }

    const after = await seeDoctor(world, many);

    expect(before.report).toMatch(/Installations\n {2}! No workspace has installed the app yet\. Open http/);
    expect(after.report).toContain(
      "Installations\n  ✓ Slack accepts the app's token in 1 workspace:\n      T0001  Acme\n",
    );
    expect(after.report).toContain(
      '✗ Slack does not accept the token of T0009 (invalid_auth): nobody there is answered.',
    );
    expect([before.status, after.status]).toEqual([0, 1]);
    expect(after.report).not.toContain('xoxb-');
  });

  it('counts the workspaces apart that have to install the app again where a key is lost', async () => {
    const { store, environment } = await open();
    const lost = aKey('k1');
    await seal(store, lost, 'UANA');
    await seal(store, lost, 'UBEN');

    const { report } = await seeDoctor(world, { ...environment, ENCRYPTION_KEYS: aKey('k2') });

    expect(report).toContain(
      '✗ 3 records sealed with key k1 cannot be opened: ENCRYPTION_KEYS has no such key. Put the right one back, behind the first; else 2 sign-ins have to be made again, and 1 workspace has to install the app again.',
    );
  });
});

/** Accepted and given up, as run-turn.ts does it. */
async function giveUp(store: Store, id: string): Promise<void> {
  await store.turns.accept(aTurn({ id, lane: id, acceptedAt: 1_000_000_000_000 }));
  const turn = await beginRun(store.turns, id);
  if (!turn) throw new Error('there is no such turn');
  await store.turns.save({ ...turn, stage: 'done', result: 'failed', lastError: 'TypeError in src/a.ts:1:2' });
}

/** A link, and an installation with the first of these people, sealed with the first of these keys. */
async function seal(store: Store, keys: string, user: string): Promise<void> {
  const vault = createTokenVault(parseEncryptionKeys(keys));
  const key = { team: 'T1', user, purpose: 'assistant' } as const;
  const tokens = { accessToken: 'secret', obtainedAt: 0, expiresAt: 1 };
  const link = { ...key, schema: 1, workspace: 'T1', channelAnswers: 'thread', linkedAt: 1 } as const;
  await store.links.save({ ...link, sealedTokens: sealTokens(vault, key, tokens) }, 0);
  if (user !== 'UANA') return;
  const draft = { workspace: 'T1', team: 'T1', isOrganisation: false, botId: 'B', botUserId: 'U', installedBy: user };
  await store.installations.put(sealInstallation(vault, { ...draft, installedAt: 1 }, 'xoxb-secret'));
}
