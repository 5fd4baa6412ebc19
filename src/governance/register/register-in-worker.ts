import { readFile, stat } from 'node:fs/promises';
import { doAside } from './do-aside.ts';
import type { ReadRegister } from './read-register.ts';

/** The register's text and what it says. */
export type RegisterFile = { text: string; read: ReadRegister };

/** Five times what 2,000 environments with 20,000 agents need. */
const MAX_BYTES = 16 * 1024 * 1024;

const TOO_LONG: RegisterFile = {
  text: '',
  read: { problems: [{ line: 1, sentence: 'Make this file shorter: it may have 16 MB at most.' }] },
};

/**
 * Reads the file each time, and understands it anew only where it was changed. Rejects where it cannot be read, with the
 * error of the file system, and where it cannot be understood in time, with RegisterWorkError.
 */
export function openRegisterFile(path: string): () => Promise<RegisterFile> {
  let last: { text: string; reading: Promise<ReadRegister> } | undefined;

  return async () => {
    if ((await stat(path)).size > MAX_BYTES) return TOO_LONG;
    const text = await readFile(path, 'utf8');
    if (last?.text !== text) {
      const fresh = { text, reading: doAside({ kind: 'read', text }) };
      last = fresh;
      // What failed is tried again the next time.
      fresh.reading.catch(() => {
        if (last === fresh) last = undefined;
      });
    }
    return { text, read: await last.reading };
  };
}
