// A process that opens a store, writes to it, says so, and keeps it until it is killed. Told to stand still, its event loop
// does not go on after what it has not flushed: a run that has begun, and one that is done.
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { aTurn } from '../conversation/a-question.ts';

const [path = '', isStill] = process.argv.slice(2);
const store = await openSqliteStore({ path, lockWaitMs: 0, now: Date.now });
await store.turns.accept(aTurn({ id: 'of the first' }));
if (isStill) {
  await store.turns.accept(aTurn({ id: 'of the second', lane: 'second' }));
  const head = await store.turns.takeHead('second', 0);
  if (head) await store.turns.save({ ...head.turn, stage: 'done', result: 'answer' }, [], true);
  await store.turns.takeHead(aTurn().lane, 0);
  writeSync(1, 'still\n');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
process.stdout.write('open\n');
setInterval(() => undefined, 1_000);
