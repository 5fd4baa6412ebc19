import { applyEdits, toReverse } from '../../policy/edit.ts';
import { saysAlready } from '../plan/compare.ts';
import { hashBasis } from '../plan/make-plan.ts';
import { isStopPlan } from '../plan/plan.ts';
import type { GovernanceServices } from '../services.ts';
import type { ApprovedPlan, Confirmation, Confirmed, Engine, Proposal } from './engine.ts';
import { proposeEdits, proposeItems, toRestore } from './propose.ts';
import { requireChannelRights } from './run-rights.ts';
import type { Run, RunContent } from './run-store.ts';
import { toSentKey } from './run-store.ts';
import type { Live } from './slack-run-teller.ts';
import type { Runs } from './slack-runs.ts';

/** Asks the second administrator. Throws a SentenceError or StoreUnavailableError if they were not asked. */
export type AskApproval = (
  proposal: Pick<Proposal, 'plan' | 'warnings'>,
  confirmation: Confirmation & { approver: string },
) => Promise<void>;

/** A round fails only if somebody else changed the policy meanwhile. So many in a row mean that the store is broken. */
const ROUNDS = 50;

export function createEngine(
  services: GovernanceServices,
  { runs, askApproval }: { runs: Runs; askApproval: AskApproval },
): Engine {
  async function begin(approved: ApprovedPlan, live?: Live): Promise<Confirmed> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = await tryBegin(approved, live);
      if (begun) return begun;
    }
    throw new Error(`the policy was changed by others ${ROUNDS} times in a row`);
  }

  /** Undefined: somebody else changed the policy meanwhile. */
  async function tryBegin(approved: ApprovedPlan, live: Live | undefined): Promise<Confirmed | undefined> {
    const { plan } = approved;
    const stored = await services.policy.read();
    if (await services.runs.get(plan.id)) return 'started';
    if (hashBasis(stored.policy, plan) !== plan.basis) return 'outdated';
    const run = toRun(approved, stored.policy.revision);
    const next = plan.edits.length === 0 ? stored.policy : applyEdits(stored.policy, plan.edits, run.why);
    const content = { plan, reverse: toReverse(stored.policy, plan.edits) };
    if (!(await services.policy.replace(stored, next, listWrites(run, content, services)))) return undefined;
    if (next !== stored.policy) services.policyChanged();
    services.inBackground(() => runs.start(run, content, live));
    return 'started';
  }

  /** The run of a plan. `revision`: of the policy that it changes. */
  function toRun({ plan, by, approver, reason, replyTo, ...accounts }: ApprovedPlan, revision: number): Run {
    const { id, edits, items } = plan;
    const isStop = isStopPlan(plan);
    const begunAt = services.now();
    const why = { by: by.user, approvedBy: approver?.user, reason, at: begunAt, ...accounts };
    return {
      ...{ id, by, approver, why, policy: edits.length === 0 ? revision : revision + 1, isStop, replyTo, begunAt },
      ...{ edits: edits.length, items: items.length, lease: runs.toLease({ items: items.length, isStop }) },
    };
  }

  return {
    async propose(edits, by, options = {}) {
      await requireChannelRights(edits, by.caller, services);
      return proposeEdits(edits, by, options, services);
    },
    proposeItems: (items, by) => proposeItems(items, by, services),
    async proposeUndo({ plan, reverse }, by) {
      await requireChannelRights(reverse, by.caller, services);
      const results = await services.runs.results(plan.id);
      // What was not sent is not taken back: it may be what somebody else has set.
      const sent = plan.items.filter((_, index) => results.get(index)?.written !== 'no');
      return proposeEdits(reverse, by, { restore: toRestore(sent) }, services);
    },
    async confirm(proposal, confirmation) {
      const { plan, needsApprover } = proposal;
      const { caller: by, approver, reason, replyTo } = confirmation;
      await requireChannelRights(plan.edits, by, services);
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
