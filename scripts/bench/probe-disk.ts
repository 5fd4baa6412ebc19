// A process of its own, on the core of what is measured: what the disk can do when nobody does anything else with it.
// Arguments: a folder, and how many rows one commit writes. Prints a DiskProbe as JSON.
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DiskProbe = {
  /** Each a write of 4 KiB and its flush, in ms. */
  flushesMs: number[];
  /** Durable commits of so many rows a second, one after the other. */
  commitsPerSecond: number;
};

const [folder = '.', rows = '1'] = process.argv.slice(2);

const TIMES = 200;

/** About what a turn's record has. */
const BODY = 'x'.repeat(1_000);

console.log(JSON.stringify({ flushesMs: measureFlushes(), commitsPerSecond: measureCommits() } satisfies DiskProbe));

function measureFlushes(): number[] {
  const path = join(folder, 'probe.bin');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4_096, 1);
  const flushes = Array.from({ length: TIMES }, () => {
    const begunAt = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - begunAt;
  });
  closeSync(file);
  rmSync(path);
  return flushes;
}

/** With the settings of the app's own database. */
function measureCommits(): number {
  const path = join(folder, 'probe.db');
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE turns (seq INTEGER PRIMARY KEY, body)',
  );
  const insert = database.prepare('INSERT INTO turns (body) VALUES (?)');
  const begunAt = performance.now();
  for (let time = 0; time < TIMES; time++) {
    database.exec('BEGIN IMMEDIATE');
    for (let row = 0; row < Number(rows); row++) insert.run(BODY);
    database.exec('COMMIT');
  }
  const elapsedS = (performance.now() - begunAt) / 1000;
  database.close();
  rmSync(path);
  return TIMES / elapsedS;
}
