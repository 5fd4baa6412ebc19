import { join } from 'node:path';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import { openSqliteStore } from '../../src/backend/sqlite-store.ts';
import type { Store } from '../../src/backend/store.ts';
import type { Contender } from './contender.ts';
import { type BridgeOptions, startBridge } from './contenders.ts';
import { type Figures, type Spread, toFigures, toRatio } from './figures.ts';
import { fillStore } from './fill-store.ts';
import { startMeasuredRedis } from './measured-redis.ts';
import type { StoreName } from './options.ts';
import type { Bench, Section } from './part.ts';
import { measureInTurn, toLoad, warmUp } from './rounds.ts';
import { buildTable, type Column, NOTHING, showSpread } from './table.ts';

/** One store with few and with many known threads. `ratio`: CPU per turn with many over that with few. */
type Growth = { few: Figures; many: Figures; ratio: Spread };

/** The rounds add to them: what a turn costs in a store that is nearly empty. */
const FEW = 100;

const MOST_ROUNDS = 3;

/** Whether the cost of a turn grows with what is remembered of others. */
export async function measureKnownThreads(bench: Bench): Promise<Section> {
  const { stores, known, rounds } = bench.options;
  const contenders: Contender[] = [];
  for (const store of stores) {
    for (const threads of [FEW, known]) {
      contenders.push(await startBridge(bench, await prepareStore(bench, store, threads)));
    }
  }
  const load = toLoad(bench);
  await warmUp(bench, contenders, load);
  const measured = await measureInTurn(bench, contenders, load, Math.min(rounds, MOST_ROUNDS));
  await bench.running.stop(...contenders);
  await bench.running.stop(...contenders.flatMap(({ redis }) => redis ?? []));

  const growths = stores.map((store, index): Growth => {
    const [few = [], many = []] = measured.slice(2 * index);
    const name = store === 'redis' ? 'bridge on Redis' : 'bridge on SQLite';
    return { few: toFigures(name, few), many: toFigures(name, many), ratio: toRatio(many, few) };
  });
  const title = `The cost of a turn with ${FEW} and with ${known} known threads:`;
  return { text: `${title}\n\n${buildTable(toColumns(known), growths)}`, figures: growths };
}

/** A store of its own that knows so many threads, written through the store's own port. */
async function prepareStore(bench: Bench, store: StoreName, threads: number): Promise<BridgeOptions> {
  const { world, running, cores } = bench;
  const name = `bridge on ${store}, ${threads} known threads`;
  if (store === 'redis') {
    const redis = await running.start(() => startMeasuredRedis(cores?.redis));
    const opened = await openRedisStore({ url: redis.url, now: Date.now });
    await fillAndClose(opened, world.slack.teamId, threads);
    return { name, redis, replicas: 1 };
  }
  const sqlitePath = join(world.folder, `known-${threads}.db`);
  const opened = await openSqliteStore({ path: sqlitePath, lockWaitMs: 0, now: Date.now });
  await fillAndClose(opened, world.slack.teamId, threads);
  return { name, sqlitePath };
}

async function fillAndClose(store: Store, team: string, threads: number): Promise<void> {
  await fillStore(store, team, threads).finally(() => store.close());
}

function toColumns(known: number): Column<Growth>[] {
  const showRedis = ({ redis }: Figures) => redis?.cpuMsPerTurn.median.toFixed(2) ?? NOTHING;
  return [
    { title: 'CPU ms/turn', toCell: ({ few }) => few.name },
    { title: `${FEW} known`, toCell: ({ few }) => showSpread(few.cpuMsPerTurn, 2) },
    { title: `${known} known`, toCell: ({ many }) => showSpread(many.cpuMsPerTurn, 2) },
    { title: 'ratio', toCell: ({ ratio }) => showSpread(ratio, 2) },
    { title: 'of Redis, few / many', toCell: ({ few, many }) => `${showRedis(few)} / ${showRedis(many)}` },
  ];
}
