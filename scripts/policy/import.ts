import { createHash, randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../src/audit/audit-log.ts';
import { loadConfig } from '../../src/config.ts';
import { UserError } from '../../src/errors.ts';
import { approvesMore } from '../../src/governance/plan/compare.ts';
import { toPlan } from '../../src/governance/plan/make-plan.ts';
import { readAgentIds } from '../../src/governance/policy-documents/import-document.ts';
import { parseReason } from '../../src/governance/run/decision-form.ts';
import { createRunLog } from '../../src/governance/run/run-log.ts';
import type { Run } from '../../src/governance/run/run-store.ts';
import { applyEdits, toReverse } from '../../src/policy/edit.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { AGENT_CURRENCY } from '../../src/wiring/connect-governance.ts';
import { toPrintable } from '../printable.ts';
import { withStore } from '../with-store.ts';
import { readEdits, withAccess } from './access.ts';
import type { PolicyFile } from './read-file.ts';

/** The name of the person who ran this, in the log and the policy. */
const OPERATOR = 'operator';

/** Nothing renews it: longer than thousands of entries of the log take, one by one. */
const LEASE_MS = 5 * 60_000;

/**
 * Changes the policy, and nothing at the service: an administrator sets back the differences with their own rights. Writes
 * the audit log first: without an entry nothing is changed.
 */
export async function importFile({ text, read }: PolicyFile, typed: string): Promise<number> {
  const reason = parseReason(typed);
  if (!reason.ok) throw new UserError('no_reason', `--reason: ${reason.sentence}`);
  const config = loadConfig();
  return withStore(config, async ({ policy: policies, audit, runs }) => {
    const before = await policies.read();
    const { policy } = before;
    // Used only for a register, which may name agents by either of their ids.
    const readInventory = () => withAccess(({ session }) => readAgentIds(session));
    const { edits, notes } = await readEdits(read, policy, readInventory);
    for (const note of notes) console.log(toPrintable(note));
    if (edits.length === 0) {
      console.log(`Policy ${policy.revision} says all of this already.`);
      return 0;
    }
    const at = Date.now();
    const isMore = approvesMore(policy, edits, { defaultCurrency: AGENT_CURRENCY, now: at });
    if (isMore && config.REQUIRE_SECOND_APPROVER === 'yes') throw new UserError('needs_approval', NEEDS_APPROVAL);
    const why = { by: OPERATOR, reason: reason.reason, at };
    const next = applyEdits(policy, edits, why);
    const cleared = listCleared(policy, next);
    if (cleared.length > 0) throw new UserError('workspace_missing', describeMissing(cleared.map(toPrintable)));
    const id = randomUUID().replaceAll('-', '').slice(0, 12);
    const add = (outcome: AuditEntry['outcome']) =>
      audit.append({
        ...{ schema: 1, at, what: 'policy_imported', who: { user: OPERATOR }, team: '', workspace: '' },
        ...{ subject: { planId: id }, policy: next.revision, reason: reason.reason, outcome, requestIds: [] },
        after: { sha256: createHash('sha256').update(text, 'utf8').digest('hex'), changes: edits.length },
      });
    await add({ kind: 'begun' });
    // As of an import in Slack: by what it adds to the log, the log finds what was set. If we are killed after the policy was
    // changed, the app finds the run, adds what is missing and ends it.
    const by = { team: '', workspace: '', user: OPERATOR };
    const part = { id, by, why, policy: next.revision, edits: edits.length, items: 0, isStop: false, begunAt: at };
    const run: Run = { ...part, replyTo: '', lease: { holder: id, until: Date.now() + LEASE_MS } };
    const content = { plan: toPlan(id, policy, { edits, items: [], leftOut: [] }), reverse: toReverse(policy, edits) };
    if (!(await policies.replace(before, next, runs.toWrites(run, content, [])))) {
      await add({ kind: 'failed', reason: 'changed_meanwhile' });
      throw new UserError('changed_meanwhile', CHANGED);
    }
    await add({ kind: 'done' });
    await createRunLog(run, content, { audit, now: Date.now }, { isResumed: false }).addDecision();
    await runs.end(id, id, { at, why: 'done' });
    console.log(`Policy ${next.revision}: ${edits.length} changes. /assistant-admin review shows what differs now.`);
    return 2;
  });
}

const NEEDS_APPROVAL =
  'Nothing was changed: the file allows more than now, and REQUIRE_SECOND_APPROVER is set. Give /assistant-admin policy import in Slack, where a second administrator approves it.';

/** The workspaces that would lose all rules of their channels, where the policy has rules of more than one. */
function listCleared(before: Policy, after: Policy): string[] {
  const [known, kept] = [before, after].map(
    ({ entries }) =>
      new Set(Object.values(entries).flatMap(({ target }) => ('channel' in target ? [target.workspace] : []))),
  ) as [Set<string>, Set<string>];
  return known.size > 1 ? [...known.difference(kept)] : [];
}

const describeMissing = (workspaces: string[]) =>
  `Nothing was changed: the file would end all rules of channels of ${workspaces.join(' and ')}. A file that was exported in Slack has those of one workspace alone: take the one of npm run policy -- export. To end them all the same, use /assistant-admin policy import there.`;

const CHANGED = 'Nothing was changed: somebody changed the policy meanwhile. Run this again.';
