import { type Bridge, startBridge } from './app.ts';
import { type Backend, openBackend } from './backend.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { BridgeError } from './errors.ts';
import { createLog, type Log } from './log.ts';

/** The process: read the configuration, start, stop on SIGTERM and SIGINT; a second signal ends it at once. */
async function main(): Promise<void> {
  // While it starts nothing is taken in yet. Without a word of ours, process 1 of a container would not hear it at all.
  let onSignal = (): void => process.exit(0);
  for (const signal of SIGNALS) process.on(signal, () => onSignal());
  const config = readConfigOrExit();
  const log = createLog(config.LOG_LEVEL);
  const backend = await openBackend(config, log);
  const bridge = await startBridge(config, backend, log);
  onSignal = toStop(bridge, backend, log);
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

main().catch((error: unknown) => {
  console.error(error instanceof BridgeError ? error.message : error);
  process.exit(1);
});
