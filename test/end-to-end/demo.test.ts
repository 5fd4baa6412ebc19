import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, describe, expect, it } from 'vitest';

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

describe('the demo', () => {
  const folders: string[] = [];

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** A process group of its own, so that it can be seen whether anything of it is left. */
  function startDemo(...args: string[]) {
    const temporary = mkdtempSync(join(tmpdir(), 'demo-test-'));
    folders.push(temporary);
    const child = startChild(process.execPath, [DEMO, ...args], {
      env: { TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    const print = (chunk: Buffer) => {
      printed += chunk;
    };
    child.stdout?.on('data', print);
    child.stderr?.on('data', print);
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, printed: () => printed, ended, left: () => readdirSync(temporary) };
  }

  it('plays its script to the end, and sums it up in five lines', async () => {
    const { printed, ended } = startDemo('--script');

    expect(await ended, printed()).toBe(0);
    expect(printed()).toMatch(
      /\n\nAna, Ben and Lena asked 6 questions in 4 conversations, .*\n.*\n.*\n.*\nAll of it worked\.\n$/,
    );
  });

  it('refuses a flag that it does not know, with its usage', async () => {
    const { printed, ended } = startDemo('--scrpt');

    expect(await ended).toBe(1);
    expect(printed()).toMatch(/^The demo knows no “--scrpt”\.\n\nUsage: .*\n$/);
  });

  it('shows itself in the browser, at the address that it prints', async () => {
    const { child, printed, ended } = startDemo();
    await waitFor(() => printed().includes('Ctrl-C'));
    const address = /Ready: (http:\S+)/.exec(printed())?.[1] ?? '';

    const page = await (await fetch(address)).text();
    child.kill('SIGINT');

    expect(page).toContain('<work-space>');
    expect(await ended).toBe(130);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('stops the app and removes its folder on %s, %d', async (signal, code) => {
    const { child, printed, ended, left } = startDemo('--browser');
    await waitFor(() => printed().includes('Ctrl-C'));
    expect(left()).toHaveLength(1);

    child.kill(signal);

    expect(await ended).toBe(code);
    expect(left()).toEqual([]);
    expect(hasGroup(child)).toBe(false);
  });
});

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function hasGroup({ pid = 0 }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
