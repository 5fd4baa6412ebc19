import { setTimeout as pause } from 'node:timers/promises';
import { askerOf, CHANNEL } from './bench-world.ts';
import type { Contender } from './contender.ts';
import { startBridge } from './contenders.ts';
import { MEGABYTE } from './figures.ts';
import type { StoreName } from './options.ts';
import type { Bench, Section } from './part.ts';
import { toLoad, warmUp } from './rounds.ts';
import { buildTable, type Column, NOTHING, showMegabytes } from './table.ts';
import { inParallel } from './traffic.ts';

/** What a thousand waiting turns need, in megabytes. */
type WaitingFigures = {
  name: string;
  residentMegabytes: number;
  heldMegabytes: number;
  redisMegabytes: number | undefined;
};

/** Longer than this part takes, and shorter than what the app gives up after. */
const RETRY_AFTER_S = 480;

const WAITS_WITHIN_MS = 30_000;

const LEAST_WARM_UP = 1_000;

const COLUMNS: Column<WaitingFigures>[] = [
  { title: 'per 1,000 waiting turns', toCell: ({ name }) => name },
  { title: 'app, resident', toCell: ({ residentMegabytes }) => showMegabytes(residentMegabytes) },
  { title: 'app, objects in use', toCell: ({ heldMegabytes }) => showMegabytes(heldMegabytes) },
  {
    title: 'Redis',
    toCell: ({ redisMegabytes }) => (redisMegabytes === undefined ? NOTHING : showMegabytes(redisMegabytes)),
  },
];

/** How much memory questions take that wait, because the service asks to come back later. */
export async function measureWaiting(bench: Bench): Promise<Section> {
  const figures: WaitingFigures[] = [];
  for (const store of bench.options.stores) figures.push(await measureWaitingOn(bench, store));
  const title = `Memory of ${bench.options.waiting} turns that wait, because the service answers 429 with Retry-After:`;
  return { text: `${title}\n\n${buildTable(COLUMNS, figures)}`, figures };
}

/** The same on one store. */
export async function measureWaitingOn(bench: Bench, store: StoreName): Promise<WaitingFigures> {
  const { waiting } = bench.options;
  const name = store === 'redis' ? 'bridge on Redis' : 'bridge on SQLite';
  const contender = await startBridge(bench, { name, ...(store === 'redis' && { replicas: 1 }) });
  // As many: else what so many turns leave behind as room for more would count as theirs.
  await warmUp(bench, [contender], toLoad(bench), Math.max(waiting, LEAST_WARM_UP));
  const before = await readMemory(contender);
  await letWait(bench, contender);
  const after = await readMemory(contender);
  await bench.running.stop(contender);
  const perThousand = (from: number, to: number) => (to - from) / MEGABYTE / (waiting / 1000);
  return {
    name,
    residentMegabytes: perThousand(before.resident, after.resident),
    heldMegabytes: perThousand(before.held, after.held),
    redisMegabytes:
      before.redis === undefined || after.redis === undefined ? undefined : perThousand(before.redis, after.redis),
  };
}

type Memory = { resident: number; held: number; redis: number | undefined };

/** Looks more than once, a moment apart: what is only on its way goes. */
const LOOKS = 4;
const LOOK_EVERY_MS = 700;

/** In bytes, after garbage collections; the least that was seen. */
async function readMemory({ processes, redis }: Contender): Promise<Memory> {
  const looks: Memory[] = [];
  for (let look = 0; look < LOOKS; look++) {
    await pause(LOOK_EVERY_MS);
    const usages = await Promise.all(processes.map((process) => process.usage('tidy')));
    looks.push({
      resident: sum(usages.map(({ memoryBytes }) => memoryBytes)),
      held: sum(usages.map(({ heldBytes }) => heldBytes)),
      redis: (await redis?.usage())?.memoryBytes,
    });
  }
  const least = (read: (memory: Memory) => number) => Math.min(...looks.map(read));
  return {
    resident: least(({ resident }) => resident),
    held: least(({ held }) => held),
    redis: redis && least((memory) => memory.redis ?? Number.NaN),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Each in a thread of its own. A waiting turn is known by the line that tells its thread so. */
async function letWait({ world, options }: Bench, { eventsUrls }: Contender): Promise<void> {
  const { slack, assistant } = world;
  const told = new Map<string, () => void>();
  const remove = slack.faults.onProcessed('chat.postMessage', ({ arguments: given }) => {
    told.get(String(given.thread_ts))?.();
  });
  assistant.faults.always('429-seconds', { retryAfterS: RETRY_AFTER_S });
  slack.registration.eventsUrl = eventsUrls[0];
  const ask = async (number: number) => {
    const text = `${slack.mention} what about number ${number}?`;
    const { ts } = await slack.as(askerOf(number)).say(CHANNEL, text, { twins: 'mention-only', await: 'none' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`question ${number} does not wait`)), WAITS_WITHIN_MS);
    told.set(ts, resolve);
    await promise.finally(() => clearTimeout(timer));
  };
  try {
    await inParallel(options.waiting, options.inFlight, ask);
  } finally {
    remove();
    assistant.faults.clear();
    slack.workspace.messages.clear();
    assistant.ledger.clear();
  }
}
