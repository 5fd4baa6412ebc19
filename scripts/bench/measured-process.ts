import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinCommand } from './cores.ts';
import type { Usage, UsageRequest } from './report-usage.ts';

/** A process that says what it has used: a replica of the app, or a bot that it is compared with. */
export type MeasuredProcess = {
  usage(request?: UsageRequest): Promise<Usage>;
  /** The last lines that it printed. */
  lastLines(): string;
  stop(): Promise<void>;
};

export type ProcessOptions = {
  name: string;
  script: URL;
  environment: Record<string, string>;
  core: number | undefined;
  profileFolder: string | undefined;
  /** How it is stopped; `at-once` unless told otherwise, or it is profiled. */
  end?: 'orderly' | 'at-once';
};

const START_TIMEOUT_MS = 20_000;

/** A profile is written at an orderly end, for which the app needs a moment. */
const STOP_TIMEOUT_MS = 15_000;

const KEPT_LINES = 20;

/** Starts it and resolves once it listens. Rejects with what it printed where it does not. */
export async function startMeasured(options: ProcessOptions): Promise<MeasuredProcess> {
  const { name, environment, profileFolder, end } = options;
  const [command = '', ...args] = buildCommand(options);
  const child = spawn(command, args, {
    // Not where somebody may have a .env.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines = keepLines(child);
  const ended = once(child, 'exit');
  const lastLines = () => lines.slice(-KEPT_LINES).join('\n');
  const hasStarted = await Promise.race([
    untilStarted(child).then(() => true),
    ended.then(() => false),
    rest(START_TIMEOUT_MS).then(() => false),
  ]);
  if (!hasStarted) {
    child.kill('SIGKILL');
    throw new Error(`${name} did not start:\n${lastLines()}`);
  }
  return {
    lastLines,
    async usage(request = 'as-it-is') {
      const answer = once(child, 'message');
      child.send(request);
      const [usage] = await Promise.race([answer, ended.then(() => [])]);
      if (!usage) throw new Error(`${name} has ended:\n${lastLines()}`);
      return usage as Usage;
    },
    async stop() {
      // Nothing of it is needed any more, so there is nothing to wait for.
      if (profileFolder || end === 'orderly') {
        child.kill('SIGTERM');
        await Promise.race([ended, rest(STOP_TIMEOUT_MS)]);
      }
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function buildCommand({ script, core, profileFolder }: ProcessOptions): string[] {
  const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', resolve(profileFolder)] : [];
  const usage = new URL('./report-usage.ts', import.meta.url);
  return pinCommand([process.execPath, ...profile, '--import', usage.href, fileURLToPath(script)], core);
}

/** Its log has to be read, or it would wait for us; only the last lines are worth keeping. */
function keepLines(child: ChildProcess): string[] {
  const lines: string[] = [];
  const keep = (chunk: Buffer) => {
    lines.push(chunk.toString().trimEnd());
    if (lines.length > KEPT_LINES) lines.shift();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return lines;
}

function untilStarted(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const look = (chunk: Buffer) => {
      if (!/\bstarted\b/.test(chunk.toString())) return;
      child.stdout?.off('data', look);
      resolve();
    };
    child.stdout?.on('data', look);
  });
}

/** A wait that does not keep the process alive. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
