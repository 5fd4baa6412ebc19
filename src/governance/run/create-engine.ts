import { applyEdits, toReverse } from '../../policy/edit.ts';
import type { Policy, Why } from '../../policy/policy.ts';
import { saysAlready } from '../plan/compare.ts';
import { hashBasis } from '../plan/make-plan.ts';
import { isStopPlan, type Plan } from '../plan/plan.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Approved, Confirmation, Confirmed, Engine, Proposal } from './engine.ts';
import { proposeEdits, proposeItems, toRestore } from './propose.ts';
import type { Lease, Run, RunContent } from './run.ts';
import { requireRights } from './run-rights.ts';
import { toSentKey } from './run-store.ts';
import type { Runs } from './slack-runs.ts';

/** Asks the second administrator. Throws a SentenceError or StoreUnavailableError if they were not asked. */
export type AskApproval = (
  proposal: Pick<Proposal, 'plan' | 'warnings'>,
  confirmation: Confirmation & { approver: string },
) => Promise<void>;

export function createEngine(
  services: GovernanceServices,
  { runs, askApproval }: { runs: Runs; askApproval: AskApproval },
): Engine {
  async function begin(
    { plan, by, approver, reason, replyTo, ...accounts }: Approved,
    live?: Confirmation,
  ): Promise<Confirmed> {
    const why = { by: by.user, approvedBy: approver?.user, reason, at: services.now(), ...accounts };
    const lease = runs.toLease({ items: plan.items.length, isStop: isStopPlan(plan) });
    const begun = await beginRun({ plan, by, approver, why, replyTo, lease }, services);
    if (begun.kind === 'outdated') return 'outdated';
    if (begun.kind === 'known') return 'started';
    services.inBackground(() => runs.start(begun.run, begun.content, live));
    return 'started';
  }

  return {
    async propose(edits, by, options = {}) {
      await requireRights(edits, by.caller, services);
      return proposeEdits(edits, by, options, services);
    },
    proposeItems: (items, by) => proposeItems(items, by, services),
    async proposeUndo({ plan, reverse }, by) {
      await requireRights(reverse, by.caller, services);
      const results = await services.runs.results(plan.id);
      // What was not sent is not taken back: it may be what somebody else has set.
      const sent = plan.items.filter((_, index) => results.get(index)?.written !== 'no');
      return proposeEdits(reverse, by, { restore: toRestore(sent) }, services);
    },
    async confirm(proposal, confirmation) {
      const { plan, needsApprover } = proposal;
      const { caller: by, approver, reason, replyTo } = confirmation;
      await requireRights(plan.edits, by, services);
      if (plan.items.length === 0) {
        const { policy } = await services.policy.read();
        if (saysAlready(policy, plan.edits)) return 'nothing';
      }
      if (needsApprover) {
        if (approver === undefined) throw new Error('a plan that needs an approver has none');
        await askApproval(proposal, { ...confirmation, approver });
        return 'waiting';
      }
      const account = (await services.adminAccount(by))?.account;
      return begin({ plan, by, reason, replyTo, account }, confirmation);
    },
    carryOutApproved: (approved) => begin(approved),
  };
}

type Beginning = {
  plan: Plan;
  by: Caller;
  approver?: Caller | undefined;
  why: Why;
  replyTo: string;
  /** The lease of the process that carries the plan out at once. Undefined: the lane carries it out. */
  lease: Lease | undefined;
};

/** `known`: it was begun before. `outdated`: somebody changed what the plan is made from. */
type Begun = { kind: 'begun'; run: Run; content: RunContent } | { kind: 'known'; run: Run } | { kind: 'outdated' };

/** A round fails only if somebody else changed the policy meanwhile. So many in a row mean that the store is broken. */
const ROUNDS = 50;

/** Throws StoreUnavailableError. */
async function beginRun(beginning: Beginning, services: GovernanceServices): Promise<Begun> {
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
    ...{ isStop: isStopPlan(plan), replyTo, begunAt: why.at, lease: lease ?? { holder: '', until: 0 } },
  };
}

/** Stops are recorded as sent in this same commit, so that they can be sent right after it. */
function listWrites(run: Run, content: RunContent, { runs, sent }: GovernanceServices) {
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
