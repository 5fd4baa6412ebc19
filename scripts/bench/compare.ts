import type { Contender } from './contender.ts';
import { startBareBot, startBridge, startPlainBot } from './contenders.ts';
import { type Figures, type Spread, toFigures, toRatio } from './figures.ts';
import type { Measured } from './measure.ts';
import type { RedisCalls } from './measured-redis.ts';
import type { Bench, Section } from './part.ts';
import { measureInTurn, toLoad, toQuiet, warmUp } from './rounds.ts';
import { type Load, runTraffic } from './traffic.ts';
import { describeTurns } from './turns-tables.ts';

export type TurnsReport = {
  /** Many turns at once. */
  busy: Compared[];
  /** One turn at a time. */
  quiet: Figures[];
};

export type Compared = Figures & {
  kind: Contender['kind'];
  /** CPU per turn over that of the plain Bolt bot with as many processes, round by round. */
  overPlainBot: Spread;
  /** What the replicas sent to Redis, per turn. */
  redisCalls: RedisCalls | undefined;
};

/** Counted, not timed: these are much the same from turn to turn. */
const COUNTED_TURNS = 100;

/** The same turns through the bots that keep nothing, and through the app on each store. */
export async function compareTurns(bench: Bench): Promise<Section> {
  const load = toLoad(bench);
  const contenders = await startAll(bench);
  await warmUp(bench, contenders, load);
  const busy = await measureInTurn(bench, contenders, load, bench.options.rounds);
  const quiet = await measureInTurn(bench, contenders, toQuiet(load), 1);
  const redisCalls: (RedisCalls | undefined)[] = [];
  for (const contender of contenders) redisCalls.push(await countRedisCalls(bench, contender, load));
  await bench.running.stop(...contenders);

  const report: TurnsReport = {
    busy: contenders.map((contender, index) => {
      const ours = busy[index] ?? [];
      const overPlainBot = toRatio(ours, findOpponent(contender, contenders, busy));
      const { kind, name } = contender;
      return { kind, ...toFigures(name, ours), overPlainBot, redisCalls: redisCalls[index] };
    }),
    quiet: contenders.map(({ name }, index) => toFigures(name, quiet[index] ?? [])),
  };
  return { text: describeTurns(report), figures: report };
}

async function startAll(bench: Bench): Promise<Contender[]> {
  const { stores } = bench.options;
  const replicas = stores.includes('redis') ? bench.options.replicas : [];
  const contenders = [await startBareBot(bench)];
  for (const count of new Set([1, ...replicas])) contenders.push(await startPlainBot(bench, count));
  if (stores.includes('sqlite')) contenders.push(await startBridge(bench, { name: 'bridge on SQLite' }));
  for (const count of replicas) {
    const name = `bridge on Redis, ${count} ${count === 1 ? 'replica' : 'replicas'}`;
    contenders.push(await startBridge(bench, { name, replicas: count }));
  }
  return contenders;
}

/** Processes that share a core cost more than one: that is the machine's doing, and has to meet both. */
function findOpponent({ processes }: Contender, contenders: Contender[], measured: Measured[][]): Measured[] {
  const index = contenders.findIndex(
    (other) => other.kind === 'plain bot' && other.processes.length === processes.length,
  );
  return measured[index] ?? [];
}

async function countRedisCalls({ world }: Bench, contender: Contender, load: Load): Promise<RedisCalls | undefined> {
  const counted = { ...load, turns: COUNTED_TURNS };
  const sent = await contender.redis?.watch(() => runTraffic(world, counted, contender.eventsUrls));
  if (!sent) return undefined;
  return {
    calls: sent.calls / COUNTED_TURNS,
    scripts: sent.scripts / COUNTED_TURNS,
    byCommand: sent.byCommand.map(([command, calls]) => [command, calls / COUNTED_TURNS]),
  };
}
