// Loaded into each measured process (`node --import`) to report its usage. The process itself needs no code for that. The
// processor time is in microseconds, while /proc has ticks of ten milliseconds.
import { readFileSync } from 'node:fs';
import { type Commits, readCommits } from './count-commits.ts';
import { type Watched, watchProcess } from './watch-process.ts';

export type Usage = Commits & {
  /** Processor time since the start, of all threads, user and system, in ms. */
  cpuMs: number;
  memoryBytes: number;
  /** Written to the disk. Undefined if the system has no /proc. */
  writtenBytes: number | undefined;
  /** In the answer to `end watch`: what was watched since `watch`. */
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
// Listening must not keep the process alive, and a bench that is killed must leave no process behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();

function readWritten(): number | undefined {
  try {
    return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
