import { open } from 'node:fs/promises';
import { CHAIN_BEGIN, type LinkedEntry } from '../../src/governance/audit/audit-log.ts';
import type { Verified } from './verify.ts';

/** A file of JSON lines, as `export` writes it. It says itself where it begins, and nothing of where it should end. */
export async function openExport(path: string): Promise<Verified> {
  const all = () => readEntries(path);
  const first = await readFirst(all());
  const origin = first ? { seq: first.seq - 1, hash: first.previousHash } : CHAIN_BEGIN;
  return { all, origin: async () => origin };
}

/** Undefined where there is none that can be read: whoever reads all of them finds out. */
async function readFirst(entries: AsyncIterable<LinkedEntry>): Promise<LinkedEntry | undefined> {
  try {
    for await (const entry of entries) return entry;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return undefined;
}

async function* readEntries(path: string): AsyncIterable<LinkedEntry> {
  await using file = await open(path);
  for await (const line of file.readLines()) yield toEntry(line);
}

function toEntry(line: string): LinkedEntry {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) throw new SyntaxError('a line is no entry');
  return entry as LinkedEntry;
}
