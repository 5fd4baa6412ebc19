import type { Bridge } from './app.ts';
import type { Backend } from './backend/backend.ts';
import { openBackend } from './backend/open-backend.ts';
import { type Config, ConfigError, describeUnknown, loadConfig } from './config.ts';
import { BridgeError } from './errors.ts';
import { createLog, type Log } from './log.ts';

const loadApp = () => import('./app.ts');

/**
 * The process: reads the configuration, starts, and stops on SIGTERM and SIGINT. A second signal exits at once.
 * `onLoaded` is called once all code is loaded, including lazily loaded code.
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
  // During the start there is nothing to drain. Without a handler, PID 1 of a container ignores signals.
  let onSignal = (_signal: string): void => process.exit(0);
  for (const signal of SIGNALS) process.on(signal, () => onSignal(signal));
  const config = readConfigOrExit();
  const log = createLog(config.LOG_LEVEL);
  for (const reason of describeUnknown()) log.warn({ reason }, 'unknown variable');
  // Load it first: loading blocks the event loop, and on a busy machine Redis would seem to answer too late.
  const { startBridge } = await loadApp();
  const backend = await openBackend(config, log);
  void backend.gone.then((error) => {
    log.fatal({ err: error }, 'store gone');
    // Exit at once: further writes would be lost.
    process.exit(1);
  });
  const bridge = await startBridge(config, backend, log);
  onSignal = toStop(bridge, backend, log);
  await bridge.loaded;
  onLoaded();
}

function toStop(bridge: Bridge, backend: Backend, log: Log): (signal: string) => void {
  let begunAt: number | undefined;
  return (signal) => {
    if (begunAt !== undefined) {
      if (performance.now() - begunAt > ECHO_MS) process.exit(1);
      return;
    }
    begunAt = performance.now();
    log.info({ signal }, 'stopping');
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

/** One stop may arrive twice: a terminal signals the whole process group, and a launcher forwards the signal. */
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
