import { spawnSync } from 'node:child_process';

/** The numbers of processor cores. The measured process has a core of its own. */
export type Cores = { standIns: number; measured: number };

/** Undefined if the system has no `taskset`, or this process may use only one core: then nothing is pinned. */
export function layOutCores(): Cores | undefined {
  const [standIns, measured] = readCores();
  return standIns === undefined || measured === undefined ? undefined : { standIns, measured };
}

/** Pins a process to one core; processes that it starts later stay there, too. */
export function pinProcess(pid: number, core: number): void {
  const { status, stderr } = taskset('-a', '-c', '-p', String(core), String(pid));
  if (status !== 0) throw new Error(`process ${pid} could not be kept to core ${core}: ${stderr}`);
}

/** The same command, on one core from its first moment. */
export function pinCommand(command: string[], core: number | undefined): string[] {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command];
}

export function describeCores(cores: Cores | undefined): string {
  if (!cores)
    return 'There is no `taskset` or no second core here: nothing is pinned, so take the figures with caution.';
  return `Core ${cores.standIns}: the stand-ins and Redis. Core ${cores.measured}: whatever is measured.`;
}

/** The cores that this process may use: `pid 7's current affinity list: 0,2-3` gives 0, 2 and 3. */
function readCores(): number[] {
  const { status, stdout } = taskset('-c', '-p', String(process.pid));
  if (status !== 0) return [];
  const list = stdout.slice(stdout.lastIndexOf(':') + 1).trim();
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function taskset(...args: string[]) {
  return spawnSync('taskset', args, { encoding: 'utf8' });
}
