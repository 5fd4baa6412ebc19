import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { pinCommand } from './cores.ts';
import type { Usage, UsageRequest, Watched } from './report-usage.ts';

/** A process that reports its usage: the app, or a bot that it is compared with. */
export type MeasuredProcess = Awaited<ReturnType<typeof startMeasured>>;

type ProcessOptions = {
  name: string;
  script: URL;
  flags?: string[];
  environment: Record<string, string>;
  core: number | undefined;
};

const START_TIMEOUT_MS = 60_000;

const KEPT_CHARACTERS = 1_000;

/** Starts a process and resolves once it listens. If it does not, rejects with its output. */
export async function startMeasured({ name, script, flags = [], environment, core }: ProcessOptions) {
  const reporter = new URL('./report-usage.ts', import.meta.url);
  const [command = '', ...args] = pinCommand(
    [process.execPath, ...flags, '--import', reporter.href, fileURLToPath(script)],
    core,
  );
  const child = startChild(command, args, {
    // A folder without a .env.
    cwd: tmpdir(),
    env: { NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastWords = keepEnd(child);
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const hasStarted = await Promise.race([untilStarted(child), ended.then(() => false)]);
  clearTimeout(timer);
  if (!hasStarted) throw new Error(`${name} did not start:\n${lastWords()}`);
  const request = async (what: UsageRequest): Promise<Usage> => {
    const answer = once(child, 'message');
    child.send(what);
    const [usage] = await Promise.race([answer, ended.then(() => [])]);
    if (!usage) throw new Error(`${name} has ended:\n${lastWords()}`);
    return usage as Usage;
  };
  return {
    /** The end of what it printed. */
    lastWords,
    usage: () => request('read'),
    /** What the process measures of itself during `work`. */
    async watch(work: () => Promise<unknown>): Promise<Watched> {
      await request('watch');
      await work();
      const { watched } = await request('end watch');
      if (!watched) throw new Error(`${name} watched nothing`);
      return watched;
    },
    async stop(): Promise<void> {
      // Nothing that it could still do is needed.
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Reads the output, because the process would block otherwise, and keeps only its end. */
function keepEnd(child: ChildProcess): () => string {
  let end = '';
  const keep = (chunk: Buffer) => {
    end = (end + chunk.toString()).slice(-KEPT_CHARACTERS);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => end;
}

function untilStarted(child: ChildProcess): Promise<true> {
  return new Promise((resolve) => {
    const look = (chunk: Buffer) => {
      if (!/\bstarted\b/.test(chunk.toString())) return;
      child.stdout?.off('data', look);
      resolve(true);
    };
    child.stdout?.on('data', look);
  });
}
