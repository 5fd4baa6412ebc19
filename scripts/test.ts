// `npm test`: types, lint, unused code, and every test.
// `npm test -- test/slack`: these tests, and nothing before them. `npm run test:fast`: those that start no process.
// Further arguments go to the test runner. Also fails if a test has left a process running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, PROMTOOL, REDIS } from '@assistant-bridge/sandbox/system-programs.ts';
import { check } from './check.ts';
import { installSystemPackages } from './install-system-packages.ts';
import { bundleApp } from './test/bundle-app.ts';
import { endLeftovers, findLeftovers } from './test/leftover-processes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

const ENDING_MS = 2_000;

/** Is in the environment of every process that a test starts, and of their child processes. */
const testRun = `${process.pid}-${Date.now()}`;

let runner: ReturnType<typeof startRunner> | undefined;

// A terminal also sends Ctrl-C to the test runner. In any case, wait for its end, and end the processes that it leaves.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => (runner ? runner.kill('SIGTERM') : process.exit(1)));

process.exitCode = await main();

async function main(): Promise<number> {
  const isWhole = args.every((argument) => argument.startsWith('-') && !argument.startsWith('--project'));
  return isWhole ? runAll() : runTests({});
}

/** The checks run while tests wait. Where one fails, it ends the tests, and what it says is the last on the screen. */
async function runAll(): Promise<number> {
  await installSystemPackages(CHROMIUM, REDIS, PROMTOOL);
  let said = '';
  let isSound = true;
  const checked = check((text) => (said += text)).then((hasPassed) => {
    isSound = hasPassed;
    if (!isSound) runner?.kill('SIGTERM');
  });
  const folder = await bundleApp(root);
  const status = isSound ? await runTests({ APP_BUNDLE: folder }) : 1;
  await checked;
  console.log(said);
  return isSound ? status : 1;
}

async function runTests(environment: Record<string, string>): Promise<number> {
  runner = startRunner(environment);
  const [status] = await once(runner, 'exit');
  return (await endWhatIsLeft()) ? 1 : (status ?? 1);
}

function startRunner(environment: Record<string, string>) {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--root', root, '--config', 'test/vitest.config.ts'];
  return spawn(process.execPath, [...command, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_RUN: testRun,
      // The app is started hundreds of times, and compiled once.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      ...environment,
    },
  });
}

/** Ends processes that tests have left. Returns whether there were any. */
async function endWhatIsLeft(): Promise<boolean> {
  // Processes that were told to end may need a moment.
  if (findLeftovers(testRun).length > 0) await sleep(ENDING_MS);
  const leftovers = findLeftovers(testRun);
  endLeftovers(leftovers);
  for (const { testFile, pid, command } of leftovers) {
    console.error(`${testFile} left a process running, which is ended now: ${pid} ${command}`);
  }
  return leftovers.length > 0;
}
