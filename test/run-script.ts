// A script as operators run it: a process of its own, in a folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SCRIPTS = fileURLToPath(new URL('../scripts', import.meta.url));

/** `command`: a file in the folder `scripts`, and its arguments. `report`: all that it printed. */
export async function runScript(command: [string, ...string[]], environment: Record<string, string>, cwd: string) {
  const [script, ...args] = command;
  const child = spawn(process.execPath, [join(SCRIPTS, script), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: Number(status), report: stdout + stderr };
}
