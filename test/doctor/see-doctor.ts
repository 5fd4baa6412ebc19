// The doctor as operators run it: a process of its own, with the environment of an app in a world of stand-ins.
import { fileURLToPath } from 'node:url';
import { runToEnd } from '../sandbox/child-processes.ts';
import type { World } from '../sandbox/world.ts';

export const DOCTOR = fileURLToPath(new URL('../../scripts/doctor.ts', import.meta.url));

/** `report`: all that it printed. */
export type Visit = { status: number | null; report: string };

export async function seeDoctor(world: World, changes: Record<string, string> = {}): Promise<Visit> {
  const { status, stdout, stderr } = await runToEnd(process.execPath, [DOCTOR], {
    cwd: world.folder,
    env: { ...world.environment, SLACK_BUDGETS: 'documented', ...changes },
  });
  return { status, report: stdout + stderr };
}
