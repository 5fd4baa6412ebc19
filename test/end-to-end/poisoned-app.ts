// The real app, with a question that kills it: wherever a turn begins whose question says "poison", the process dies a
// little later. The others are held up at their beginning for as long as that takes: the first process holds them until
// it dies (RUN=1), those after it so long that all of them have begun.
import { setTimeout as sleep } from 'node:timers/promises';
import { startBridge } from '../../src/app.ts';
import { openBackend } from '../../src/backend/open-backend.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const POISON_MS = 150;
const HELD_MS = process.env.RUN === '1' ? 60_000 : 2 * POISON_MS;

const config = readConfig(process.env);
const log = createLog('info');
const backend = await openBackend(config, log);
const { turns } = backend.store;

const takeHead: typeof turns.takeHead = async (...args) => {
  const head = await turns.takeHead(...args);
  if (!head?.isTaken) return head;
  const isPoison = head.turn.question.text.includes('poison') && head.turn.stage !== 'answered';
  process.stdout.write(`begun ${head.turn.question.text}\n`);
  await sleep(isPoison && head.turn.fence <= 5 ? POISON_MS : HELD_MS);
  if (isPoison && head.turn.fence <= 5) process.kill(process.pid, 'SIGKILL');
  return head;
};

const store = { ...backend.store, turns: { ...turns, takeHead } };
await startBridge(config, { ...backend, store }, log);
