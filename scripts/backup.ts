// `npm run backup -- <file>`: copies the store beside a running app into a new file: SQLite as a database, Redis as a
// snapshot (RDB). Nothing in the store changes. Exits with 1 if there is no whole copy.
import { loadConfig } from '../src/config.ts';
import { backUp } from './backup/back-up.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  usage: `npm run backup -- <file> copies the store, SQLite or Redis, into a new file. It runs beside the app.
The folder has to exist, the file must not.`,
  failed(code, cause) {
    // SQLITE_FULL, and what the system says of the same.
    const isFull = code === 'ENOSPC' || (Number((cause as { errcode?: number }).errcode) & 0xff) === 13;
    if (isFull) return 'The backup was not made: the disk is full. Make room, or name a file elsewhere.';
    return `The backup was not made (${code}). Check the path, and who may write there.`;
  },
  async run(_, [file, ...rest]) {
    if (file === undefined || rest.length > 0) return undefined;
    console.log(await backUp(loadConfig(), file));
    return 0;
  },
});
