// Loaded into each process that is measured (`node --import`), to answer what it has used so far: it does not have to
// know. Unlike /proc, the processor time counts in microseconds instead of ticks of ten milliseconds.
import { readFileSync } from 'node:fs';
import { type Commits, readCommits } from './count-commits.ts';
import { type Watched, watchProcess } from './watch-process.ts';

export type Usage = Commits & {
  /** Processor time since the start, of all threads, user and system, in ms. */
  cpuMs: number;
  memoryBytes: number;
  /** What went to the disk. Undefined where the system has no /proc. */
  writtenBytes: number | undefined;
  /** Since it was asked to watch, in the answer to `end watch`. */
  watched: Watched | undefined;
};

/** Watching costs a little. */
export type UsageRequest = 'read' | 'watch' | 'end watch';

let endWatch: (() => Watched) | undefined;

process.on('message', (request: UsageRequest) => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (user + system) / 1000,
    memoryBytes: process.memoryUsage.rss(),
    writtenBytes: readWritten(),
    ...readCommits(),
    watched: request === 'end watch' ? endWatch?.() : undefined,
  };
  if (request === 'watch') endWatch = watchProcess();
  process.send?.(usage);
});
// Listening must not keep the process alive by itself, and nobody should be left over from a bench that was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();

function readWritten(): number | undefined {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
