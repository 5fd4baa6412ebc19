import { statSync } from 'node:fs';

export type FileWatch = {
  /** Whether the open database is still the one at its path. Costs a few microseconds. */
  isThere(): boolean;
  stop(): void;
};

/** How often to check while nothing is written, in ms. */
const LOOK_EVERY_MS = 1_000;

/**
 * Notices if the database file or its `-wal` is deleted or replaced while it is open. SQLite goes on writing to the
 * deleted file without an error, and all of that is lost when the process ends. `onGone` is called once.
 */
export function watchFiles(path: string, onGone: () => void): FileWatch {
  const files = [path, `${path}-wal`].map((file) => ({ file, opened: identify(file) }));
  let isGone = false;

  function isThere(): boolean {
    if (isGone) return false;
    isGone = files.some((one) => {
      const found = identify(one.file);
      one.opened ??= found;
      return found !== one.opened;
    });
    if (isGone) {
      clearInterval(timer);
      onGone();
    }
    return !isGone;
  }

  const timer = setInterval(isThere, LOOK_EVERY_MS).unref();
  return { isThere, stop: () => clearInterval(timer) };
}

/** Device and inode, which identify a file. Undefined: there is no file. */
function identify(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
