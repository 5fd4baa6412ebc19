// A process that opens a store, writes to it, says so, and keeps it until it is killed.
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { aTurn } from '../conversation/a-question.ts';

const store = await openSqliteStore({ path: process.argv[2] ?? '', lockWaitMs: 0, now: Date.now });
await store.turns.accept(aTurn({ id: 'of the first' }));
process.stdout.write('open\n');
setInterval(() => undefined, 1_000);
