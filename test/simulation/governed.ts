// What is left of the administrators' work: the policy, all runs with what became of each item, and the log.
import type { LinkedEntry } from '../../src/audit/audit-log.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { createRecords } from '../../src/backend/records.ts';
import type { Item } from '../../src/governance/plan/plan.ts';
import type { ItemResult, Run } from '../../src/governance/run/run-store.ts';
import type { Policy } from '../../src/policy/policy.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import type { Administrators } from './administrators.ts';

export type DoneItem = { run: Run; item: Item; result: ItemResult | undefined };

export type Governed = {
  policy: Policy;
  runs: Run[];
  items: DoneItem[];
  log: LinkedEntry[];
  /** What is wrong with the chain of the log. */
  logProblem: string | undefined;
  /** When policy and service agreed, by the last review (epoch ms). */
  agreedAt: number;
};

export async function readGoverned(
  kernel: Kernel,
  { plans, agreedAt }: Pick<Administrators, 'plans' | 'agreedAt'>,
  now: number,
): Promise<Governed> {
  const store = createRecords(kernel, () => now);
  const { policy } = await store.policy.read();
  const found = await Promise.all([...plans].map((id) => store.runs.get(id)));
  const runs = found.filter((run) => run !== undefined);
  const items: DoneItem[] = [];
  for (const run of runs) {
    const [content, records] = await Promise.all([store.runs.content(run.id), store.runs.records(run.id)]);
    for (const [index, item] of (content?.plan.items ?? []).entries()) {
      items.push({ run, item, result: records.get(index)?.result });
    }
  }
  const verdict = await verifyAudit(store.audit, { keys: [] });
  const log = await store.audit.list({ limit: 100_000 });
  return {
    policy,
    runs,
    items,
    log,
    logProblem: verdict.ok ? undefined : verdict.problem,
    agreedAt: agreedAt() ?? now,
  };
}
