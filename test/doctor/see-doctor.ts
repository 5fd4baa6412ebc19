// The doctor as operators run it: a process of its own, with the environment of an app in a world of stand-ins.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { World } from '../sandbox/world.ts';

export const DOCTOR = fileURLToPath(new URL('../../scripts/doctor.ts', import.meta.url));

/** `report`: all that it printed. */
export type Visit = { status: number; report: string };

export async function seeDoctor(world: World, changes: Record<string, string> = {}): Promise<Visit> {
  const child = spawn(process.execPath, [DOCTOR], {
    cwd: world.folder,
    env: { PATH: process.env.PATH, ...world.environment, SLACK_BUDGETS: 'documented', ...changes },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status, report: stdout + stderr };
}
