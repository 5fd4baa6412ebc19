import type { Contender } from './contender.ts';
import { startBridge } from './contenders.ts';
import { probeDisk } from './disk.ts';
import { type Figures, type Percentiles, type Spread, toFigures, toPercentiles, toSpread } from './figures.ts';
import { type Measured, measure } from './measure.ts';
import type { Bench, Section } from './part.ts';
import type { DiskProbe } from './probe-disk.ts';
import { toLoad, toQuiet, warmUp } from './rounds.ts';
import { buildTable, type Column, showPercentiles, showSpread } from './table.ts';
import type { Load } from './traffic.ts';

/** Turns beside what the disk did for nobody else right after them. */
type CommitFigures = Pick<Figures, 'name' | 'turnsPerSecond' | 'flushesPerTurn' | 'acknowledgedMs'> & {
  /** One write of 4 KiB and its flush. */
  flushMs: Percentiles;
  /** The p99 of acknowledgements over that of flushes. */
  overFlush: number;
  /** In a bare loop, each of as many rows as the app's. */
  rawCommitsPerSecond: number;
  /** Turns over what the bare loop would allow with as many commits for each, round by round. */
  shareOfDisk: Spread;
};

/** The project's own bars. */
const MOST_FLUSHES = 4;
const MOST_OVER_FLUSH = 2;

const MOST_QUIET_ROUNDS = 2;

const COLUMNS: Column<CommitFigures>[] = [
  { title: '', toCell: ({ name }) => name },
  { title: 'flushes/turn', toCell: ({ flushesPerTurn }) => showSpread(flushesPerTurn, 2) },
  { title: 'acknowledged, p50 / p99', toCell: ({ acknowledgedMs }) => showPercentiles(acknowledgedMs) },
  { title: 'bare flush, p50 / p99', toCell: ({ flushMs }) => showPercentiles(flushMs) },
  { title: 'p99 over p99', toCell: ({ overFlush }) => overFlush.toFixed(1) },
  { title: 'turns/s', toCell: ({ turnsPerSecond }) => turnsPerSecond.median.toFixed(0) },
  { title: 'bare commits/s', toCell: ({ rawCommitsPerSecond }) => rawCommitsPerSecond.toFixed(0) },
  { title: 'turns over what they allow', toCell: ({ shareOfDisk }) => showSpread(shareOfDisk, 2) },
];

/** How often a turn makes the disk flush, and how near the app comes to what the disk allows. */
export async function measureCommits(bench: Bench): Promise<Section> {
  const { stores, rounds } = bench.options;
  const load = toLoad(bench);
  const figures: CommitFigures[] = [];
  for (const store of stores) {
    const name = store === 'redis' ? 'bridge on Redis' : 'bridge on SQLite';
    const contender = await startBridge(bench, { name, ...(store === 'redis' && { replicas: 1 }) });
    await warmUp(bench, [contender], load);
    figures.push(await beside(bench, contender, load, rounds));
    figures.push(await beside(bench, contender, toQuiet(load), Math.min(rounds, MOST_QUIET_ROUNDS)));
    await bench.running.stop(contender);
  }
  const title = 'Disk flushes per turn, beside what the same disk does in the same rounds with nothing else to do:';
  const bars = `The bars: ${MOST_FLUSHES} flushes per turn, and an acknowledgement at p99 within ${MOST_OVER_FLUSH} bare flushes.`;
  return { text: [title, buildTable(COLUMNS, figures), bars].join('\n\n'), figures };
}

async function beside(bench: Bench, contender: Contender, load: Load, rounds: number): Promise<CommitFigures> {
  const measured: Measured[] = [];
  const probes: DiskProbe[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await measure(bench.world, contender, load);
    measured.push(one);
    probes.push(await probeDisk(bench, one.rowsPerTurn / one.flushesPerTurn || 1));
  }
  const name = `${contender.name}, ${load.inFlight} at once`;
  const { turnsPerSecond, flushesPerTurn, acknowledgedMs } = toFigures(name, measured);
  const flushMs = toPercentiles(probes.flatMap((probe) => probe.flushesMs));
  const shares = measured.map((one, index) => {
    const allowed = (probes[index]?.commitsPerSecond ?? Number.NaN) / one.flushesPerTurn;
    return one.turnsPerSecond / allowed;
  });
  return {
    name,
    turnsPerSecond,
    flushesPerTurn,
    acknowledgedMs,
    flushMs,
    overFlush: acknowledgedMs.p99 / flushMs.p99,
    rawCommitsPerSecond: toSpread(probes.map((probe) => probe.commitsPerSecond)).median,
    shareOfDisk: toSpread(shares),
  };
}
