import { describeValue } from '../../src/governance/operations/operations.ts';
import { makePlan } from '../../src/governance/plan/make-plan.ts';
import type { Item } from '../../src/governance/plan/plan.ts';
import { readSeen } from '../../src/governance/plan/read-seen.ts';
import { listSentKeys } from '../../src/governance/plan/seen.ts';
import { readAgentIds } from '../../src/governance/policy-documents/import-document.ts';
import { listItemChanges, nameItem } from '../../src/governance/run/item-words.ts';
import { createPacedSession } from '../../src/governance/run/paced-session.ts';
import { type Edit, previewEdits } from '../../src/policy/edit.ts';
import { listCurrencies, readEntry } from '../../src/policy/policy.ts';
import { describeIds } from '../../src/policy/target.ts';
import { toPrintable } from '../printable.ts';
import { type Access, readEdits } from './access.ts';
import type { PolicyFile } from './read-file.ts';

/** Says what importing the file would change, and changes nothing. */
export async function plan({ read }: PolicyFile, { session, services, policy }: Access): Promise<number> {
  const { edits, ended, behind, notes } = await readEdits(read, policy, () => readAgentIds(session));
  const next = previewEdits(policy, edits);
  const currencies = listCurrencies(next, services.currency);
  const paced = createPacedSession(session, services.stopping);
  const seen = await readSeen(paced, { environments: 'all', agents: 'all', currencies }, services);
  const readSent = await services.sent.readFor(listSentKeys(seen.agents, currencies));
  const now = services.now();
  const { items, leftOut } = makePlan(services.createId(), policy, edits, seen, {
    ...{ defaultCurrency: services.currency, readSent, now },
    trustSentMs: services.limitStaleMs,
  });
  const lines = [
    `Policy ${policy.revision}: ${edits.length} changes.`,
    ...(behind > 0 ? [`The file is ${behind} revisions old: later decisions are undone as well.`] : []),
    ...(ended > 0 ? [`${ended} entries end, because the file does not have them.`] : []),
    ...notes,
    ...edits.map((edit) => `  ${describeEdit(edit, readEntry(policy, edit.setting, edit.target, now)?.value)}`),
    `At the service: ${items.length} changes, ${leftOut.length} left out.`,
    ...items.map((item) => `  ${describeItem(item)}`),
    ...leftOut.map(({ environmentId, agent, reason }) => `  left out (${reason}): ${agent?.name ?? environmentId}`),
  ];
  console.log(lines.map(toPrintable).join('\n'));
  if (edits.length + items.length > 0) return 2;
  return leftOut.length > 0 || !seen.isWhole ? 1 : 0;
}

function describeEdit({ setting, target, change }: Edit, before: unknown): string {
  const words = (value: unknown) => describeValue(setting, value as never);
  const old = before === undefined ? 'nothing' : words(before);
  const until = change.kind === 'set' && change.until !== undefined ? ` until ${change.until}` : '';
  return `${setting} of ${describeIds(target)}: ${old} → ${change.kind === 'set' ? `${words(change.value)}${until}` : 'ends'}`;
}

function describeItem(item: Item): string {
  const { name, where } = nameItem(item);
  const changes = listItemChanges(item).map(({ label, old, next }) => `${label} ${old} → ${next}`.trim());
  return `${name}${where === undefined ? '' : ` in ${where}`}: ${changes.join(' · ')}`;
}
