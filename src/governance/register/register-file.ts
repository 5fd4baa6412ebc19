import { readFile, stat } from 'node:fs/promises';
import { type ReadRegister, readRegister } from './read-register.ts';

/** The register's text and what it says. */
export type RegisterFile = { text: string; read: ReadRegister };

/** What 2,000 environments with 20,000 agents need. More would keep the app from its other work for too long. */
const MAX_BYTES = 4 * 1024 * 1024;

const TOO_LONG: RegisterFile = {
  text: '',
  read: { problems: [{ line: 1, sentence: 'Make this file shorter: it may have 4 MB at most.' }] },
};

/**
 * Reads the file on each call, and parses it only if it was changed. Rejects with the error of the file system if it cannot
 * be read.
 */
export function openRegisterFile(path: string): () => Promise<RegisterFile> {
  let last: RegisterFile | undefined;

  return async () => {
    if ((await stat(path)).size > MAX_BYTES) return TOO_LONG;
    const text = await readFile(path, 'utf8');
    if (last?.text !== text) last = { text, read: readRegister(text) };
    return last;
  };
}
