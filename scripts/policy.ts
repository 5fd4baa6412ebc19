// `npm run policy`: for people who keep the policy in a repository. Only `import` changes something: the stored policy.
import { readFile } from 'node:fs/promises';
import { loadSome } from '../src/config.ts';
import { systemCode, UserError } from '../src/errors.ts';
import { writeDocument } from '../src/governance/policy-documents/write-document.ts';
import { withAccess } from './policy/access.ts';
import { check } from './policy/check.ts';
import { importFile } from './policy/import.ts';
import { plan } from './policy/plan.ts';
import { runCommand } from './run-command.ts';
import { withReader } from './with-store.ts';

await runCommand({
  usage: `The policy: what is approved for environments, agents and channels.
  npm run --silent policy -- export > policy.yaml   the stored policy
  npm run policy -- check [FILE] [--csv]            compares what is set with the stored policy, or with the file
  npm run policy -- plan FILE                       what importing the file would change: of the policy, and at the service
  npm run policy -- import FILE --reason TEXT       changes the policy, and nothing at the service: see /assistant-admin review
All but import change nothing. check, plan, and the import of a register of an earlier release need ADMIN_API_BASE_URL, and
REVIEW_TOKEN or the stored sign-in of REVIEW_AS. With SQLite, stop the app for import; all else runs beside it.

Ends with 0 if there is nothing to do, 2 if something differs, 1 if that is unknown.`,
  options: { csv: { type: 'boolean', default: false }, reason: { type: 'string', default: '' } },
  allowPositionals: true,
  async run({ csv, reason }, [command, path, ...rest]) {
    if (rest.length > 0) return undefined;
    const text = path === undefined ? undefined : await readText(path);
    if (command === 'export' && text === undefined) return exportPolicy();
    if (command === 'check') return withAccess((access) => check(text, csv, access));
    if (command === 'plan' && text !== undefined) return withAccess((access) => plan(text, access));
    if (command === 'import' && text !== undefined) return importFile(text, reason);
    return undefined;
  },
});

function exportPolicy(): Promise<number> {
  return withReader(loadSome(['REDIS_URL', 'SQLITE_PATH', 'NODE_EXTRA_CA_CERTS']), async (store) => {
    const { policy } = await store.policy.read();
    process.stdout.write(writeDocument(policy));
    return 0;
  });
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is no text in UTF-8' : (systemCode(cause) ?? 'unknown reason');
    throw new UserError('no_file', `${path} cannot be read (${why}).`, { cause });
  }
}
