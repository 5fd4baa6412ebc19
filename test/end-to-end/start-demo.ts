// `npm run demo` as a process group of its own, so that it can be seen whether anything of it is left.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { expect } from 'vitest';
import { toBundled } from '../app/app-process.ts';

const DEMO = toBundled(fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url)));

export type Demo = ReturnType<typeof startDemo>;

export function startDemo(...args: string[]) {
  const temporary = mkdtempSync(join(tmpdir(), 'demo-test-'));
  // The app that it starts.
  const { APP_BUNDLE = '' } = process.env;
  const child = startChild(process.execPath, [DEMO, ...args], {
    env: { TMPDIR: temporary, ...(APP_BUNDLE && { APP_BUNDLE }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    ended,
    printed: () => printed,
    /** Where it shows itself in the browser, once it does. */
    async address(): Promise<string> {
      while (!printed.includes('Ctrl-C')) await sleep(50);
      return /Ready: (http:\S+)/.exec(printed)?.[1] ?? '';
    },
    /** That it stops the app, and removes its folder. */
    async stopsOn(signal: NodeJS.Signals, code: number): Promise<void> {
      expect(readdirSync(temporary)).toHaveLength(1);
      child.kill(signal);

      expect(await ended).toBe(code);
      expect(readdirSync(temporary)).toEqual([]);
      expect(hasGroup(child.pid)).toBe(false);
    },
    remove: () => rmSync(temporary, { recursive: true }),
  };
}

function hasGroup(pid = 0): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
