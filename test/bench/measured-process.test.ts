import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MeasuredProcess, startMeasured } from '../../scripts/bench/measured-process.ts';
import { ownFolder } from '../own-folder.ts';

/** A program that knows nothing of being measured: it commits a row for each event that it gets, and acknowledges. */
const PROGRAM = `
  import { createServer } from 'node:http';
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.env.FILE);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (body)');
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  createServer((request, response) => {
    database.exec('BEGIN');
    insert.run('x'.repeat(20_000));
    database.exec('COMMIT');
    const until = performance.now() + Number(process.env.BLOCK_MS);
    while (performance.now() < until);
    response.end();
  }).listen(process.env.PORT, '127.0.0.1', () => console.log('started'));
`;

/** In bytes: https://www.sqlite.org/fileformat.html#the_write_ahead_log */
const LOG_HEADER = 32;
const LOG_PAGE = 4_096 + 24;

const folder = ownFolder('measured');
const FILE = join(folder, 'rows.db');
const BLOCK_MS = 20;
let url: string;
let measured: MeasuredProcess;

beforeAll(async () => {
  const port = String(await claimPort());
  const script = pathToFileURL(join(folder, 'program.mjs'));
  writeFileSync(script, PROGRAM);
  url = `http://127.0.0.1:${port}`;
  const environment = { PORT: port, FILE, BLOCK_MS: String(BLOCK_MS) };
  measured = await startMeasured({ name: 'a program', script, environment, core: undefined });
});

afterAll(async () => {
  await measured.stop();
});

async function send(path: string): Promise<void> {
  await (await fetch(url + path, { method: 'POST' })).text();
}

it('tells commits, and every page that SQLite wrote to its log', async () => {
  expect((await measured.usage()).commits).toBeUndefined();

  await send('/other');
  await send('/other');

  const { commits, pages } = await measured.usage();
  expect(commits).toBe(2);
  expect(pages).toBe((statSync(`${FILE}-wal`).size - LOG_HEADER) / LOG_PAGE);
});

it('sees while it watches how each event is acknowledged and committed, and what blocks the event loop', async () => {
  await send('/slack/events');

  const { acknowledged, commits, blocked } = await measured.watch(async () => {
    await send('/slack/events');
    await send('/other');
    await send('/slack/events');
  });

  expect(acknowledged).toHaveLength(2);
  expect(commits).toHaveLength(3);
  expect(Math.min(...acknowledged)).toBeGreaterThanOrEqual(BLOCK_MS);
  expect(blocked).toBeGreaterThanOrEqual(BLOCK_MS * 0.9);
});
