// A register of the size that a tenant may have, and those that nobody could read.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { openRegisterFile } from '../../../src/governance/register/register-file.ts';
import { countExpanded } from '../../../src/governance/register/register-problem.ts';

const HEAD = [
  'schema: 1',
  'defaults:',
  '  maker-development:',
  '    allocations: { AI: { allocated: 0, rules: { Alert: on, TenantPool: off, PayGo: off, Deny: on } } }',
  'environments:',
];

const SMALL = [...HEAD, '  - { id: env-1, classification: maker-development }'].join('\n');

/** Environments that share one list of agents. */
function aSharing(environments: number, agents: number): string {
  const shared = Array.from({ length: agents }, (_, index) => `{ id: agent-${index}, monthlyLimit: none }`).join(', ');
  const others = Array.from(
    { length: environments - 1 },
    (_, index) => `  - { id: env-${index + 1}, classification: maker-development, agents: *agents }`,
  );
  return [...HEAD, `  - { id: env-0, classification: maker-development, agents: &agents [${shared}] }`, ...others].join(
    '\n',
  );
}

describe('a register that is too large', () => {
  it('is refused by what it holds, however short it is, before that is looked at', () => {
    expect(readRegister(aSharing(251, 100))).toMatchObject({
      problems: [{ line: 1, sentence: expect.stringContaining('25,000') }],
    });
    expect(readRegister(aSharing(20, 100))).toHaveProperty('register');
  });

  it('counts what is repeated as often as it is', () => {
    const one = { a: 1, b: [2, 3] };

    expect(countExpanded([one, one])).toBe(11);
    expect(countExpanded(one)).toBe(5);
  });
});

describe('the file of a register', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'register-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is read each time, and understood again only where it was changed', async () => {
    const path = join(folder, 'register.yaml');
    await writeFile(path, SMALL);
    const open = openRegisterFile(path);

    const first = await open();
    const second = await open();
    await writeFile(path, `${SMALL} # changed`);
    const changed = await open();

    expect(second.read).toBe(first.read);
    expect(changed.read).not.toBe(first.read);
    expect(changed.read).toHaveProperty('register');
  });

  it('is refused unread where it is longer than 4 MB', async () => {
    const path = join(folder, 'register.yaml');
    await writeFile(path, SMALL);
    await truncate(path, 4 * 1024 * 1024 + 1);

    expect(await openRegisterFile(path)()).toMatchObject({
      text: '',
      read: { problems: [{ sentence: 'Make this file shorter: it may have 4 MB at most.' }] },
    });
  });

  it('is an error where it is not there, and read once it is', async () => {
    const path = join(folder, 'register.yaml');
    const open = openRegisterFile(path);

    await expect(open()).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path, SMALL);
    expect((await open()).read).toHaveProperty('register');
  });
});
