// The real app on a store that counts its writes, names each on standard output, and kills the process at the one that
// CRASH_AT names: `3 before` or `3 after`, counted from the first write of a turn.
import { startBridge } from '../../src/app.ts';
import { openBackend } from '../../src/backend/open-backend.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const [at, when] = (process.env.CRASH_AT ?? '0 never').split(' ');
const config = readConfig(process.env);
const log = createLog('info');
const backend = await openBackend(config, log);
const { store } = backend;
let count = 0;

const WRITES = new Set(['accept', 'takeHead', 'save', 'end', 'unpark']);

function crashing<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, method: string) {
      const operation = Reflect.get(target, method) as (...args: unknown[]) => Promise<unknown>;
      if (!WRITES.has(method)) return operation;
      return async (...args: unknown[]) => {
        const number = ++count;
        process.stdout.write(`write ${number} turns.${method}\n`);
        if (String(number) === at && when === 'before') process.kill(process.pid, 'SIGKILL');
        const result = await operation(...args);
        if (String(number) === at && when === 'after') process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

await startBridge(
  config,
  {
    ...backend,
    store: { ...store, turns: crashing(store.turns) },
  },
  log,
);
