// Begins a run: the next policy, the run and all of its plan in one commit. Once for each plan, however often it is confirmed.
import type { Plan } from '../plan/plan.ts';
import { hashBasis } from '../plan/plan-basis.ts';
import { applyEdits, toReverse } from '../policy/edit.ts';
import type { Policy, Why } from '../policy/policy.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { isStopRun, type Lease, type Run, type RunContent } from './run.ts';
import { toSentKey } from './sent.ts';

export type Beginning = {
  plan: Plan;
  by: Caller;
  approver?: Caller | undefined;
  why: Why;
  replyTo: string;
  /** Of the process that carries it out at once; undefined: the lane does it. */
  lease: Lease | undefined;
};

/** `known`: it was begun before. `outdated`: somebody changed what the plan is made from. */
export type Begun =
  | { kind: 'begun'; run: Run; content: RunContent }
  | { kind: 'known'; run: Run }
  | { kind: 'outdated' };

type BeginServices = Pick<GovernanceServices, 'policy' | 'policyChanged' | 'runs' | 'sent'>;

/** Each conflict means that somebody else has changed the policy, so so many in a row mean a broken store. */
const ROUNDS = 50;

/** Throws StoreUnavailableError. */
export async function beginRun(beginning: Beginning, services: BeginServices): Promise<Begun> {
  const { plan, why } = beginning;
  for (let round = 0; round < ROUNDS; round += 1) {
    const stored = await services.policy.read();
    const known = await services.runs.get(plan.id);
    if (known) return { kind: 'known', run: known };
    if (hashBasis(stored.policy, plan) !== plan.basis) return { kind: 'outdated' };
    const next = plan.edits.length === 0 ? stored.policy : applyEdits(stored.policy, plan.edits, why);
    const run = toRun(beginning, next);
    const content = { plan, reverse: toReverse(stored.policy, plan.edits) };
    if (await services.policy.replace(stored, next, listWrites(run, content, services))) {
      if (next !== stored.policy) services.policyChanged();
      return { kind: 'begun', run, content };
    }
  }
  throw new Error(`the policy was changed by others ${ROUNDS} times in a row`);
}

function toRun({ plan, by, approver, why, replyTo, lease }: Beginning, { revision }: Policy): Run {
  const { id, edits, items } = plan;
  return {
    ...{ id, by, approver, why, policy: revision, edits: edits.length, items: items.length },
    ...{ isStop: isStopRun(plan), replyTo, begunAt: why.at, lease: lease ?? { holder: '', until: 0 } },
  };
}

/** Stops are on their way as soon as this is stored: nothing more is recorded before they are sent. */
function listWrites(run: Run, content: RunContent, { runs, sent }: BeginServices) {
  const { items } = content.plan;
  if (!run.isStop) return runs.toWrites(run, content, []);
  const records = items.map((_, index) => ({ index, sending: run.begunAt }));
  const stops = items.flatMap((item) =>
    item.resource === 'threshold'
      ? [sent.toWrite(toSentKey(item), { ...item.after, at: run.begunAt, run: run.id, inDoubt: true })]
      : [],
  );
  return [...runs.toWrites(run, content, records), ...stops];
}
