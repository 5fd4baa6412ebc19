import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runToEnd } from './sandbox/child-processes.ts';

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
