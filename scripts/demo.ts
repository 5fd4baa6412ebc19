// `npm run demo`: the local world and the real app in it. With `--script` it plays the main job in the terminal, and
// exits 0, or says what failed.
import { startAppProcess } from '../test/sandbox/app-process.ts';
import { startWorld } from '../test/sandbox/world.ts';
import { playScript } from './demo/play-script.ts';
import { runTerminal } from './demo/terminal.ts';

const isScript = process.argv.includes('--script');

const world = await startWorld({ admin: { thresholdList: true } });
let app: Awaited<ReturnType<typeof startAppProcess>> | undefined;
try {
  app = await startAppProcess(world.environment);
  if (isScript) await playScript(world);
  else await runTerminal(world);
} catch (error) {
  process.exitCode = 1;
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  if (app) console.error(`\nThe app's last lines:\n${app.lines.slice(-10).join('\n')}`);
} finally {
  await app?.kill('SIGTERM');
  await world.close();
}
