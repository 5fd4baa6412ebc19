// A script as operators run it: a process of its own, in a folder of its own.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { toBundled } from './app/app-process.ts';

const SCRIPTS = fileURLToPath(new URL('../scripts', import.meta.url));

/** `command`: a file in the folder `scripts`, and its arguments. `report`: all that it printed. */
export async function runScript(command: [string, ...string[]], environment: Record<string, string>, cwd: string) {
  const [script, ...args] = command;
  const { status, stdout, stderr } = await runToEnd(process.execPath, [toBundled(join(SCRIPTS, script)), ...args], {
    env: environment,
    cwd,
  });
  return { status: Number(status), report: stdout + stderr };
}
