import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AuditKey } from '../../src/audit/audit-key.ts';
import { type AuditHead, CHAIN_BEGIN } from '../../src/audit/audit-log.ts';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import { toBundled } from '../app/app-process.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { type Tampering, tamperingWith } from '../storage/audit-tampering.ts';
import { besideSqlite } from '../storage/beside-store.ts';
import { anEntry, makeKeys } from './samples.ts';

const SCRIPT = toBundled(fileURLToPath(new URL('../../scripts/audit.ts', import.meta.url)));

/** What the configuration cannot be without; nobody is asked there. */
const ENVIRONMENT = {
  SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
  SLACK_BOT_TOKEN: 'xoxb-token',
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'http://127.0.0.1:1',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  ASSISTANT_BASE_URL: 'http://127.0.0.1:1',
  ASSISTANT_SCOPE: 'api://assistant/Agent.Ask',
  AUTH_URL: 'http://127.0.0.1:1',
  AUTH_TENANT_ID: 'tenant',
  AUTH_CLIENT_ID: 'client',
  AUTH_CLIENT_SECRET: 'secret',
};

const folder = mkdtempSync(join(tmpdir(), 'audit-script-'));
let redis: RedisServer;
let store: Store | undefined;

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
});
afterAll(async () => {
  await redis.close();
  rmSync(folder, { recursive: true });
});

async function run(environment: Record<string, string>, ...args: string[]) {
  const env = { ...ENVIRONMENT, ...environment };
  const {
    status,
    stdout: out,
    stderr: err,
  } = await runToEnd(process.execPath, [SCRIPT, ...args], { cwd: folder, env });
  return { status, out, err };
}

const newPath = () => join(folder, `${randomBytes(6).toString('hex')}.db`);

async function openSqlite(): Promise<{ opened: Store; environment: Record<string, string> }> {
  const path = newPath();
  return {
    opened: await openSqliteStore({ path, lockWaitMs: 0, now: Date.now }),
    environment: { SQLITE_PATH: path },
  };
}

async function openRedis(): Promise<{ opened: Store; environment: Record<string, string> }> {
  return {
    opened: await openRedisStore({ url: redis.url, now: Date.now }),
    environment: { REDIS_URL: redis.url },
  };
}

describe.each([
  ['SQLite', openSqlite],
  ['Redis', openRedis],
])('npm run audit beside a running app with %s', (_, open) => {
  it('verifies, lists and exports, and the export can be verified by itself', async () => {
    const { opened, environment } = await open();
    store = opened;
    for (let count = 1; count <= 3; count += 1)
      await store.audit.append(anEntry({ at: count, reason: `no. ${count}\u001b` }));
    const { seq, hash } = await store.audit.head();
    const head = `${seq}:${hash}`;

    const verified = await run(environment, 'verify', '--head', head);
    const listed = await run(environment, 'list', '--limit', '2');
    const exported = await run(environment, 'export');
    const file = join(folder, `${hash}.jsonl`);
    writeFileSync(file, `\n> assistant-bridge@0.1.0 audit\n> exec node scripts/audit.ts export\n\n${exported.out}`);
    const verifiedFile = await run({}, 'verify', '--file', file, '--head', head);

    const chainOnly =
      'Without AUDIT_KEY only the chain was checked: whoever can write to the store could have written all of it again.';
    const whole = `The audit log is whole: 3 entries, the last is ${head}. ${chainOnly}\n`;
    expect(verified).toEqual({ status: 0, out: whole, err: '' });
    expect(listed.out.split('\n')).toEqual([
      '1970-01-01T00:00:00Z  3  UKIM  item_ended  env-1  verified  no. 3?',
      '1970-01-01T00:00:00Z  2  UKIM  item_ended  env-1  verified  no. 2?',
      '',
    ]);
    expect(
      exported.out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2, 3]);
    expect(verifiedFile).toEqual(verified);
  });
});

