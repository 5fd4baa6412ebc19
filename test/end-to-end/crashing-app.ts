// The real app on a store that counts its writes, names each on standard output, and kills the process at the one that
// the file `crash-at` beside the database names: `3 before` or `3 after`, counted from when it said so.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startBridge } from '../../src/app.ts';
import { openBackend } from '../../src/backend/open-backend.ts';
import { readConfig } from '../../src/config.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { createLog } from '../../src/log.ts';

const config = readConfig(process.env);
const crashFile = join(dirname(config.SQLITE_PATH), 'crash-at');
const log = createLog('info');
const backend = await openBackend(config, log);
const { store } = backend;
let count = 0;
let crashAt = '';

/** What ends a status for the second time does so long after the crash, in the middle of another test. */
function isLate(subject: unknown): boolean {
  const lane = typeof subject === 'string' ? subject : (subject as Partial<Turn> | undefined)?.lane;
  return lane?.startsWith('idle:') ?? false;
}

const WRITES = new Set(['accept', 'takeHead', 'save', 'end', 'unpark']);

function countWrite(): number {
  const told = existsSync(crashFile) ? readFileSync(crashFile, 'utf8') : '';
  count = told === crashAt ? count + 1 : 1;
  crashAt = told;
  return count;
}

function crashing<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get(target, method: string) {
      const operation = Reflect.get(target, method) as (...args: unknown[]) => Promise<unknown>;
      if (!WRITES.has(method)) return operation;
      return async (...args: unknown[]) => {
        if (isLate(args[0])) return operation(...args);
        const number = countWrite();
        process.stdout.write(`write ${number} turns.${method}\n`);
        if (crashAt === `${number} before`) process.kill(process.pid, 'SIGKILL');
        const result = await operation(...args);
        if (crashAt === `${number} after`) process.kill(process.pid, 'SIGKILL');
        return result;
      };
    },
  });
}

await startBridge(config, { ...backend, store: { ...store, turns: crashing(store.turns) } }, log);
