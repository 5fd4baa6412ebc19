import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLOCK, watchClocks } from '../../src/doctor/checks/clock.ts';
import { CERTIFICATE, describeCertificate, VARIABLES } from '../../src/doctor/checks/configuration.ts';
import { DISK, describeRoom } from '../../src/doctor/checks/disk.ts';
import { describeNode, VERSIONS } from '../../src/doctor/checks/versions.ts';
import { VERSION } from '../../src/version.ts';
import { aConfig } from '../a-config.ts';
import { ownFolder } from '../own-folder.ts';
import { aCertificate, say, startLooking } from './look.ts';

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 ** 2;
const { look, listen, http, note, findUnseen } = startLooking();
const folder = ownFolder('doctor');

describe('the doctor and the variables', () => {
  const PROXY = { HTTPS_PROXY: 'http://p:1' };

  it.each<[string, Record<string, string>, RegExp]>([
    ['SQLite', { SQLITE_PATH: '/data/bridge.db' }, /^ok: .* SQLite at \/data\/bridge\.db, for one/],
    ['Redis, without its password', { REDIS_URL: 'redis://a:hush@r:1' }, /^ok: .* Redis at r:1, for/],
    ['a proxy, without its password', { HTTPS_PROXY: 'http://a:hush@p:1' }, /^ok: .* the proxy at p:1, ex/],
    ['a range in NO_PROXY', { ...PROXY, NO_PROXY: 'a.example,10.0.0.0/8' }, /^warning: Entry 2 of NO_PROX/],
    ['calls without limits', { SLACK_BUDGETS: 'off' }, /^warning: SLACK_BUDGETS is off: /],
    ['no log', { LOG_LEVEL: 'silent' }, /^warning: LOG_LEVEL is silent: errors are not logged/],
  ])('says so of %s', async (_, changes, sentence) => {
    const said = say(await look(VARIABLES, aConfig(changes)));

    expect(said).toContainEqual(expect.stringMatching(sentence));
    expect(said.join()).not.toContain('hush');
  });

  it('names a misspelt one, and the authorities that are trusted', async () => {
    process.env.SLACK_BOT_TOKN = 'xoxb-1';
    const said = say(await look(VARIABLES, { ...aConfig(), NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }));
    delete process.env.SLACK_BOT_TOKN;

    expect(said).toContainEqual(expect.stringMatching(/^warning: SLACK_BOT_TOKN .*SLACK_BOT_TOKEN/));
    expect(said).toContain('ok: The authorities in /etc/ca.pem are trusted, too.');
  });
});

describe('the doctor and a client certificate', () => {
  const pair = aCertificate();
  const [key = '', certificate = ''] = pair.split(/(?=-----BEGIN CERTIFICATE)/);

  it.each<[string, string, number, RegExp]>([
    ['good for long, key first', pair, 0, /^ok: AUTH_CLIENT_CERTIFICATE can be used, and is good until/],
    ['good for long, certificate first', certificate + key, 0, /^ok: AUTH_CLIENT_CERTIFICATE can be used/],
    ['soon over', pair, 340, /^warning: AUTH_CLIENT_CERTIFICATE expires on \S+, in 2[45] days\. Make a new/],
    ['over', pair, 366, /^warning: AUTH_CLIENT_CERTIFICATE expired on \S+: an identity provider may refuse/],
    ['not good yet', pair, -10, /^warning: AUTH_CLIENT_CERTIFICATE is not valid before /],
    ['without its key', certificate, 0, /^error: AUTH_CLIENT_CERTIFICATE: .* The app does not start with it\. Put/],
  ])('says so of one that is %s', (_, pem, days, sentence) => {
    const [said] = say(note(describeCertificate(pem, Date.now() + days * DAY_MS)));

    expect(said).toMatch(sentence);
  });
});

describe('the doctor and the disk', () => {
  it('says how much room there is where the database will be, and makes none of its folders', async () => {
    const [finding] = await look(DISK, aConfig({ SQLITE_PATH: join(folder, 'not', 'yet', 'bridge.db') }));

    expect(finding?.sentence).toMatch(/\d+ [GM]iB are free on the disk of \S+\/not\/yet \(SQLITE_PATH\)\.?/);
    expect(readdirSync(folder)).not.toContain('not');
  });

  it.each<[number, RegExp]>([
    [5_000 * MIB, /^ok: 5 GiB are free on the disk of \/data \(SQLITE_PATH\)\.$/],
    [900 * MIB, /^warning: Only 900 MiB are free on the disk of \/data \(SQLITE_PATH\)\. Make room there, or/],
    [10 * MIB, /^error: Only 10 MiB are free .* soon the database takes no writes/],
  ])('judges %i free bytes', (bytes, sentence) => {
    expect(say(note(describeRoom('/data', bytes)))).toEqual([expect.stringMatching(sentence)]);
  });

  it('is an error where nothing can be written', async () => {
    // Has no room at all, and nobody but root may write there.
    expect(await look(DISK, aConfig({ SQLITE_PATH: '/proc/bridge.db' }))).toMatchObject([{ level: 'error' }]);
  });
});