describe('npm run audit', () => {
  async function aTampered(tamper: (tampering: Tampering, head: AuditHead) => Promise<void>) {
    const { opened, environment } = await openSqlite();
    for (let at = 1; at <= 3; at += 1) await opened.audit.append(anEntry({ at }));
    const head = await opened.audit.head();
    await opened.close();
    await tamper(tamperingWith(besideSqlite(() => String(environment.SQLITE_PATH))), head);
    return { environment, head: `${head.seq}:${head.hash}` };
  }

  async function openSealed(keys: AuditKey[], path = newPath()) {
    const opened = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now, audit: { keys } });
    await opened.audit.start();
    return { opened, environment: { SQLITE_PATH: path } };
  }

  it('ends with 1 and the place where the chain is broken', async () => {
    const { environment } = await aTampered(({ change }) => change(2, 'UKIM', 'UANA'));

    const { status, out } = await run(environment, 'verify');

    expect(status).toBe(1);
    expect(out).toMatch(/^The audit log is broken at entry 2: it is not as it was written\./);
  });

  it('finds with a head that was logged what nobody finds without it', async () => {
    const { environment, head } = await aTampered(({ removeAfter }) => removeAfter(CHAIN_BEGIN));

    const without = await run(environment, 'verify');
    const withHead = await run(environment, 'verify', '--head', head);

    expect(without.status).toBe(0);
    expect(without.out).toMatch(/^The audit log is empty\. Without AUDIT_KEY/);
    expect(withHead.status).toBe(1);
    expect(withHead.out).toMatch(/broken at entry 1: from this one on, entries are missing/);
  });

  it('finds a log that was emptied with its origin set to its head, and a head that is before the begin', async () => {
    const { environment, head } = await aTampered(({ removeUpTo }, last) => removeUpTo(last));

    const { status, out } = await run(environment, 'verify', '--head', head);

    expect(status).toBe(1);
    expect(out).toMatch(/^The audit log is broken at entry 4: entries before it are gone, and no entry says/);
  });

  it('checks seals with the key, also in a file of its own, and never shows it', async () => {
    const { text, keys } = makeKeys(1);
    const { environment, opened } = await openSealed(keys);
    await opened.audit.append(anEntry({ at: 2 }));
    await opened.close();
    const key = { AUDIT_KEY: text };

    const sealed = await run({ ...environment, ...key }, 'verify');
    const chained = await run(environment, 'verify');
    const other = await run({ ...environment, AUDIT_KEY: makeKeys(1).text }, 'verify');
    const file = join(folder, 'sealed.jsonl');
    writeFileSync(file, (await run(environment, 'export')).out);
    const keyFile = join(folder, 'audit-key');
    writeFileSync(keyFile, `${text}\n`);
    const sealedFile = await run({ AUDIT_KEY_FILE: keyFile }, 'verify', '--file', file);
    writeFileSync(file, (await run(environment, 'export')).out.replace(/"seal":"[^"]*",/g, ''));
    const changedFile = await run(key, 'verify', '--file', file);

    expect(sealed.status).toBe(0);
    expect(sealed.out).toMatch(/All entries from 1 on, of \d{4}-\d\d-\d\d, are sealed with AUDIT_KEY/);
    expect(chained).toMatchObject({ status: 0, out: expect.stringContaining('Its entries are sealed: verify them') });
    expect(other).toMatchObject({ status: 1, out: expect.stringContaining('is not sealed with AUDIT_KEY') });
    expect(sealedFile).toEqual(sealed);
    expect(changedFile).toMatchObject({ status: 1, out: expect.stringContaining('broken at entry 1') });
    for (const { out, err } of [sealed, chained, other, sealedFile, changedFile]) expect(out + err).not.toContain(text);
  });

  it('needs nothing but the key for a file, and says what is wrong with the key', async () => {
    const file = join(folder, 'empty.jsonl');
    writeFileSync(file, '');
    const secret = 'c2hvcnQ=';

    const { status, out, err } = await run({ AUDIT_KEY: secret, PUBLIC_URL: '' }, 'verify', '--file', file);

    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^AUDIT_KEY entry 1 has 5 bytes instead of 32; "openssl rand -base64 32" makes a key\.$/m);
    expect(err).not.toContain(secret);
  });

  it.each([
    [['verify', '--head', '12'], '"12" is no head'],
    [[], 'npm run audit -- verify'],
    [['erase'], 'npm run audit -- verify'],
    [['verify', '--hard'], "Unknown option '--hard'"],
    [['verify', '--file', '/nowhere/audit.jsonl'], 'cannot be read (ENOENT)'],
    [['verify'], 'There is no database yet'],
  ])('says what is wrong with %j', async (args, words) => {
    const { status, err } = await run({ SQLITE_PATH: newPath() }, ...args);

    expect(status).toBe(1);
    expect(err).toContain(words);
  });

  it('says that an export is broken', async () => {
    const file = join(folder, 'broken.jsonl');
    writeFileSync(file, 'null\n{"seq":');

    const { status, out } = await run({}, 'verify', '--file', file);

    expect(status).toBe(1);
    expect(out).toContain('broken at entry 1: it cannot be read any more');
  });
});
