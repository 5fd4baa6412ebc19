import { UserError } from '../../src/errors.ts';
import { type Import, readImport } from '../../src/governance/policy-documents/import-document.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { AGENT_CURRENCY } from '../../src/wiring/connect-governance.ts';

type FindAgent = (environmentId: string, id: string) => string | undefined;

/** What the file would change in the policy. Throws a UserError with a line for each mistake. */
export async function readEdits(
  text: string,
  policy: Policy,
  readInventory: () => Promise<FindAgent>,
): Promise<Import> {
  const found = await readImport(text, policy, { currency: AGENT_CURRENCY, now: Date.now(), readInventory });
  if (!('problems' in found)) return found;
  throw new UserError('file_wrong', found.problems.map(({ line, sentence }) => `Line ${line}: ${sentence}`).join('\n'));
}
