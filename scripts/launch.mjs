// Starts a TypeScript file of this project under Node 24 or newer, whatever Node the machine has:
//   node scripts/launch.mjs src/main.ts [arguments…]
// Written in plain JavaScript, because an older Node has to be able to read it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [script, ...args] = process.argv.slice(2);

/** Scripts that run in production, with the packages that are installed there. */
const PRODUCTION_SCRIPTS = [
  'src/main.ts',
  'scripts/setup.ts',
  'scripts/doctor.ts',
  'scripts/audit.ts',
  'scripts/policy.ts',
  'scripts/backup.ts',
  'scripts/sign-everybody-out.ts',
  'scripts/manifest.ts',
];

/** The lock file's hash is written beside the installed packages, so that a changed lock file installs again. */
function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const mark = join(root, 'node_modules', '.installed-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  // A production installation already has its packages, but no mark.
  if (PRODUCTION_SCRIPTS.includes(script) && existsSync(join(root, 'node_modules'))) return;
  // Standard output belongs to the script: what it prints may go into a file.
  console.error('Installing packages (npm ci): this takes about half a minute …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: [0, 2, 2] });
  if (npm.status !== 0) fail('npm ci failed: see above. The packages come from the npm registry; is it reachable?');
  writeFileSync(mark, wanted);
}

function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const local = join(root, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(local)) return local;
  return fail(
    `Node 24 or newer is needed; this is ${process.version}. Install it, or run \`npm ci\`, which brings a copy.`,
  );
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

installPackages();
// Set in the environment, not by the script, so that it also holds for the first file. See src/compile-cache.ts.
const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled');
const env = { NODE_COMPILE_CACHE, ...process.env };
// The pages of the workspace are TypeScript whose types Node strips, and says so each time.
const hasPages = ['scripts/demo.ts', 'test/sandbox/start.ts', 'scripts/pictures.ts'].includes(script);
// As in scripts/deploy/sizes.ts, which says why.
const isReplica = script === 'src/main.ts';
const flags = [
  ...(hasPages ? ['--disable-warning=ExperimentalWarning'] : []),
  ...(isReplica ? ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'] : []),
];
const node = findNode();
const program = [...flags, join(root, script), ...args];
// A program that npm started ends with npm. Otherwise it may run on in the background, for example with nohup.
const isOfNpm = Boolean(process.env.npm_lifecycle_event);
const watched = ['--import', join(root, 'scripts', 'end-with-parent.mjs'), ...program];
// This process becomes the program, so that signals reach it directly.
if (node === process.execPath && process.execve) process.execve(node, [node, ...(isOfNpm ? watched : program)], env);

const child = spawn(node, watched, { stdio: 'inherit', env });
process.on('SIGTERM', () => child.kill('SIGTERM'));
// A terminal sends Ctrl-C to the child, too: passing it on would be a second signal, which ends the app at once.
process.on('SIGINT', () => undefined);
if (isOfNpm) await import('./end-with-parent.mjs');
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
