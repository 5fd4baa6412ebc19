// A register of the size that a tenant may have, and those that nobody could read.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExported } from '../../../src/governance/register/export-register.ts';
import { readRegister } from '../../../src/governance/register/read-register.ts';
import { openRegisterFile, runRegisterWork } from '../../../src/governance/register/register-in-worker.ts';
import { countExpanded } from '../../../src/governance/register/register-problem.ts';
import { AT, anException, openRegister } from './register-samples.ts';

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

describe('work on a register', () => {
  it('leaves the app free meanwhile', async () => {
    const agents = Array.from({ length: 3_000 }, (_, index) => `      - { id: agent-${index}, monthlyLimit: none }`);
    const text = [...HEAD, '  - id: env-1', '    classification: maker-development', '    agents:', ...agents].join(
      '\n',
    );
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);

    const read = await runRegisterWork({ kind: 'read', text });
    clearInterval(timer);

    expect(read).toEqual(readRegister(text));
    expect(ticks).toBeGreaterThan(10);
  });

  it('is the same as in the app itself', async () => {
    const additions = findExported(openRegister(SMALL), [anException()], AT);

    const text = await runRegisterWork({ kind: 'export', text: SMALL, additions });

    expect(openRegister(text).environments[0]?.exceptions).toHaveLength(1);
  });

  it('is an error, and the next one is done, where its thread dies', async () => {
    const noText = undefined as unknown as string;

    await expect(runRegisterWork({ kind: 'read', text: noText })).rejects.toMatchObject({
      code: 'register_work_failed',
    });
    expect(await runRegisterWork({ kind: 'read', text: SMALL })).toHaveProperty('register');
  });

  it('is an error where it takes too long', async () => {
    await expect(runRegisterWork({ kind: 'read', text: aSharing(1_000, 90) }, { limitMs: 1 })).rejects.toThrow(
      'longer than 1 ms',
    );
  });
});

describe('a register that is too large', () => {
  it('is refused by what it holds, however short it is, before that is looked at', () => {
    expect(readRegister(aSharing(1_001, 100))).toMatchObject({
      problems: [{ line: 1, sentence: expect.stringContaining('100,000') }],
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

    const [first, same] = await Promise.all([open(), open()]);
    const second = await open();
    await writeFile(path, `${SMALL} # changed`);
    const changed = await open();

    expect(second.read).toBe(first.read);
    expect(second.read).toBe(same.read);
    expect(changed.read).not.toBe(first.read);
    expect(changed.read).toHaveProperty('register');
  });

  it('is refused unread where it is longer than 16 MB', async () => {
    const path = join(folder, 'register.yaml');
    await writeFile(path, SMALL);
    await truncate(path, 16 * 1024 * 1024 + 1);

    expect(await openRegisterFile(path)()).toMatchObject({
      text: '',
      read: { problems: [{ sentence: 'Make this file shorter: it may have 16 MB at most.' }] },
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
