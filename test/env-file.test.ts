import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnvFile, readSecretFiles } from '../src/env-file.ts';
import { startWorld, type World } from './app/world.ts';
import { ownFolder } from './own-folder.ts';
import { runScript } from './run-script.ts';

const NAMES = ['SECRET', 'NEXT', 'PEM'];

const folder = ownFolder('env-file');
let count = 0;

function read(text: string) {
  const path = join(folder, `${count++}.env`);
  writeFileSync(path, text);
  const { values, problems } = readEnvFile(path, NAMES);
  return { values, problems: problems.map((problem) => problem.replace(path, 'file')) };
}

describe('a file of variables', () => {
  it.each([
    ["SECRET='ab$1c;d e'", 'ab$1c;d e'],
    ['SECRET=\'a #b\\n"c"`d\'', 'a #b\\n"c"`d'],
    ['SECRET="it\'s"', "it's"],
    ['SECRET=ab$1c;d e', 'ab$1c;d e'],
    ['SECRET=k1:AbC+/==,k2:x==', 'k1:AbC+/==,k2:x=='],
    ['  export SECRET = spaced   # and a comment with a#b', 'spaced'],
    ["SECRET='quoted' # and a comment", 'quoted'],
    ['\uFEFFSECRET=after a byte order mark', 'after a byte order mark'],
    ['SECRET=of Windows\r', 'of Windows'],
    ['SECRET=', ''],
    ['SECRET=   # nothing yet', ''],
    ['SECRET=`it\'s "quoted"`', 'it\'s "quoted"'],
  ])('has the value as it is written: %s', (line, value) => {
    expect(read(`${line}\nNEXT=1\n`)).toEqual({ values: { SECRET: value, NEXT: '1' }, problems: [] });
  });

  it('may have a certificate over several lines in single quotes', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIE+/=\n-----END PRIVATE KEY-----';

    expect(read(`PEM='${pem}'\nNEXT=1`)).toEqual({ values: { PEM: pem, NEXT: '1' }, problems: [] });
  });

  it.each([
    ['SECRET=hush#hush', 'line 1: SECRET'],
    ['SECRET=hush #hush', 'line 1: SECRET'],
    ['SECRET=#hush', 'line 1: SECRET'],
    ['SECRET="hush\\nhush"', 'line 1: SECRET'],
    ['SECRET="say \\"hush\\""', 'line 1: SECRET'],
    ["SECRET='hush", 'line 1: SECRET'],
    ["SECRET='hush\nNEXT='1'", 'line 1: SECRET'],
    ["SECRET='hush\n# it's a comment\nNEXT=1", 'line 1: SECRET'],
    ["PEM='-----BEGIN KEY-----\nhush\nNEXT='1'", 'line 1: PEM'],
    ["OTHER='hush\nNEXT='1'", 'line 2: NEXT'],
  ])('is refused, with the line and the name but not the value, where Node reads something else: %s', (text, place) => {
    expect(read(text).problems).toEqual([
      expect.stringMatching(new RegExp(`^file ${place} is not read as it is written, [^]*single quotes`)),
    ]);
    expect(read(text).problems.join()).not.toContain('hush');
  });

  it('may be missing', () => {
    expect(readEnvFile(join(folder, 'missing'), NAMES)).toEqual({ values: {}, problems: [] });
  });

  it('is named where it cannot be read', () => {
    expect(readEnvFile(folder, NAMES).problems).toEqual([
      `${folder} cannot be read (EISDIR). Make it a file that this process may read, or remove it.`,
    ]);
  });
});

function writeSecret(text: string): string {
  const path = join(mkdtempSync(join(folder, 'secret-')), 'value');
  writeFileSync(path, text);
  return path;
}

