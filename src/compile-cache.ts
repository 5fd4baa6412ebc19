import { globSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Beside the packages: whoever may write there could change the code itself, and a new installation empties it. A
 * folder for temporary files would be open to other users, and what is read from here is run.
 */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

const SOURCES = new URL('./', import.meta.url);

/**
 * From here on takes compiled code, and TypeScript with its types removed, from where an earlier start left them.
 * NODE_COMPILE_CACHE names another folder, and then counts from the very first file; NODE_DISABLE_COMPILE_CACHE turns
 * it off: Node reads both itself. Where the folder cannot be read or written, the start is only slower. Returns what
 * writes down all that was compiled since: Node does so at an orderly end, which a killed process does not have.
 */
export function keepCompiledCode(): () => void {
  enableCompileCache(FOLDER);
  return flushCompileCache;
}

/** Loads every file of the app with its packages, and starts nothing: for an image that brings their compiled code. */
export async function compileEverything(): Promise<void> {
  // The one that runs already, and waits for this.
  const files = globSync('**/*.ts', { cwd: fileURLToPath(SOURCES), exclude: ['main.ts'] });
  await Promise.all(files.map((file) => import(new URL(file, SOURCES).href)));
}
