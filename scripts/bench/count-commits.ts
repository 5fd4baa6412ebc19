// Counts what is written to disk, in a process that is measured: the app itself does not have to know.
import { DatabaseSync } from 'node:sqlite';

export type Commits = {
  /** Transactions that were committed. Each that changed anything is one flush of the disk. */
  commits: number;
  /** Rows that they changed. */
  rows: number;
};

let commits = 0;
let latest: DatabaseSync | undefined;

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (sql !== 'COMMIT') return;
  commits += 1;
  latest = this;
};

/** Since the start; nothing where the process has no database. */
export function readCommits(): Commits {
  const rows = latest?.isOpen ? latest.prepare('SELECT total_changes() AS changed').get()?.changed : 0;
  return { commits, rows: Number(rows) };
}