describe('the doctor and the versions', () => {
  const READY = { ready: { status: 200, word: 'ready' }, health: { status: 200, word: 'ok' }, isReady: true };

  /** What is said beside an app whose `/metrics` are these. */
  async function lookBeside(metrics: string, app = READY) {
    const OPS_PORT = new URL(await listen((_, response) => response.end(metrics))).port;
    return say(await look(VERSIONS, aConfig({ OPS_PORT }), { app })).slice(1);
  }

  const buildInfo = (version: string) =>
    `# TYPE assistant_bridge_build_info gauge\nassistant_bridge_build_info{version="${version}",node="24.9.0"} 1\n`;

  it('knows a Node that is too old', () => {
    expect(say(note(describeNode('24.0.1')))).toEqual([`ok: This is release ${VERSION} on Node 24.0.1.`]);
    expect(say(note(describeNode('22.18.0')))).toEqual([
      expect.stringMatching(/^error: This is Node 22\.18\.0, which/),
    ]);
  });

  it('compares the app that runs with the release that looks', async () => {
    expect(await lookBeside(buildInfo(VERSION))).toEqual([
      'ok: The app on this machine is the same release, on Node 24.9.0.',
    ]);
    expect(await lookBeside(buildInfo('9.9.9'))).toEqual([
      expect.stringMatching(/^warning: The app on this machine is release 9\.9\.9, and .* Restart/),
    ]);
  });

  it('says nothing where another program has that port, or no app is ready', async () => {
    expect(await lookBeside('<h1>hello</h1>')).toEqual([]);
    expect(await lookBeside(buildInfo('9.9.9'), { ...READY, isReady: false })).toEqual([]);
  });
});

describe('the doctor and the clock', () => {
  /** What is said after these have answered, whose clocks are so far ahead; undefined: an old page from a cache. */
  async function lookAfter(...ahead: (number | undefined)[]) {
    const clocks = watchClocks(http);
    const urls = await Promise.all(
      ahead.map((seconds = -600) =>
        listen((_, response) => {
          const date = new Date(Date.now() + seconds * 1000).toUTCString();
          response.writeHead(401, { date, ...(seconds === -600 && { age: '600' }) }).end();
        }),
      ),
    );
    for (const url of urls) await clocks.http.send({ method: 'GET', url, subject: 'doctor', totalTimeoutMs: 5_000 });
    const [AUTH_URL = 'https://a.example', ASSISTANT_BASE_URL = 'https://b.example'] = urls;
    const found = await look(CLOCK, aConfig({ AUTH_URL, ASSISTANT_BASE_URL }), { aheadMs: clocks.aheadMs });
    return say(found)[0];
  }

  it('is right where it is a few seconds off, and wrong past a minute, either way', async () => {
    expect(await lookAfter(5)).toMatch(/^ok: The clock is right: at most \d+ s off from that of the identity provider/);
    expect(await lookAfter(-50)).toMatch(/^ok: /);
    expect(await lookAfter(70)).toMatch(/^error: This machine's clock is (69|70|71) s behind that of .* NTP\.$/);
    expect(await lookAfter(-3_600)).toMatch(/^error: This machine's clock is (3599|3600|3601) s ahead of that of/);
  });

  it('is held against the first who said the time, not against a page from a cache, nor against nobody', async () => {
    expect(await lookAfter(0, 500)).toMatch(/^ok: .* that of the identity provider/);
    expect(await lookAfter(undefined, 0)).toMatch(/^ok: .* that of the assistant service/);
    expect(await lookAfter(undefined)).toMatch(/^warning: The clock could not be checked/);
  });
});

it.each([VARIABLES, CERTIFICATE, VERSIONS, CLOCK, DISK])('there is a test for every sentence: $name', (check) => {
  // Root may write everywhere, and every file system here says how much room it has.
  const unseen = check === DISK ? ['readOnly', 'unknown'] : [];
  expect(findUnseen(check).filter((word) => !unseen.includes(word))).toEqual([]);
});
