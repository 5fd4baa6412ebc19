import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AuditOptions } from '../src/audit/chained-log.ts';
import { openRedisStore } from '../src/backend/redis-store.ts';
import { openSqliteStore } from '../src/backend/sqlite-store.ts';
import type { Store } from '../src/backend/store.ts';
import { AUDIT } from '../src/doctor/checks/audit.ts';
import { KEYS } from '../src/doctor/checks/keys.ts';
import { STORE } from '../src/doctor/checks/store.ts';
import { TURNS } from '../src/doctor/checks/turns.ts';
import { parseEncryptionKeys } from '../src/identity/encryption-keys.ts';
import { createTokenVault, sealTokens } from '../src/identity/token-vault.ts';
import { sealInstallation } from '../src/slack/installations/find-installation.ts';
import { startAppProcess } from './app/app-process.ts';
import { startRedis } from './app/redis-server.ts';
import { startWorld, type World } from './app/world.ts';
import { anEntry, makeKeys } from './audit/samples.ts';
import { aQuestion, aTurn } from './conversation/a-question.ts';
import { findUnsaid } from './doctor/look.ts';
import { runDoctor, seeDoctor, type Visit } from './doctor/see-doctor.ts';
import { listen } from './http/loopback.ts';
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

/** What was said in all of these tests, a finding a line. */
const said: string[] = [];

async function see(...visit: Parameters<typeof seeDoctor>): Promise<Visit> {
  const visited = await seeDoctor(...visit);
  said.push(...visited.report.split('\n').map((line) => line.slice(4)));
  return visited;
}

function aKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

describe('npm run doctor', () => {
  it('finds nothing wrong beside an app that runs, and leaves it running', async () => {
    const app = await startAppProcess(world.environment);
    cleanups.push(() => app.kill('SIGKILL'));
    await world.slack.verifyUrl();
    const { report: early } = await see(world);
    await world.slack.as('U0ANA').say(world.slack.as('U0ANA').dm, 'hello');

    const { status, report } = await runDoctor(world, {}, []);

    expect(early).toMatch(/✓ Slack verified the Request URL \d+ s ago\./);
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

  it('ends with 1 and a line a problem where the configuration cannot be read', async () => {
    const { status, report } = await runDoctor(world, { PORT: 'many', ASSISTANT_SCOPE: '' });

    expect(status).toBe(1);
    expect(report).toMatch(
      /^Assistant Bridge \S+\n\nConfiguration\n {2}✗ PORT has to be .*\n {2}✗ ASSISTANT_SCOPE is missing\. .*\n\n2 errors/,
    );
  });

  it('warns where an app is ready, but its database is not the one that SQLITE_PATH names here', async () => {
    const { url, close } = await listen((_, response) => response.end('{"status":"ready"}'));
    cleanups.push(close);
    const elsewhere = join(world.folder, 'elsewhere.db');

    const beside = await see(world, { SQLITE_PATH: elsewhere, PORT: new URL(url).port });
    const alone = await see(world, { SQLITE_PATH: elsewhere });

    expect(beside.report).toContain(`! There is no database at ${elsewhere} (SQLITE_PATH), but the app on port`);
    expect(beside.report).not.toContain('There is no database yet.');
    expect(alone.report).toContain('✓ There is no database yet. The first start makes it.');
  });

  it('knows a database of another release, and leaves it as it is', async () => {
    const path = join(world.folder, 'other-release.db');
    const database = new DatabaseSync(path);
    cleanups.push(() => database.close());
    database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 99');

    const { status, report } = await see(world, { SQLITE_PATH: path });

    expect(report).toMatch(/Store\n {2}✗ The database is of another release: it has version 99/);
    expect(status).toBe(1);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    expect(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 });
  });

  it('finds a damaged database, and one that no process uses', async () => {
    const { environment } = await openSqlite();
    await cleanups.pop()?.();
    const idle = await see(world, environment);
    const bytes = readFileSync(environment.SQLITE_PATH ?? '');
    // Of every page but the first.
    writeFileSync(environment.SQLITE_PATH ?? '', bytes.fill(7, 4_096));

    const { status, report } = await see(world, environment);

    expect(idle.report).toContain('✓ The database is in order.\n  ! No process of the app uses it.');
    expect(report).toMatch(/Store\n {2}✗ The (database is damaged|store cannot be read)/);
    expect(status).toBe(1);
  });

  it('finds an entry of the audit log that somebody changed', async () => {
    const { store, environment } = await openSqlite();
    await store.audit.append(anEntry());
    const database = new DatabaseSync(environment.SQLITE_PATH ?? '');
    cleanups.push(() => database.close());
    database.exec("UPDATE documents SET body = replace(body, 'more is needed', 'nobody asked') WHERE key = 'audit:1'");

    const { status, report } = await see(world, environment);

    expect(report).toMatch(/Audit log\n {2}✗ The audit log was changed, at entry 1 or near it\./);
    expect(status).toBe(1);
  });

  it('says what is wrong with the settings of Redis, and never its password', async () => {
    const redis = await startRedis({ appendfsync: 'everysec', 'maxmemory-policy': 'allkeys-lru' });
    cleanups.push(() => redis.close());
    const url = redis.url.replace('//', '//bridge:hush-hush@');

    const refused = await see(world, { REDIS_URL: url });
    const looked = await see(world, { REDIS_URL: redis.url });

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

    const { status, report } = await see(world, environment);

    expect(report).toContain('✓ 2 questions are open: 2 accepted.');
    expect(report).toMatch(
      /! The oldest question that does not wait for a sign-in came 5 min ago, at \S+Z\. Its turn is message:T1:C1:1\.1\.\n/,
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
    await seal(store, `${current},${former},${lost}`, 'UKIM');
    await seal(store, former, 'UDAN');
    await seal(store, lost, 'UANA');
    await seal(store, lost, 'UBEN');

    const rightKeys = await see(world, {
      ...environment,
      ENCRYPTION_KEYS: [current, former, lost, aKey('k0')].join(),
    });
    const wrongKeys = await see(world, { ...environment, ENCRYPTION_KEYS: [current, aKey('k2')].join() });

    expect(rightKeys.report).toContain('✓ Key k3 encrypts new records, and decrypts 1 record.');
    expect(rightKeys.report).toContain('✓ Key k1 decrypts 3 records, and is still needed.');
    expect(rightKeys.report).toContain('✓ Key k0 decrypts no sign-in any more');
    expect(wrongKeys.report).toContain(
      '✗ 3 records sealed with key k1 cannot be decrypted: ENCRYPTION_KEYS has no such key. Put the right one back, after the first; otherwise 2 sign-ins have to be made again, and 1 workspace has to install the app again.',
    );
    expect(wrongKeys.report).toContain('✗ 1 record sealed with key k2 cannot be decrypted: ENCRYPTION_KEYS has');
    expect(wrongKeys.report).toContain('otherwise 1 sign-in has to be made again.');
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
      const { status, report } = await see(world, { ...environment, AUDIT_KEY });
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

it.each([STORE, KEYS, AUDIT, TURNS])('there is a test for every sentence of the doctor: $name', (check) => {
  // doctor/redis-writing.test.ts has these.
  const elsewhere = ['nearlyFull', 'full', 'notAppended', 'notSaved', 'stopped', 'notFollowed'];
  expect(findUnsaid(check, said).filter((word) => !elsewhere.includes(word))).toEqual([]);
});
