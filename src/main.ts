import { compileEverything, keepCompiledCode } from './compile-cache.ts';

const writeCompiledCode = keepCompiledCode();
if (process.argv.includes('--compile')) {
  await compileEverything();
  writeCompiledCode();
} else {
  // Not a static import: those are compiled before the cache is enabled.
  const { runProcess } = await import('./run-process.ts');
  await runProcess(writeCompiledCode);
}
