import { globSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Inside node_modules: only users who may change the code can write there, and a new installation empties it. Cached
 * code is executed, so a temporary folder, which others can write to, would be unsafe.
 */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

const SOURCES = new URL('./', import.meta.url);

/**
 * Enables Node's compile cache for everything imported from now on. Node itself reads NODE_COMPILE_CACHE (another folder)
 * and NODE_DISABLE_COMPILE_CACHE. If the folder cannot be used, the start is only slower. Returns a function that writes
 * the cache: Node writes it only at an orderly exit, which a killed process does not have.
 */
export function keepCompiledCode(): () => void {
  enableCompileCache(FOLDER);
  return flushCompileCache;
}

/** Loads every file of the app with its packages, without starting it. For images that include the compiled code. */
export async function compileEverything(): Promise<void> {
  // main.ts is running already, and awaits this.
  const files = globSync('**/*.ts', { cwd: fileURLToPath(SOURCES), exclude: ['main.ts'] });
  await Promise.all(files.map((file) => import(new URL(file, SOURCES).href)));
}
