// What a run adds to the log: what was decided, and how each item ended. A resumed run adds what is missing.
import type { AuditEntry, AuditStore } from '../../audit/audit-log.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { type Edit, replayEdits } from '../../policy/edit.ts';
import { type Entry, findEntry, type Policy } from '../../policy/policy.ts';
import type { Target } from '../../policy/target.ts';
import { type Item, targetOf } from '../plan/plan.ts';
import { listPolicyEdits, readUntil } from './item-words.ts';
import type { ItemResult, Run, RunContent } from './run.ts';

export type RunLog = {
  /** Adds, once, the confirmation and each entry of the policy that the run set. Throws StoreUnavailableError. */
  addDecision(): Promise<void>;
  /** Adds how an item ended, after the decision. Throws StoreUnavailableError. */
  addItem(item: Item, result: ItemResult): Promise<void>;
};

type LogServices = { audit: Pick<AuditStore, 'append' | 'list'>; now(): number };

/** `isResumed`: some of its entries may be in the log already. */
export function createRunLog(
  run: Run,
  content: RunContent,
  { audit, now }: LogServices,
  { isResumed }: { isResumed: boolean },
): RunLog {
  const reading = isResumed ? readLogged(run, audit) : Promise.resolve(new Set<string>());
  let decided: Promise<void> | undefined;

  async function add(part: Pick<AuditEntry, 'what' | 'subject' | 'outcome'> & Partial<AuditEntry>): Promise<void> {
    const entry = toEntry(run, part, now());
    const [logged, key] = [await reading, toLoggedKey(entry)];
    if (logged.has(key)) return;
    await audit.append(entry);
    logged.add(key);
  }

  async function decide(): Promise<void> {
    const after = { hash: content.plan.hash, edits: run.edits, items: run.items };
    await add({ what: 'plan_confirmed', subject: {}, after, outcome: { kind: 'done' } });
    for (const part of listPolicySteps(run, content)) await add(part);
  }

  const addDecision = () => {
    decided ??= decide();
    return decided;
  };

  return {
    addDecision,
    async addItem(item, { kind, written, reason, said, found, requestIds, after = item.after }) {
      await addDecision();
      const outcome = { kind, written, reason, said, found };
      await add({ what: 'item_ended', subject: targetOf(item), before: item.before, after, outcome, requestIds });
    },
  };
}

function toEntry(
  { by, approver, why, id, policy }: Run,
  { subject, ...part }: Pick<AuditEntry, 'what' | 'subject' | 'outcome'> & Partial<AuditEntry>,
  at: number,
): AuditEntry {
  const { account, approverAccount, reason } = why;
  return {
    ...{ schema: 1, at, policy, reason, requestIds: [] },
    who: { user: by.user, account, approver: approver?.user, approverAccount },
    ...{ team: by.team, workspace: by.workspace, subject: { ...subject, planId: id } },
    ...part,
  };
}

function listPolicySteps(run: Run, { plan, reverse }: RunContent) {
  const { before, after } = replayEdits(plan.edits, reverse, run.why);
  return toPolicySteps(reverse, before, after);
}

/** What is logged of each entry of the policy that was changed. `touched`: one edit for each. */
export function toPolicySteps(touched: readonly Edit[], before: Policy, after: Policy) {
  return touched.map(({ setting, target }: Edit) => ({
    what: 'policy_set' as const,
    subject: target,
    before: toStated(before, setting, target),
    after: toStated(after, setting, target),
    outcome: { kind: 'done' as const },
  }));
}

/** The value of an entry. An exception has its last day as well. */
function toStated(policy: Policy, setting: Edit['setting'], target: Target) {
  const { standing, exception }: Partial<Entry> = findEntry(policy, setting, target) ?? {};
  if (exception === undefined) return { setting, value: standing?.value };
  return { setting, value: exception.value, until: exception.until };
}

/** The target and values of a plan, for the log. A plan with several changes has only their numbers. */
export function toPlanParts({ plan }: Pick<RunContent, 'plan'>): Pick<AuditEntry, 'subject' | 'before' | 'after'> {
  const { hash, edits, items } = plan;
  const counts = { hash, edits: edits.length, items: items.length };
  const [first, ...others] = [...items, ...listPolicyEdits(plan)];
  if (first === undefined || others.length > 0) return { subject: {}, after: counts };
  if ('resource' in first) {
    const after = { ...counts, state: first.after, until: readUntil(edits) };
    return { subject: targetOf(first), before: first.before, after };
  }
  const { setting, target, change } = first;
  const stated = change.kind === 'set' ? { value: change.value, until: change.until } : {};
  return { subject: target, after: { ...counts, setting, ...stated } };
}

function toLoggedKey({ what, subject, after }: AuditEntry): string {
  const setting = what === 'policy_set' ? (after as { setting?: string }).setting : undefined;
  return toCanonicalJson([what, setting, subject]);
}

const CHUNK = 100;

/** Clocks of replicas differ. */
const SKEW_MS = 10 * 60_000;

async function readLogged({ id, begunAt }: Run, audit: LogServices['audit']): Promise<Set<string>> {
  const logged = new Set<string>();
  for (let before: number | undefined; ; ) {
    const entries = await audit.list({ limit: CHUNK, before });
    for (const entry of entries) if (entry.subject.planId === id) logged.add(toLoggedKey(entry));
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK || oldest.at < begunAt - SKEW_MS) return logged;
    before = oldest.seq;
  }
}
