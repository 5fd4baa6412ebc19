import { compileEverything, keepCompiledCode } from './compile-cache.ts';

const writeCompiledCode = keepCompiledCode();
if (process.argv.includes('--compile')) {
  await compileEverything();
  writeCompiledCode();
} else {
  // Not above: what is imported there is compiled before anything runs.
  const { runProcess } = await import('./run-process.ts');
  await runProcess(writeCompiledCode);
}
