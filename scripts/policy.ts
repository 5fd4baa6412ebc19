// `npm run policy`: the policy for whoever keeps it in a repository. Changes nothing, but for `import`, which changes the policy.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/config.ts';
import { BridgeError, systemCode, UserError } from '../src/errors.ts';
import { withAccess } from './policy/access.ts';
import { check } from './policy/check.ts';
import { exportPolicy } from './policy/export.ts';
import { importFile } from './policy/import.ts';
import { plan } from './policy/plan.ts';

const USAGE = `The policy: what is approved for environments, agents and channels.
  npm run --silent policy -- export > policy.yaml   the stored policy
  npm run policy -- check [FILE] [--csv]            compares what is set with the stored policy, or with the file
  npm run policy -- plan FILE                       what importing the file would change: of the policy, and at the service
  npm run policy -- import FILE --reason TEXT       changes the policy, and nothing at the service: see /assistant-admin review
All but import change nothing. check, plan, and the import of a register of an earlier release need ADMIN_API_BASE_URL, and
REVIEW_TOKEN or the stored sign-in of REVIEW_AS. With SQLite, stop the app for import; all else runs beside it.

Ends with 0 if there is nothing to do, 2 if something differs, 1 if that cannot be told.`;

const OPTIONS = {
  csv: { type: 'boolean', default: false },
  reason: { type: 'string', default: '' },
  help: { type: 'boolean', short: 'h' },
} as const;

const FAILED = 1;

try {
  process.exitCode = await run();
} catch (cause) {
  console.error(toSentence(cause));
  process.exitCode = FAILED;
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [command, path, ...rest] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const text = path === undefined ? undefined : await readText(path);
  if (rest.length === 0) {
    if (command === 'export' && text === undefined) return exportPolicy();
    if (command === 'check') return withAccess((access) => check(text, values.csv, access));
    if (command === 'plan' && text !== undefined) return withAccess((access) => plan(text, access));
    if (command === 'import' && text !== undefined) return importFile(text, values.reason);
  }
  console.error(USAGE);
  return FAILED;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UserError('no_file', `${path} cannot be read (${systemCode(cause) ?? 'unknown reason'}).`, { cause });
  }
}

function toSentence(cause: unknown): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  const words = cause instanceof Error ? cause.message : String(cause);
  return String(systemCode(cause)).startsWith('ERR_PARSE_ARGS') ? `${words}\n${USAGE}` : `It failed: ${words}`;
}
