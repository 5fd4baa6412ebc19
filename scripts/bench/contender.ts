import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Usage } from './report-usage.ts';

/** A process that is measured: the app, or the bot that it is compared with. */
export type Contender = {
  name: string;
  /** Where Slack posts its events. */
  eventsUrl: string;
  usage(): Promise<Usage>;
  /** The last lines that it printed. */
  lastLines(): string;
  stop(): Promise<void>;
};

export type ContenderOptions = {
  name: string;
  eventsUrl: string;
  script: URL;
  environment: Record<string, string>;
  isPinned: boolean;
  profileFolder: string | undefined;
};

const START_TIMEOUT_MS = 20_000;

/** The app drains for as long as it is told to; nothing should be left to drain here. */
const STOP_TIMEOUT_MS = 10_000;

const KEPT_LINES = 20;

/** The sandbox works on the first core, what is measured on the second. */
const SANDBOX_CORE = '0';
const CONTENDER_CORE = '1';

/** Keeps this process to its own core. False where the system has no `taskset`, or no second core. */
export function pinToOwnCore(): boolean {
  if (availableParallelism() < 2) return false;
  if (spawnSync('taskset', ['-c', CONTENDER_CORE, 'true']).status !== 0) return false;
  return spawnSync('taskset', ['-a', '-c', '-p', SANDBOX_CORE, String(process.pid)]).status === 0;
}

/** Starts it and resolves once it listens. Rejects with what it printed where it does not. */
export async function startContender(options: ContenderOptions): Promise<Contender> {
  const { name, eventsUrl, environment } = options;
  const [command = '', ...args] = buildCommand(options);
  const child = spawn(command, args, {
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
    name,
    eventsUrl,
    lastLines,
    async usage() {
      const answer = once(child, 'message');
      child.send('usage');
      const [usage] = await answer;
      return usage as Usage;
    },
    async stop() {
      child.kill('SIGTERM');
      await Promise.race([ended, rest(STOP_TIMEOUT_MS)]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function buildCommand({ script, isPinned, profileFolder }: ContenderOptions): string[] {
  const pin = isPinned ? ['taskset', '-c', CONTENDER_CORE] : [];
  const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', profileFolder] : [];
  const usage = new URL('./report-usage.ts', import.meta.url);
  return [...pin, process.execPath, ...profile, '--import', usage.href, fileURLToPath(script)];
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
