// `npm run backup -- <file>`: copies the store beside a running app into a new file: SQLite as a database, Redis as a
// snapshot (RDB). Nothing in the store changes. Exits with 1 if there is no whole copy.
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { backUp } from './backup/back-up.ts';
import { toSentence, USAGE } from './backup/backup-errors.ts';

try {
  process.exitCode = await run();
} catch (cause) {
  console.error(toSentence(cause));
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (file === undefined || positionals.length > 1) {
    console.error(USAGE);
    return 1;
  }
  console.log(await backUp(loadConfig(), file));
  return 0;
}
