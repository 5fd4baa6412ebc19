import { readFile } from 'node:fs/promises';
import { type ReadRegister, readRegister } from './read-register.ts';

/** The register's text and what it says. */
export type RegisterFile = { text: string; read: ReadRegister };

/**
 * Reads the file each time, and understands it anew only where it was changed. Rejects where it cannot be read, with the
 * error of the file system.
 */
export function openRegisterFile(path: string): () => Promise<RegisterFile> {
  let last: RegisterFile | undefined;

  return async () => {
    const text = await readFile(path, 'utf8');
    if (last?.text !== text) last = { text, read: readRegister(text) };
    return last;
  };
}
