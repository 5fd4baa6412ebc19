// `npm run check`: types, lint, unused code. Every commit must pass it.
import { spawn } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Checkers repeat part of each other's work: with more of them than cores, the check takes twice the CPU. */
const CHECKERS = String(Math.ceil(availableParallelism() / 2));

const PAGE = 'test/sandbox/workspace/page';

const CHECKS = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', CHECKERS] },
  {
    name: 'types of the page',
    command: ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '-p', PAGE],
  },
  { name: 'lint', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'unused code', command: ['node_modules/knip/bin/knip.js'] },
];

/** Runs all checks at once, and prints the output of each when it ends. Resolves with whether all have passed. */
export async function check(print = (said: string): unknown => process.stdout.write(said)): Promise<boolean> {
  const passed = await Promise.all(CHECKS.map((one) => runCheck(one, print)));
  return passed.every(Boolean);
}

async function runCheck(
  { name, command }: (typeof CHECKS)[number],
  print: (said: string) => unknown,
): Promise<boolean> {
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  // Beside tests, the app goes first: it has to answer Slack within three seconds.
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('close', resolve);
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  print(`\n— ${name}\n${stdout}${stderr}`);
  return status === 0;
}

if (import.meta.main && !(await check())) process.exitCode = 1;
