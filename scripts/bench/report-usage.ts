// Loaded into a process that is measured (`node --import`), to answer what it has used so far. Unlike /proc this works
// on every system, and counts in microseconds instead of ticks of ten milliseconds.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Commits, readCommits } from './count-commits.ts';

export type Usage = Commits & {
  /** Processor time since the start, of all threads, user and system, in ms. */
  cpuMs: number;
  /** Resident memory, in bytes. */
  memoryBytes: number;
  /** What of it is objects and buffers in use, and not room that the engine keeps. Exact after a `tidy` only. */
  heldBytes: number;
};

/** `tidy`: throws away first what nobody needs any more. */
export type UsageRequest = 'as-it-is' | 'tidy';

process.on('message', (request: UsageRequest) => {
  if (request === 'tidy') collectGarbage();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    memoryBytes: rss,
    heldBytes: heapUsed + external,
    ...readCommits(),
  };
  process.send?.(usage);
});
// Listening must not keep the process alive by itself, and nobody should be left over from a bench that was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();

/** The flag is set only now, so that a process whose memory is not looked at runs as it always does. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // As when memory runs out: what the engine would keep for later goes back to the system as well.
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
