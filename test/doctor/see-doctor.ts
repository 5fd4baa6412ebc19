// The doctor, with the environment of an app in a world of stand-ins.
import { hasErrors, renderReport } from '../../scripts/doctor/report.ts';
import { readConfig } from '../../src/config.ts';
import type { Stage } from '../../src/doctor/check.ts';
import { lookAtAll } from '../../src/doctor/examine.ts';
import type { World } from '../app/world.ts';
import { runScript } from '../run-script.ts';

/** `report`: all that it printed. */
export type Visit = { status: number | null; report: string };

/** As operators run it: a process of its own. Where no app runs, that is no error unless `args` are others. */
export function runDoctor(
  world: World,
  changes: Record<string, string> = {},
  args = ['--before-start'],
): Promise<Visit> {
  return runScript(['doctor.ts', ...args], toEnvironment(world, changes), { cwd: world.folder });
}

/** What that process would print and end with, without its start. */
export async function seeDoctor(
  world: World,
  changes: Record<string, string> = {},
  stage: Stage = 'before start',
): Promise<Visit> {
  const sections = await lookAtAll(() => readConfig(toEnvironment(world, changes)), stage);
  return { status: hasErrors(sections) ? 1 : 0, report: `${renderReport(sections)}\n` };
}

function toEnvironment(world: World, changes: Record<string, string>): Record<string, string> {
  return { ...world.environment, SLACK_BUDGETS: 'documented', ...changes };
}
