// Every process that the sandbox and the tests start is started here, so that none outlives what started it.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What a process has printed by its end, and its exit code; null where a signal ended it. */
export type Ended = { status: number | null; stdout: string; stderr: string };

export type ChildOptions = Pick<SpawnOptions, 'cwd' | 'detached' | 'stdio'> & {
  /** Besides PATH, all that the process finds in its environment. */
  env?: Record<string, string>;
};

/** Handed on to every process, and by these to theirs: who started it, and where compiled code is kept. */
const HANDED_ON = ['PATH', 'TEST_RUN', 'TEST_FILE', 'NODE_COMPILE_CACHE'];

const children = new Set<ChildProcess>();

/** Starts a program. It is killed when this process ends in any way that it can notice, or by `endChildren`. */
export function startChild(program: string, args: readonly string[], options: ChildOptions = {}): ChildProcess {
  const child = spawn(program, args, { ...options, env: { ...readHandedOn(), ...options.env } });
  if (children.size === 0) process.once('exit', killChildren);
  children.add(child);
  child.once('exit', () => forget(child));
  // Where there is no such program, only `error` is emitted.
  child.once('error', () => forget(child));
  return child;
}

/** Starts a program and waits for its end. It has no standard input. */
export async function runToEnd(program: string, args: readonly string[], options: ChildOptions = {}): Promise<Ended> {
  const child = startChild(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  if (!child.stdout || !child.stderr) throw new Error(`the output of ${program} cannot be read`);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status, stdout, stderr };
}

/** Kills whatever is still running, frozen or not. Resolves once it is gone. */
export async function endChildren(): Promise<void> {
  const ended = [...children].map((child) => once(child, 'exit'));
  killChildren();
  await Promise.all(ended);
}

/** For where nothing can be waited for any more. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}

function forget(child: ChildProcess): void {
  children.delete(child);
  if (children.size === 0) process.off('exit', killChildren);
}

function readHandedOn(): Record<string, string> {
  return Object.fromEntries(HANDED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
