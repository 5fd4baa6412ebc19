// `npm run bench`: the real app, on SQLite and on Redis, and bots that keep nothing do the same job against the same
// stand-ins, in one run, round by round in turn, on the same core. Figures compare within a run, not with those of
// another machine.
import { startBenchWorld } from './bench/bench-world.ts';
import { describeCores, layOutCores, pinProcess } from './bench/cores.ts';
import { type BenchOptions, readOptions, USAGE } from './bench/options.ts';
import { PARTS } from './bench/parts.ts';
import { createRunning, type Running } from './bench/running.ts';

const cores = layOutCores();
const running = createRunning();

async function main(options: BenchOptions): Promise<void> {
  if (cores) pinProcess(process.pid, cores.standIns);
  const print = (text: string) => options.isJson || console.log(`${text}\n`);
  print(describe(options));
  const { world } = await startWorld(options);
  const report: Record<string, object> = {};
  for (const name of options.parts) {
    const { text, figures } = await PARTS[name]({ world, cores, running, options });
    report[name] = figures;
    print(text);
  }
  if (options.isJson) console.log(JSON.stringify({ options, cores, ...report }, undefined, 2));
}

function startWorld({ latencyMs }: BenchOptions) {
  return running.start(async () => {
    const world = await startBenchWorld(latencyMs);
    return { world, stop: world.close };
  });
}

function describe({ turns, rounds, inFlight, followUps, latencyMs }: BenchOptions): string {
  return [
    'The app and two bots without memory (scripts/bench/plain-bot.ts, bare-bot.ts) answer the same mentions.',
    `${rounds} rounds of ${turns} turns, ${inFlight} at once, ${followUps * 100} % of them follow-ups; ` +
      `the service answers within ${latencyMs} ms.`,
    describeCores(cores),
  ].join('\n');
}

function stopEarly(everything: Running): void {
  const stop = () => void everything.stopAll().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // Nobody reads any more.
  process.stdout.once('error', stop);
}

function readOptionsOrExit(): BenchOptions {
  if (process.argv.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  try {
    return readOptions(process.argv.slice(2), cores?.measured.length ?? 1);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(1);
  }
}

stopEarly(running);
try {
  await main(readOptionsOrExit());
} catch (error) {
  // Else it is whoever was waiting for something that a signal has stopped.
  if (!running.isStopping) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  await running.stopAll();
}
