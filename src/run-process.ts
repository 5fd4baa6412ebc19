import type { Bridge } from './app.ts';
import type { Backend } from './backend/backend.ts';
import { openBackend } from './backend/open-backend.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { BridgeError } from './errors.ts';
import { createLog, type Log } from './log.ts';

const loadApp = () => import('./app.ts');

/**
 * The process: read the configuration, start, stop on SIGTERM and SIGINT; a second signal ends it at once. `onLoaded` is
 * called once everything is loaded, also what nobody waits for.
 */
export async function runProcess(onLoaded: () => void): Promise<void> {
  try {
    await start(onLoaded);
  } catch (error) {
    console.error(error instanceof BridgeError ? error.message : error);
    process.exit(1);
  }
}

async function start(onLoaded: () => void): Promise<void> {
  // While it starts nothing is taken in yet. Without a word of ours, process 1 of a container would not hear it at all.
  let onSignal = (): void => process.exit(0);
  for (const signal of SIGNALS) process.on(signal, () => onSignal());
  const config = readConfigOrExit();
  const log = createLog(config.LOG_LEVEL);
  // The store opens while the app is being loaded.
  const [backend, { startBridge }] = await Promise.all([openBackend(config, log), loadApp()]);
  const bridge = await startBridge(config, backend, log);
  onSignal = toStop(bridge, backend, log);
  await bridge.loaded;
  onLoaded();
}

function toStop(bridge: Bridge, backend: Backend, log: Log): () => void {
  let begunAt: number | undefined;
  return () => {
    if (begunAt !== undefined) {
      if (performance.now() - begunAt > ECHO_MS) process.exit(1);
      return;
    }
    begunAt = performance.now();
    void bridge
      .stop()
      .then(() => backend.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the stop failed');
          process.exit(1);
        },
      );
  };
}

/** A terminal and a supervisor signal the whole group, and a launcher passes it on: the same stop arrives twice. */
const ECHO_MS = 1_000;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

function readConfigOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The configuration has ${error.problems.length} problem(s):`);
    for (const problem of error.problems) console.error(`- ${problem}`);
    process.exit(1);
  }
}
