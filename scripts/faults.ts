// `npm run faults`: kills, freezes and restarts the real app in real processes while people talk to it, and lets everything
// around it fail in every way we know. It judges what happened to each message. Exits with 1 if a criterion is missed.
import { mkdirSync } from 'node:fs';
import { REDIS } from '@assistant-bridge/sandbox/system-programs.ts';
import { type FaultsOptions, OPTIONS, toFaultsOptions, USAGE } from './faults/options.ts';
import { listScenarios, startProgress, toTable } from './faults/report.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { runCommand } from './run-command.ts';

async function main({
  runs,
  isList,
  seed,
  rate,
  leaseSeconds,
  isSocketMode,
  logFolder,
}: FaultsOptions): Promise<boolean> {
  if (isList) {
    console.log(listScenarios());
    return true;
  }
  if (logFolder) mkdirSync(logFolder, { recursive: true });
  console.log(`${rate} messages per second, lease ${leaseSeconds} s. To repeat this run: --seed ${seed}`);
  const missed: string[] = [];
  for (const { scenario, store, count } of runs) {
    console.log(`\n${scenario.name} on ${store}, ${count}: ${scenario.about}`);
    const progress = startProgress(scenario);
    const options = { store, seed, count, rate, leaseSeconds, isSocketMode, logFolder, progress: progress.show };
    const begunAt = performance.now();
    const verdict = await scenario.run(options).finally(progress.end);
    console.log(`${toTable(verdict)}\n    took ${Math.round((performance.now() - begunAt) / 1000)} s`);
    for (const { name, isMet } of verdict.criteria) if (!isMet) missed.push(`${scenario.name} on ${store}: ${name}`);
  }
  console.log(missed.length === 0 ? '\nAll criteria are met.' : `\nMissed:\n${missed.join('\n')}`);
  return missed.length === 0;
}

// All child processes end with this process: see test/sandbox.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await runCommand({
  usage: USAGE,
  options: OPTIONS,
  async run(values) {
    const options = toFaultsOptions(values);
    if (!options.isList) await installSystemPackages(REDIS);
    return (await main(options)) ? 0 : 1;
  },
});
