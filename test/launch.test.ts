import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REPLICA_FLAGS } from '../scripts/deploy/sizes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let project: string;

/** The project as it is cloned, and an npm that says what it does on standard output, as npm itself does. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'launch-'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(project, file));
  for (const folder of ['src', 'scripts', 'manifest'])
    cpSync(join(ROOT, folder), join(project, folder), { recursive: true });
  mkdirSync(join(project, 'bin'));
  writeFileSync(join(project, 'bin', 'npm'), '#!/bin/sh\nmkdir -p node_modules\necho added 100 packages\n');
  chmodSync(join(project, 'bin', 'npm'), 0o755);
});
afterEach(() => rmSync(project, { recursive: true }));

function launch(...args: string[]) {
  return runToEnd(process.execPath, [join(project, 'scripts', 'launch.mjs'), ...args], {
    env: { PATH: [join(project, 'bin'), process.env.PATH].join(delimiter) },
  });
}

describe('what a script prints may go into a file', () => {
  it('also where the packages are installed first', async () => {
    const { stdout, stderr } = await launch('scripts/manifest.ts', 'https://bridge.example');

    expect(JSON.parse(stdout)).toMatchObject({ settings: { org_deploy_enabled: true } });
    expect(stderr).toMatch(/^Installing packages \(npm ci\): this takes about half a minute …\nadded 100 packages$/m);
  });

  it('and the manifest installs nothing anew after an installation by hand', async () => {
    mkdirSync(join(project, 'node_modules'));

    const { stdout, stderr } = await launch('scripts/manifest.ts', 'https://bridge.example');

    expect(JSON.parse(stdout)).toMatchObject({ settings: { org_deploy_enabled: true } });
    expect(stderr).toBe('');
  });
});

describe('where the app is installed', () => {
  it.each(['main', 'doctor', 'audit', 'backup'])('%s leaves the installed packages as they are', async (name) => {
    mkdirSync(join(project, 'node_modules'));

    const { stderr } = await launch(name === 'main' ? 'src/main.ts' : `scripts/${name}.ts`);

    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('Installing packages');
  });
});

/** Says with which flags it runs and what it gets, as the app would, and drains for a moment. */
const APP = `
process.on('SIGTERM', () => {
  console.log('drains');
  setTimeout(() => process.exit(0), 100);
});
setInterval(() => undefined, 60_000);
console.log(process.execArgv.join(' '));
`;

describe.each([
  ['a Node that can become it', {}],
  ['a Node that starts it', { NODE_OPTIONS: '--import=data:text/javascript,delete%20process.execve' }],
])('the app that npm start runs with %s', (_, environment) => {
  async function startByNpm() {
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    writeFileSync(join(project, 'src', 'main.ts'), APP);
    const npm = startChild('npm', ['start', '--silent'], {
      cwd: project,
      env: { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!npm.stdout) throw new Error('no output');
    const said: string[] = [];
    const lines = createInterface(npm.stdout).on('line', (line) => said.push(line));
    await once(lines, 'line');
    // Every process that npm started holds the output open.
    const over = once(lines, 'close').then(() => said);
    return { npm, over };
  }

  it.each([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)('has the memory of a replica, and stops in peace after a %s to npm', async (signal, expected) => {
    const { npm, over } = await startByNpm();

    npm.kill(signal);
    // That of npm, which waits for the app where it can.
    const [status] = await once(npm, 'exit');

    expect(status).toBe(expected);
    expect(await over).toEqual([expect.stringContaining(REPLICA_FLAGS.join(' ')), 'drains']);
  });
});
