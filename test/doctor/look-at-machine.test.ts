import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeRoom, lookAtDisk } from '../../src/doctor/look-at-disk.ts';
import { describeNode, lookAtVersions } from '../../src/doctor/look-at-versions.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { VERSION } from '../../src/version.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const MIB = 1024 ** 2;
const servers: Loopback[] = [];
const http = createHttpClient();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await http.close();
});

describe('the doctor and the disk', () => {
  it('tells the room where the database will be, and makes none of its folders', async () => {
    const finding = await lookAtDisk(join(folder, 'not', 'yet', 'bridge.db'));

    expect(finding.sentence).toMatch(/\d+ [GM]iB are free on the disk of \S+\/not\/yet \(SQLITE_PATH\)\.?/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [5_000 * MIB, 'ok', '5 GiB are free on the disk of /data (SQLITE_PATH).'],
    [900 * MIB, 'warning', 'Only 900 MiB are free on the disk of /data (SQLITE_PATH). Make room there, or'],
    [10 * MIB, 'error', 'Only 10 MiB are free on the disk of /data (SQLITE_PATH): the database soon takes no writes'],
  ])('judges %i free bytes', (bytes, level, sentence) => {
    expect(describeRoom('/data', bytes)).toMatchObject({ level, sentence: expect.stringContaining(sentence) });
  });

  it('is an error where nothing can be written', async () => {
    // Has no room at all, and nobody but root may write there.
    expect(await lookAtDisk('/proc/bridge.db')).toMatchObject({ level: 'error' });
  });
});

/** What is said beside an app whose `/metrics` are these. */
async function look(metrics: string) {
  const server = await listen((_, response) => response.end(metrics));
  servers.push(server);
  const config = { OPS_HOST: '127.0.0.1', OPS_PORT: Number(new URL(server.url).port) };
  return (await lookAtVersions(config, { http, isAppReady: Promise.resolve(true) })).slice(1);
}

const buildInfo = (version: string) =>
  `# TYPE assistant_bridge_build_info gauge\nassistant_bridge_build_info{version="${version}",node="24.9.0"} 1\n`;

describe('the doctor and the versions', () => {
  it('knows a Node that is too old', () => {
    expect(describeNode('24.0.1')).toMatchObject({
      level: 'ok',
      sentence: `This is release ${VERSION} on Node 24.0.1.`,
    });
    expect(describeNode('22.18.0')).toMatchObject({ level: 'error' });
  });

  it('compares the app that runs with the release that looks', async () => {
    expect(await look(buildInfo(VERSION))).toMatchObject([
      { level: 'ok', sentence: 'The app on this machine is the same release, on Node 24.9.0.' },
    ]);
    expect(await look(buildInfo('9.9.9'))).toMatchObject([
      {
        level: 'warning',
        sentence: expect.stringMatching(/^The app on this machine is release 9\.9\.9, and .* Restart/),
      },
    ]);
  });

  it('says nothing where another program has that port, or no app is ready', async () => {
    expect(await look('<h1>hello</h1>')).toEqual([]);
    expect(
      await lookAtVersions({ OPS_HOST: '*', OPS_PORT: 1 }, { http, isAppReady: Promise.resolve(false) }),
    ).toHaveLength(1);
  });
});
