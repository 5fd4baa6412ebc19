import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findProgram, requireProgram, type SystemProgram } from './system-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'programs-'));
const program: SystemProgram = {
  name: 'odd-server',
  programs: ['odd-one', 'odd-other'],
  purpose: 'to be odd',
};

function put(name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  chmodSync(path, mode);
  return path;
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('a program of the system', () => {
  it('is asked for in one sentence where there is none', () => {
    expect(() => requireProgram(program)).toThrow(
      /^This needs odd-server to be odd: install it with your system’s package manager, then run it again\.$/,
    );
  });

  it('is found by any of its names in a folder of PATH, or by a path of its own', () => {
    const path = put('odd-other');

    expect(findProgram(program, folder)).toBe(path);
    expect(findProgram({ ...program, paths: [path] })).toBe(path);
  });

  it('is none where nobody may run it', () => {
    put('odd-one', 0o644);

    expect(findProgram({ ...program, programs: ['odd-one'] }, folder)).toBeUndefined();
  });
});
