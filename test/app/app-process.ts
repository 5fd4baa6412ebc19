// The real app as a process of its own, which can be killed.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { REPLICA_FLAGS } from '../../scripts/deploy/sizes.ts';

export type AppProcess = {
  readonly pid: number;
  /** Every line it has logged so far. */
  readonly lines: readonly string[];
  /** Resolves when it has ended, by itself or killed, and all that it logged is in `lines`. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A second, where nothing else goes on; with many of them at once on a small machine, many. */
const START_TIMEOUT_MS = 120_000;

/** Starts the app and resolves once it listens. Rejects with what it printed where it does not. */
export async function startAppProcess(
  environment: Record<string, string>,
  script = toBundled(MAIN),
): Promise<AppProcess> {
  const child = startChild(process.execPath, [...REPLICA_FLAGS, script], {
    // Not where somebody may have a .env.
    cwd: tmpdir(),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const ended = once(child, 'close').then(([code]) => code as number | null);
  await started(child, lines, ended);
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    async kill(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** The same in fewer files, which start faster, where all tests run: see scripts/test/bundle-app.ts. */
export function toBundled(script: string): string {
  const { APP_BUNDLE } = process.env;
  return APP_BUNDLE === undefined ? script : join(APP_BUNDLE, `${basename(script, '.ts')}.mjs`);
}

async function started(child: ChildProcess, lines: string[], ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isListening = new Promise<boolean>((resolve) => {
    for (const input of [child.stdout, child.stderr]) {
      // Whole lines of each: they come in pieces, and those of one between those of the other.
      if (input) createInterface({ input }).on('line', (line) => read(line));
    }
    const read = (line: string) => {
      if (line) lines.push(line);
      if (line.includes('"msg":"started"')) resolve(true);
    };
    timer = setTimeout(() => resolve(false), START_TIMEOUT_MS);
  });
  const hasStarted = await Promise.race([isListening, ended.then(() => false)]);
  clearTimeout(timer);
  if (hasStarted) return;
  child.kill('SIGKILL');
  throw new Error(`the app did not start:\n${lines.join('\n')}`);
}
