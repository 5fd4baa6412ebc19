import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process that a test has started and nobody has ended. */
export type Leftover = {
  pid: number;
  /** The file of the test, from the root of the project. */
  testFile: string;
  command: string;
};

/** A process of this user, with all of its environment; `environment` and `command` may be the same text. */
type Running = { pid: number; environment: string; command: string };

/**
 * The processes with this value of TEST_RUN in their environment, and a TEST_FILE, which the test runner's own processes
 * do not have. On systems without /proc, `ps` shows the environment.
 */
export function findLeftovers(testRun: string): Leftover[] {
  const running = existsSync('/proc/self/environ') ? readProc() : askPs();
  return running.flatMap(({ pid, environment, command }) => {
    const testFile = readVariable(environment, 'TEST_FILE');
    return testFile && readVariable(environment, 'TEST_RUN') === testRun ? [{ pid, testFile, command }] : [];
  });
}

/** Ends them at once. Ignores those that have just ended by themselves. */
export function endLeftovers(leftovers: readonly Leftover[]): void {
  for (const { pid } of leftovers) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Variables are separated by NUL in /proc, by spaces in what `ps` prints: these two have no space in their values. */
function readVariable(environment: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\0 ])${name}=([^\\0 ]+)`).exec(environment)?.[1];
}

function readProc(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        // Empty for a zombie process.
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return [{ pid: Number(pid), environment, command }];
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return [];
      }
    });
}

/** `E`: the environment after the command; `ww`: not cut. */
function askPs(): Running[] {
  const { stdout } = spawnSync('ps', ['-xwwE', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, rest] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid && rest ? [{ pid: Number(pid), environment: rest, command: rest.slice(0, 120) }] : [];
  });
}
