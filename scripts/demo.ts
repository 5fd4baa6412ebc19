// `npm run demo`: the local world and the real app in it. With `--script` it plays the main job in the terminal, and
// exits 0, or says what failed.
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startAppProcess } from '../test/sandbox/app-process.ts';
import { startWorld, type World } from '../test/sandbox/world.ts';
import { playScript } from './demo/play-script.ts';
import { runTerminal } from './demo/terminal.ts';

const USAGE = 'Usage: `npm run demo` to type yourself, or `npm run demo -- --script` to watch.';

const args = process.argv.slice(2);
const unknown = args.find((argument) => argument !== '--script');
if (unknown !== undefined) {
  console.error(`The demo knows no “${unknown}”. ${USAGE}`);
  process.exit(1);
}

/** The exit code that stands for the signal that came, as shells have it. */
const interrupted = new Promise<number>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => resolve(128 + constants.signals[signal]));
  }
});

const world = await startWorld({ admin: { thresholdList: true } });
const starting = startAppProcess({
  ...world.environment,
  SLACK_BUDGETS: 'documented',
  GOVERNANCE_REGISTER: fileURLToPath(new URL('deploy/governance-register.yaml', import.meta.url)),
});
const exitCode = await Promise.race([interrupted, play(world, starting)]);
const app = await starting.catch(() => undefined);
await app?.kill('SIGTERM');
await world.close();
// Where a signal came, the terminal still waits for a line.
process.exit(exitCode);

async function play(world: World, starting: Promise<AppProcess>): Promise<number> {
  let app: AppProcess | undefined;
  try {
    app = await starting;
    await (args.includes('--script') ? playScript(world) : runTerminal(world));
    return 0;
  } catch (error) {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    if (app) console.error(`\nThe app's last lines:\n${app.lines.slice(-10).join('\n')}`);
    return 1;
  }
}
