// A script as operators run it: a process of its own.
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { toBundled } from './app/app-process.ts';

const SCRIPTS = fileURLToPath(new URL('../scripts', import.meta.url));

/**
 * `command`: a file in the folder `scripts`, and its arguments. `cwd`: by default a folder without a `.env`. `typed`: all
 * that comes from the terminal.
 */
export async function runApart(
  [script, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
  { cwd = tmpdir(), typed = '' }: { cwd?: string; typed?: string } = {},
) {
  const command = [toBundled(join(SCRIPTS, script)), ...args];
  const child = startChild(process.execPath, command, { cwd, env, stdio: 'pipe' });
  if (!child.stdin || !child.stdout || !child.stderr) throw new Error('the script has no terminal');
  child.stdin.on('error', () => undefined).end(typed);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: status as number | null, out, err };
}

/** `report`: all that it printed. */
export async function runScript(...given: Parameters<typeof runApart>) {
  const { status, out, err } = await runApart(...given);
  return { status, report: out + err };
}
