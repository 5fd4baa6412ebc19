// `npm run bench`: the real app and a plain Bolt bot do the same job against the same stand-ins, in one run, round by
// round in turn, on one core. Figures compare within a run, not with those of another machine.
import { startBenchWorld } from './bench/bench-world.ts';
import { compare, type Report } from './bench/compare.ts';
import { type Contender, pinToOwnCore } from './bench/contender.ts';
import { type BenchOptions, readOptions, USAGE } from './bench/options.ts';
import { buildLatencyTable, buildTable, showSpread } from './bench/table.ts';

async function main(options: BenchOptions): Promise<void> {
  const isPinned = pinToOwnCore();
  if (!options.isJson) console.log(describe(options, isPinned));
  const world = await startBenchWorld(options.latencyMs);
  const running = new Set<Contender>();
  const cleanUp = async () => {
    await Promise.all([...running].map((contender) => contender.stop()));
    await world.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanUp().then(() => process.exit(1)));
  try {
    const report = await compare(world, { ...options, isPinned, running });
    console.log(options.isJson ? JSON.stringify({ ...options, isPinned, ...report }, undefined, 2) : toText(report));
  } finally {
    await cleanUp();
  }
}

function describe({ turns, rounds, inFlight, followUps, latencyMs }: BenchOptions, isPinned: boolean): string {
  const cores = isPinned
    ? 'The stand-ins have one core, what is measured another.'
    : 'There is no `taskset` or no second core here: nothing is pinned, so take the figures with caution.';
  return [
    'The app and a plain Bolt bot without memory (scripts/bench/plain-bot.ts) answer the same mentions.',
    `${rounds} rounds of ${turns} turns, ${inFlight} at once, ${followUps * 100} % of them follow-ups; ` +
      `the service answers within ${latencyMs} ms. ${cores}`,
  ].join('\n');
}

function toText({ busy, quiet, ratio }: Report): string {
  return `
${buildTable(busy)}

CPU per turn, bridge over plain bot: ${showSpread(ratio, 2)} (median of the rounds, least and most)

What is added to a turn, one turn at a time:

${buildLatencyTable(quiet)}`;
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
