// The real app, with a question that kills it: wherever a turn begins whose question says "poison", the process dies a
// little later. The others are held up at their beginning for as long as that takes. With HOLDS it dies once so many of
// them have begun.
import { setTimeout as sleep } from 'node:timers/promises';
import { startBridge } from '../../src/app.ts';
import { openBackend } from '../../src/backend/open-backend.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const POISON_MS = 150;
const HOLDS = Number(process.env.HOLDS ?? 0);
const HELD_MS = HOLDS > 0 ? 60_000 : 2 * POISON_MS;

const config = readConfig(process.env);
const log = createLog('info');
const backend = await openBackend(config, log);
const { turns } = backend.store;

let othersBegun = 0;
const { promise: enoughBegun, resolve: noteEnough } = Promise.withResolvers<void>();

const takeHead: typeof turns.takeHead = async (...args) => {
  const head = await turns.takeHead(...args);
  if (!head?.isTaken) return head;
  const isPoison = head.turn.question.text.includes('poison') && head.turn.stage !== 'answered';
  process.stdout.write(`begun ${head.turn.question.text}\n`);
  if (!isPoison && ++othersBegun === HOLDS) noteEnough();
  const isDeadly = isPoison && head.turn.fence <= 5;
  if (isDeadly && HOLDS > 0) await enoughBegun;
  await sleep(isDeadly ? POISON_MS : HELD_MS);
  if (isDeadly) process.kill(process.pid, 'SIGKILL');
  return head;
};

/** Every run begins as a later one does: none with its acceptance. */
const accept: typeof turns.accept = (turn, changes) => turns.accept(turn, changes);

const store = { ...backend.store, turns: { ...turns, accept, takeHead } };
await startBridge(config, { ...backend, store }, log);
