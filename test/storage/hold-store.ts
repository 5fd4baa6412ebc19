// A process that opens a store, writes to it, says so, and keeps it until it is killed. Told to be killed where a run has
// `begun` or is `done`, it does so there, and its event loop does not go on.
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { aTurn } from '../conversation/a-question.ts';

const [path = '', step] = process.argv.slice(2);
const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
await store.turns.accept(aTurn({ id: 'of the first' }));
if (step !== undefined) {
  const head = await store.turns.takeHead(aTurn().lane, 0);
  if (head && step === 'done') await store.turns.save({ ...head.turn, stage: 'done', result: 'answer' }, [], true);
  writeSync(1, `${step}\n`);
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
process.stdout.write('open\n');
setInterval(() => undefined, 1_000);
