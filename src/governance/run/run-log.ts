// What a run adds to the log: what was decided, and how each item ended. A resumed run adds what is missing.
import type { AuditEntry, AuditStore } from '../../audit/audit-log.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { type Edit, replayEdits } from '../../policy/edit.ts';
import { type Policy, readEntry } from '../../policy/policy.ts';
import { type Item, targetOf } from '../plan/plan.ts';
import { listPolicyEdits, readUntil } from './item-words.ts';
import type { ItemResult, Run, RunContent } from './run-store.ts';

export type RunLog = {
  /** Adds, once, the confirmation and each entry of the policy that the run set. Throws StoreUnavailableError. */
  addDecision(): Promise<void>;
  /** Adds how an item ended, after the decision. Throws StoreUnavailableError. */
  addItem(item: Item, result: ItemResult): Promise<void>;
};

type LogServices = { audit: Pick<AuditStore, 'append' | 'list'>; now(): number };

/** What it writes about a run. */
type LoggedRun = Pick<Run, 'id' | 'by' | 'approver' | 'why' | 'policy' | 'edits' | 'items' | 'begunAt'>;

/** `isResumed`: some of its entries may be in the log already. */
export function createRunLog(
  run: LoggedRun,
  content: RunContent,
  { audit, now }: LogServices,
  { isResumed }: { isResumed: boolean },
): RunLog {
  let reading: Promise<Set<string>> | undefined;
  let decided: Promise<void> | undefined;

  /** Read on demand: a rejection that nobody waits for would end the process. */
  function readOnce(): Promise<Set<string>> {
    reading ??= isResumed ? readLogged(run, audit) : Promise.resolve(new Set());
    return reading;
  }

  async function add(part: Pick<AuditEntry, 'what' | 'subject' | 'outcome'> & Partial<AuditEntry>): Promise<void> {
    const entry = toEntry(run, part, now());
    const [logged, key] = [await readOnce(), toLoggedKey(entry)];
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
  { by, approver, why, id, policy }: LoggedRun,
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

function listPolicySteps(run: LoggedRun, { plan, reverse }: RunContent) {
  const { before, after } = replayEdits(plan.edits, reverse, run.why);
  return reverse.map((edit: Edit) => ({
    what: 'policy_set' as const,
    subject: edit.target,
    before: toStated(before, edit, run.why.at),
    after: toStated(after, edit, run.why.at),
    outcome: { kind: 'done' as const },
  }));
}

/** What an entry says then: of an exception with its last day, unless that is over. */
function toStated(policy: Policy, { setting, target }: Edit, at: number) {
  const stated = readEntry(policy, setting, target, at);
  return { setting, value: stated?.value, ...(stated?.until !== undefined && { until: stated.until }) };
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

async function readLogged({ id, begunAt }: LoggedRun, audit: LogServices['audit']): Promise<Set<string>> {
  const logged = new Set<string>();
  for (let before: number | undefined; ; ) {
    const entries = await audit.list({ limit: CHUNK, before });
    for (const entry of entries) if (entry.subject.planId === id) logged.add(toLoggedKey(entry));
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK || oldest.at < begunAt - SKEW_MS) return logged;
    before = oldest.seq;
  }
}
