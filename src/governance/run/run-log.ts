// What a run adds to the log: what was decided, and how each item ended. Resumed, it adds what is missing.
import type { AuditEntry, AuditStore } from '../audit/audit-log.ts';
import type { Item } from '../plan/plan.ts';
import { applyEdits, type Edit } from '../policy/edit.ts';
import { type Entry, findEntry, type Policy } from '../policy/policy.ts';
import { type Target, toEntryKey } from '../policy/target.ts';
import { listPolicyEdits, readUntil } from './item-words.ts';
import type { ItemResult, Run, RunContent } from './run.ts';

export type RunLog = {
  /** That it was confirmed, and each entry of the policy that it set: once. Throws StoreUnavailableError. */
  addDecision(): Promise<void>;
  /** After the decision. Throws StoreUnavailableError. */
  addItem(item: Item, result: ItemResult): Promise<void>;
};

type LogServices = { audit: Pick<AuditStore, 'append' | 'list'>; now(): number };

/** `isResumed`: some of its entries may be there. */
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
      await add({ what: 'item_ended', subject: toItemSubject(item), before: item.before, after, outcome, requestIds });
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
  const before = applyEdits({ revision: 0, entries: {} }, reverse, run.why);
  const after = applyEdits(before, plan.edits, run.why);
  return reverse.map(({ setting, target }: Edit) => ({
    what: 'policy_set' as const,
    subject: toSubject(target),
    before: toStated(before, setting, target),
    after: toStated(after, setting, target),
    outcome: { kind: 'done' as const },
  }));
}

/** What an entry says: of an exception with its last day. */
function toStated(policy: Policy, setting: Edit['setting'], target: Target) {
  const { standing, exception }: Partial<Entry> = findEntry(policy, setting, target) ?? {};
  if (exception === undefined) return { setting, value: standing?.value };
  return { setting, value: exception.value, until: exception.until };
}

/** What a plan is about, for the log; where it does several things, how many. */
export function toPlanParts({ plan }: Pick<RunContent, 'plan'>): Pick<AuditEntry, 'subject' | 'before' | 'after'> {
  const { hash, edits, items } = plan;
  const counts = { hash, edits: edits.length, items: items.length };
  const [first, ...others] = [...items, ...listPolicyEdits(plan)];
  if (first === undefined || others.length > 0) return { subject: {}, after: counts };
  if ('resource' in first) {
    const after = { ...counts, state: first.after, until: readUntil(edits) };
    return { subject: toItemSubject(first), before: first.before, after };
  }
  const { setting, target, change } = first;
  const stated = change.kind === 'set' ? { value: change.value, until: change.until } : {};
  return { subject: toSubject(target), after: { ...counts, setting, ...stated } };
}

function toSubject(target: Target): AuditEntry['subject'] {
  if ('className' in target) return { className: target.className };
  if ('channel' in target) return { workspace: target.workspace, channel: target.channel };
  const { environmentId, currency } = target;
  return { environmentId, ...('agentId' in target && { agentId: target.agentId }), ...(currency && { currency }) };
}

function toItemSubject(item: Item): AuditEntry['subject'] {
  if (item.resource === 'credits') return { environmentId: item.environmentId };
  const { environmentId, agentId } = item.agent;
  return { environmentId, agentId, currency: item.currency };
}

function toLoggedKey({ what, subject, workspace, after }: AuditEntry): string {
  const setting = what === 'policy_set' ? (after as { setting?: string }).setting : undefined;
  return JSON.stringify([what, setting, toEntryKey('', toTarget({ workspace, ...subject }))]);
}

function toTarget(subject: AuditEntry['subject']): Target {
  const { environmentId = '', agentId, currency, workspace = '', channel, className } = subject;
  if (className !== undefined) return { className };
  if (channel !== undefined) return { workspace, channel };
  return { environmentId, ...(agentId !== undefined && { agentId }), ...(currency !== undefined && { currency }) };
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
