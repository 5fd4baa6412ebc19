// `npm run policy`: for people who keep the policy in a repository. Only `import` changes something: the stored policy.
import { loadSome } from '../src/config.ts';
import { writeDocument } from '../src/governance/policy-documents/write-document.ts';
import { withAccess } from './policy/access.ts';
import { check } from './policy/check.ts';
import { importFile } from './policy/import.ts';
import { plan } from './policy/plan.ts';
import { readPolicyFile } from './policy/read-file.ts';
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
    const file = path === undefined ? undefined : await readPolicyFile(path);
    if (command === 'export' && file === undefined) return exportPolicy();
    if (command === 'check') return withAccess((access) => check(file, csv, access));
    if (command === 'plan' && file !== undefined) return withAccess((access) => plan(file, access));
    if (command === 'import' && file !== undefined) return importFile(file, reason);
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