describe('a secret in a file', () => {
  const PEM = '-----BEGIN PRIVATE KEY-----\nMIIE+/=\n-----END PRIVATE KEY-----';
  const UNREADABLE = 'It has to be the path of a file that this process may read.';

  it.each<[string, () => Record<string, string>, Record<string, string>]>([
    [
      'is read without the line break at its end',
      () => ({ TOKEN_FILE: writeSecret('ab$1c;d #e\n') }),
      { TOKEN: 'ab$1c;d #e' },
    ],
    ['keeps the lines of a certificate', () => ({ PEM_FILE: writeSecret(`${PEM}\n`) }), { PEM }],
    ['is read for the named variables only', () => ({ PORT_FILE: writeSecret('3000') }), {}],
  ])('%s', (_, environment, values) => {
    expect(readSecretFiles(environment(), ['TOKEN', 'PEM'])).toEqual({ values, problems: [] });
  });

  it.each<[string, () => Record<string, string>, string]>([
    ['no file', () => ({ TOKEN_FILE: '/no/hush' }), `TOKEN_FILE cannot be read (ENOENT). ${UNREADABLE}`],
    ['a folder', () => ({ TOKEN_FILE: folder }), `TOKEN_FILE cannot be read (EISDIR). ${UNREADABLE}`],
    [
      'an empty file',
      () => ({ TOKEN_FILE: writeSecret(' \n') }),
      'TOKEN_FILE is the path of an empty file. Write the value into it.',
    ],
    [
      'a file beside the value itself',
      () => ({ TOKEN: 'hush', TOKEN_FILE: writeSecret('other') }),
      'TOKEN and TOKEN_FILE are both set: leave one of them out.',
    ],
  ])('is a problem, named without its path: %s', (_, environment, problem) => {
    expect(readSecretFiles(environment(), ['TOKEN'])).toEqual({ values: {}, problems: [problem] });
  });
});

describe('.env in the folder of the process', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ identityProvider: { clientSecret: 'ab$1c;d #e' } });
  });
  afterAll(() => world.close());

  function write(environment: Record<string, string>): string {
    const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
    const place = mkdtempSync(join(folder, 'process-'));
    writeFileSync(join(place, '.env'), lines.join('\n'));
    return place;
  }

  it('is read by the doctor, the environment counts more, and secrets may be in files, as the services take them', async () => {
    const names = ['SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN', 'ENCRYPTION_KEYS', 'AUTH_CLIENT_SECRET'];
    const inFiles = Object.entries({ ...world.environment, PORT: 'many' }).map(([name, value]) =>
      names.includes(name) ? [`${name}_FILE`, writeSecret(`${value}\n`)] : [name, value],
    );
    const { PORT = '' } = world.environment;

    const { report } = await runScript(['doctor.ts'], { PORT }, { cwd: write(Object.fromEntries(inFiles)) });

    expect(report).toContain('✓ Every variable can be read.');
    expect(report).toContain(`port ${PORT} (PORT) of this machine`);
    expect(report).toContain('✓ Slack accepts SLACK_BOT_TOKEN');
    expect(report).not.toContain('✗ The identity provider');
  });

  it('is read by the audit script', async () => {
    const { SLACK_BOT_TOKEN: _, ...rest } = world.environment;

    const cwd = write({ ...rest, SLACK_BOT_TOKEN: 'xoxp-hush' });
    const { status, report } = await runScript(['audit.ts', 'list'], {}, { cwd });

    expect(status).toBe(1);
    expect(report).toBe(
      'SLACK_BOT_TOKEN looks like a user token (xoxp-…). It has to be the xoxb-… of OAuth & Permissions → Bot User OAuth Token.\n',
    );
  });

  it('is read by the app, and ends its start where it cannot be', async () => {
    const cwd = mkdtempSync(join(folder, 'process-'));
    mkdirSync(join(cwd, '.env'));

    const ended = await runScript(['../src/main.ts'], world.environment, { cwd });

    expect(ended).toEqual({
      status: 1,
      report:
        'The configuration has 1 problem(s):\n- .env cannot be read (EISDIR). Make it a file that this process may read, or remove it.\n',
    });
  });
});
