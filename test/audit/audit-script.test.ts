import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openExport, parseHead, type Verified, verify } from '../../scripts/audit/verify.ts';
import type { AuditKey } from '../../src/audit/audit-key.ts';
import { type AuditHead, type AuditStore, CHAIN_BEGIN, toAuditLine } from '../../src/audit/audit-log.ts';
import { createAuditLog } from '../../src/audit/chained-log.ts';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { runScript } from '../run-script.ts';
import { type Tampering, tamperingWith } from '../storage/audit-tampering.ts';
import { createModel } from '../storage/kernel-model.ts';
import { anEntry, makeKeys, readAll } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-script-'));
let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await redis.close();
  rmSync(folder, { recursive: true });
});

/** Writes it to a new file. Returns its path. */
function write(text: string): string {
  const path = join(folder, randomBytes(6).toString('hex'));
  writeFileSync(path, text);
  return path;
}

const toHead = ({ seq, hash }: AuditHead) => `${seq}:${hash}`;

const CHAIN_ONLY =
  'Without AUDIT_KEY only the chain was checked: whoever can write to the store could have written all of it again.';

describe('what is said of a log', () => {
  const { text: secret, keys } = makeKeys(1);
  let attacker: Tampering;
  let audit: AuditStore;

  beforeEach(() => open());

  /** Three entries, which these keys seal. */
  async function open(own: AuditKey[] = []): Promise<void> {
    const kernel = createModel(() => 0);
    attacker = tamperingWith(kernel);
    audit = createAuditLog(kernel, { keys: own });
    await audit.start();
    for (const at of [1, 2, 3]) await audit.append(anEntry({ at }));
  }

  const exportLog = async () => (await readAll(audit.all())).map(toAuditLine).join('');

  async function sayOf(log: Verified, { head, own = [] }: { head?: string; own?: AuditKey[] } = {}) {
    const { sentence, isWhole } = await verify(log, head === undefined ? [] : [parseHead(head)], own);
    expect(sentence).not.toContain(secret);
    return [isWhole, sentence];
  }

  it('names the place where it is broken', async () => {
    await attacker.change(2, 'UKIM', 'UANA');

    expect(await sayOf(audit)).toEqual([
      false,
      expect.stringMatching(/^The audit log is broken at entry 2: it is not as it was written\./),
    ]);
  });

  it('finds with a head that was logged what nobody finds without it', async () => {
    const head = toHead(await audit.head());
    await attacker.removeAfter(CHAIN_BEGIN);

    expect(await sayOf(audit)).toEqual([true, `The audit log is empty. ${CHAIN_ONLY}`]);
    expect(await sayOf(audit, { head })).toEqual([
      false,
      expect.stringContaining('broken at entry 1: from this one on, entries are missing'),
    ]);
  });

  it('finds a log that was emptied with its origin set to its head, and a head that is before the begin', async () => {
    const last = await audit.head();
    await attacker.removeUpTo(last);

    expect(await sayOf(audit, { head: toHead(last) })).toEqual([
      false,
      expect.stringContaining('broken at entry 4: entries before it are gone, and no entry says'),
    ]);
  });

  it('is of its seals where the key is known, also in a file', async () => {
    await open(keys);
    const sealed = /All entries from 1 on, of \d{4}-\d\d-\d\d, are sealed with AUDIT_KEY/;
    const lines = await exportLog();
    const file = await openExport(write(lines));
    const stripped = await openExport(write(lines.replace(/"seal":"[^"]*",/g, '')));

    expect(await sayOf(audit, { own: keys })).toEqual([true, expect.stringMatching(sealed)]);
    expect(await sayOf(file, { own: keys })).toEqual(await sayOf(audit, { own: keys }));
    expect(await sayOf(audit)).toEqual([true, expect.stringContaining('Its entries are sealed: verify them')]);
    expect(await sayOf(audit, { own: makeKeys(1).keys })).toEqual([
      false,
      expect.stringContaining('is not sealed with AUDIT_KEY'),
    ]);
    expect(await sayOf(stripped, { own: keys })).toEqual([false, expect.stringContaining('broken at entry 1')]);
  });

  it('is that an export cannot be read any more', async () => {
    const broken = await openExport(write('null\n{"seq":'));

    expect(await sayOf(broken)).toEqual([
      false,
      expect.stringContaining('broken at entry 1: it cannot be read any more'),
    ]);
  });

  it('is nothing of a head that is none', () => {
    expect(() => parseHead('12')).toThrow('"12" is no head');
  });
});

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

const run = (environment: Record<string, string>, ...args: string[]) =>
  runScript(['audit.ts', ...args], environment, { cwd: folder });

describe('npm run audit', () => {
  it('verifies, lists and exports beside a running app, and the export can be verified by itself', async () => {
    const path = join(folder, 'running.db');
    const environment = { ...ENVIRONMENT, SQLITE_PATH: path };
    const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
    onTestFinished(() => store.close());
    for (const at of [1, 2, 3]) await store.audit.append(anEntry({ at, reason: `no. ${at}\u001b` }));
    const head = toHead(await store.audit.head());

    const verified = await run(environment, 'verify', '--head', head);
    const listed = await run(environment, 'list', '--limit', '2');
    const exported = await run(environment, 'export');
    const file = write(`\n> assistant-bridge@0.1.0 audit\n> exec node scripts/audit.ts export\n\n${exported.report}`);
    const verifiedFile = await run({}, 'verify', '--file', file, '--head', head);

    const whole = `The audit log is whole: 3 entries, the last is ${head}. ${CHAIN_ONLY}\n`;
    expect(verified).toEqual({ status: 0, report: whole });
    expect(listed.report.split('\n')).toEqual([
      '1970-01-01T00:00:00Z  3  UKIM  item_ended  env-1  verified  no. 3?',
      '1970-01-01T00:00:00Z  2  UKIM  item_ended  env-1  verified  no. 2?',
      '',
    ]);
    const lines = exported.report.split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3]);
    expect(verifiedFile).toEqual(verified);
  });

  it('reads the log of Redis as well', async () => {
    const store = await openRedisStore({ url: redis.url, now: Date.now });
    onTestFinished(() => store.close());
    await store.audit.append(anEntry());

    const { status, report } = await run({ ...ENVIRONMENT, REDIS_URL: redis.url }, 'verify');

    expect([status, report]).toEqual([0, expect.stringContaining('The audit log is whole: 1 entries')]);
  });

  it('needs nothing but the key for a file, ends with 1 where it is broken, and says what is wrong with the key', async () => {
    const broken = write('{"seq":1}\n');
    const { text } = makeKeys(1);
    const secret = 'c2hvcnQ=';

    const checked = await run({ AUDIT_KEY_FILE: write(`${text}\n`) }, 'verify', '--file', broken);
    const refused = await run({ AUDIT_KEY: secret, PUBLIC_URL: '' }, 'verify', '--file', broken);

    expect(checked).toEqual({ status: 1, report: expect.stringContaining('broken at entry 1') });
    expect(refused.status).toBe(1);
    expect(refused.report).toMatch(
      /^AUDIT_KEY entry 1 has 5 bytes instead of 32; "openssl rand -base64 32" makes a key\.$/m,
    );
    expect(checked.report + refused.report).not.toContain(text);
    expect(refused.report).not.toContain(secret);
  });

  it.each([
    [['erase'], 'npm run audit -- verify'],
    [['verify', '--hard'], "Unknown option '--hard'"],
    [['verify', '--file', '/nowhere/audit.jsonl'], 'cannot be read (ENOENT)'],
    [['verify'], 'There is no database yet'],
  ])('says what is wrong with %j', async (args, words) => {
    const { status, report } = await run({ ...ENVIRONMENT, SQLITE_PATH: join(folder, 'none.db') }, ...args);

    expect(status).toBe(1);
    expect(report).toContain(words);
  });
});
