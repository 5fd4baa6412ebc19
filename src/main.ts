import { compileEverything, keepCompiledCode } from './compile-cache.ts';

const writeCompiledCode = keepCompiledCode();
if (process.argv.includes('--compile')) {
  await compileEverything();
  writeCompiledCode();
} else {
  // Imported here, because static imports are compiled before the cache is enabled.
  const { runProcess } = await import('./run-process.ts');
  await runProcess(writeCompiledCode);
}
