import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDoctor } from '../app/administer.ts';
import { toBundled } from '../app/app-process.ts';
import { startWorld, type World } from '../app/world.ts';
import { createCanaries } from './canaries.ts';
import { type LiveOptions, type LiveWorld, shareWorld, startLiveWorld } from './live-world.ts';
import { playTroubles } from './troubles.ts';

const BACKUP = toBundled(fileURLToPath(new URL('../../scripts/backup.ts', import.meta.url)));
const DOCTOR = toBundled(fileURLToPath(new URL('../../scripts/doctor.ts', import.meta.url)));
const MAIN = toBundled(fileURLToPath(new URL('../../src/main.ts', import.meta.url)));

const BACKENDS = ['SQLite', 'Redis'];

// Each has a world of its own and mostly waits: all together take little longer than the longest.
describe.concurrent.each(BACKENDS)('all that a process on %s prints while everything goes wrong', (backend) => {
  const canaries = createCanaries();
  const words = {
    question: canaries.make('a question'),
    answer: canaries.make('an answer'),
    service: canaries.make('a word of a service'),
    forged: canaries.make('a forged request'),
    file: canaries.make('a file'),
  };
  let printed = '';
  let figures = '';
  let report = '';
  let inSlack = '';
  let backup = '';

  const world = shareWorld<LiveWorld>(async (started) => {
    await startCanaryWorld(started);
    await playTroubles({ world, canaries, words, whileStoreIsAway });
    for (const { payload } of world.slack.ledger.deliveries()) canaries.addPayload(payload);
    figures = await world.figures();
    inSlack = await askDoctor(world, 'U0KIM');
    report = (await run(DOCTOR, world.environment)).output;
    const copy = join(world.folder, 'copy');
    report += (await run(BACKUP, world.environment, copy)).output;
    backup = readFileSync(copy, 'latin1');
    await world.app.kill('SIGTERM');
    // Not by lines: a chunk of output may end in the middle of one.
    printed = world.app.lines.join('');
  });

  async function startCanaryWorld(started: LiveWorld): Promise<void> {
    const auditKey = randomBytes(32).toString('base64');
    canaries.add('the key of the audit log', auditKey);
    // Uncompressed, so that a snapshot can be searched.
    const redis = { rdbcompression: 'no', requirepass: canaries.make('the password of Redis') };
    const credentials = {
      botToken: `xoxb-${canaries.make('the bot token')}`,
      signingSecret: canaries.make('the signing secret'),
      clientSecret: canaries.make('the client secret of Slack'),
    };
    const options: LiveOptions = {
      redis: backend === 'Redis' && redis,
      hasFigures: true,
      slack: { credentials, retry: 'none' },
      identityProvider: { clientSecret: canaries.make('the client secret of the identity provider') },
      assistant: { answer: ({ name }) => `Dear ${name}: ${words.answer}` },
      environment: { LOG_LEVEL: 'trace', AUDIT_KEY: auditKey },
    };
    await startLiveWorld(options, started);
    canaries.add('an encryption key', started.environment.ENCRYPTION_KEYS?.slice('k1:'.length));
    for (const name of ['Ana Alvarez', 'ana@example.com', 'ana@acme.example', 'Kim Kato', 'kim@example.com']) {
      canaries.add('a name', name);
    }
    for (const { oid } of started.identityProvider.people.values()) canaries.add('an id in the directory', oid);
    // The inventory is kept as the service lists it, with the directory ids of owners: here they are nobody's.
    const { environments, agents } = started.admin.state;
    for (const owned of [...environments, ...agents]) owned.ownerId = 'nobody';
  }

  async function whileStoreIsAway(work: () => Promise<void>): Promise<void> {
    const { redis } = world;
    if (!redis) return whileLocked(String(world.environment.SQLITE_PATH), work);
    redis.signal('SIGSTOP');
    await work();
    redis.signal('SIGCONT');
    await ping(redis.url);
  }

  it('tells of all these troubles', () => {
    const store = backend === 'Redis' ? ['redis lost'] : ['store refuses'];
    const people = [
      'account linked',
      'question not answered',
      'token refresh failed',
      'authorization ended',
      'turn done',
    ];
    for (const message of ['started', 'audit sealing begun', ...people, ...store]) {
      expect(printed, message).toContain(`"msg":"${message}"`);
    }
    expect(world.slack.ledger.deliveries().filter(({ status }) => status === 503).length).toBeGreaterThan(0);
    expect(world.slack.ledger.deliveries().filter(({ status }) => status === 401).length).toBeGreaterThan(0);
  });

  it('has no secret of any kind', () => {
    const found = canaries.kinds().map((kind) => ({ kind, found: canaries.findIn(printed, kind) }));

    expect(found.filter((one) => one.found.length > 0)).toEqual([]);
  });

  it('has nothing that looks like a token either', () => {
    expect(printed).not.toMatch(/xox[a-z]-|xapp-|eyJ[\w-]{8,}\.|Bearer [^"[\\]|v1\.k1\./);
  });

  it('has no secret in its figures, nor anybody’s id', () => {
    const found = canaries.kinds().filter((kind) => canaries.findIn(figures, kind).length > 0);

    expect(figures).toContain('assistant_bridge_turns_total{outcome="answered"}');
    expect(found).toEqual([]);
    expect(figures).not.toMatch(/U0ANA|C0GENERAL|T0001/);
  });

  it('leaves the doctor no secret to tell', () => {
    const found = canaries.kinds().filter((kind) => canaries.findIn(report + inSlack, kind).length > 0);

    expect(report).toContain('Key k1 encrypts new records');
    expect(report).toContain('The audit log is sealed with AUDIT_KEY');
    expect(inSlack).toContain('Encryption keys (');
    expect(found).toEqual([]);
  });

  it('has no secret in a backup but those that are sealed', () => {
    const found = canaries.kinds().filter((kind) => canaries.findIn(backup, kind).length > 0);

    expect(found).toEqual(['sealed tokens']);
  });

  it('is held against secrets of every kind that there is', () => {
    const made = ['a ticket', 'a state', 'a code', 'a cookie', 'an access token', 'a refresh token', 'a response_url'];

    expect(canaries.kinds()).toEqual(expect.arrayContaining(made));
    expect(canaries.count('an access token')).toBeGreaterThan(2);
    expect(canaries.count('a code')).toBeGreaterThan(2);
  });
});

describe.concurrent('a start that fails', () => {
  const canaries = createCanaries();
  const secret = canaries.make('a secret');
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it.each([
    ['a certificate', { AUTH_CLIENT_SECRET: '', AUTH_CLIENT_CERTIFICATE: `-----BEGIN ${secret}` }],
    ['a Redis that is not there', { REDIS_URL: `redis://:${secret}@127.0.0.1:1` }],
    ['the bot token', { SLACK_BOT_TOKEN: `xoxb-${secret}` }],
  ])('over %s prints no secret', async (_, environment) => {
    const { status, output } = await run(MAIN, { ...world.environment, ...environment });

    expect(status).toBe(1);
    expect(output.length).toBeGreaterThan(20);
    expect(canaries.findIn(output, 'a secret')).toEqual([]);
  });
});

/** Runs a script to its end. */
async function run(
  script: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<{ status: number | null; output: string }> {
  const { status, stdout, stderr } = await runToEnd(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    env: environment,
  });
  return { status, output: stdout + stderr };
}

async function ping(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  await client.ping();
  client.destroy();
}

async function whileLocked(path: string, work: () => Promise<void>): Promise<void> {
  const intruder = new DatabaseSync(path, { timeout: 2_000 });
  intruder.exec('BEGIN IMMEDIATE');
  await work();
  intruder.close();
}
