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
import { type BenchOptions, OPTIONS, type RowName, toBenchOptions, USAGE } from './bench/options.ts';
import { type Row, renderGoals, renderRow } from './bench/table.ts';
import { runTraffic } from './bench/traffic.ts';
import { measureAlone, measurePeople, measurePerson } from './bench/turn-rows.ts';
import { measureWaiting } from './bench/waiting-row.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { runCommand } from './run-command.ts';

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

/** Resolves with whether every row was measured. */
async function main({ rows: wanted, rounds, sizes, isQuick, jsonFile }: BenchOptions): Promise<boolean> {
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
      // If one fails, the others may still be measured.
      const row = await ROWS[name](bench).catch((error: Error) => console.error(`${error.message}\n`));
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
  return rows.length === wanted.length;
}

// All child processes end with this process: see test/sandbox.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await runCommand({
  usage: USAGE,
  options: OPTIONS,
  async run(values) {
    const options = toBenchOptions(values);
    await installSystemPackages(REDIS);
    return (await main(options)) ? 0 : 1;
  },
});
// Exits at once, because unanswered requests may still be open.
process.exit();
