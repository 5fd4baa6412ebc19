// `npm run bench` compares the real app, on SQLite and on Redis, with bots that store nothing. All answer the same questions
// with the same Slack calls, against the same stand-ins, in rounds, on the same core. Compare figures only within one run,
// not between machines.
import { writeFileSync } from 'node:fs';
import { REDIS } from '@assistant-bridge/sandbox/system-programs.ts';
import { startBenchWorld } from './bench/bench-world.ts';
import { measureChannel } from './bench/channel-row.ts';
import { type Contender, startContenders, withLastWords } from './bench/contenders.ts';
import { describeCores, layOutCores, pinProcess } from './bench/cores.ts';
import type { MeasureRow } from './bench/measure.ts';
import { measureMemory, readResident } from './bench/memory-row.ts';
import { measureOpenLoop } from './bench/open-row.ts';
import { type BenchOptions, type RowName, readOptions, USAGE } from './bench/options.ts';
import { type Row, renderGoals, renderRow } from './bench/table.ts';
import { runTraffic } from './bench/traffic.ts';
import { measureAlone, measurePeople, measurePerson } from './bench/turn-rows.ts';
import { measureWaiting } from './bench/waiting-row.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { readOrExit } from './read-options.ts';

const ROWS: Record<RowName, MeasureRow> = {
  people: measurePeople,
  alone: measureAlone,
  person: measurePerson,
  channel: measureChannel,
  memory: measureMemory,
  open: measureOpenLoop,
  waiting: measureWaiting,
};

const QUICK = '--quick: too small for useful figures. It only shows whether the bench works.';

async function main({ rows: wanted, rounds, sizes, isQuick, jsonFile }: BenchOptions): Promise<void> {
  const cores = layOutCores();
  if (cores) pinProcess(process.pid, cores.standIns);
  const about = `${rounds} rounds, after ${sizes.warmUp} turns of each to warm up: median (least–most).`;
  console.log([...(isQuick ? [QUICK] : []), about, describeCores(cores), ''].join('\n'));
  const world = await startBenchWorld(sizes.members);
  const contenders: Contender[] = [];
  const rows: Row[] = [];
  try {
    for await (const one of startContenders({ world, cores })) contenders.push(one);
    const bench = { world, contenders, rounds, sizes, residentAtStart: await readResident(contenders) };
    const load = { turns: sizes.warmUp, inFlight: 32 };
    for (const one of contenders) await withLastWords(one, runTraffic(world, one.eventsUrl, load));
    for (const name of wanted) {
      const row = await ROWS[name](bench).catch(fail);
      if (!row) continue;
      rows.push(row);
      console.log(`${renderRow(row)}\n`);
      // After each row, so that nothing is lost if the bench is interrupted.
      if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify({ isQuick, rounds, sizes, rows }, undefined, 2)}\n`);
    }
  } finally {
    await Promise.all(contenders.map((one) => one.stop()));
    await world.close();
  }
  console.log([renderGoals(rows), ...(isQuick ? [QUICK] : [])].join('\n'));
}

/** The other rows may still be measured. */
function fail(error: unknown): void {
  console.error(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

// All child processes end with this process: see test/sandbox.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const options = readOrExit(readOptions, USAGE);
await installSystemPackages(REDIS);
await main(options).catch(fail);
// Exits at once, because unanswered requests may still be open.
process.exit();
