// The engine: proposals, their confirmation, and the beginning of runs.

import { saysAlready } from '../plan/approved-way.ts';
import type { GovernanceServices } from '../services.ts';
import { beginRun } from './begin-run.ts';
import type { Approved, Confirmation, Confirmed, Engine, Proposal } from './engine.ts';
import { proposeEdits, proposeItems, toRestore } from './propose.ts';
import { isStopRun } from './run.ts';
import type { Runs } from './slack-runs.ts';

/** Has a second administrator asked. Throws a SentenceError, and StoreUnavailableError, where nobody was asked. */
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
    const lease = runs.toLease({ items: plan.items.length, isStop: isStopRun(plan) });
    const begun = await beginRun({ plan, by, approver, why, replyTo, lease }, services);
    if (begun.kind === 'outdated') return 'outdated';
    if (begun.kind === 'known') return 'started';
    services.inBackground(() => runs.start(begun.run, begun.content, live));
    return 'started';
  }

  return {
    propose: (edits, by, options = {}) => proposeEdits(edits, by, options, services),
    proposeItems: (items, by) => proposeItems(items, by, services),
    proposeUndo: ({ plan, reverse }, by) => proposeEdits(reverse, by, { restore: toRestore(plan.items) }, services),
    async confirm(proposal, confirmation) {
      const { plan, needsApprover } = proposal;
      const { caller: by, approver, reason, replyTo } = confirmation;
      if (plan.items.length === 0) {
        const { policy } = await services.policy.read();
        if (saysAlready(policy, plan.edits)) return 'nothing';
      }
      if (needsApprover) {
        if (approver === undefined) throw new Error('a plan that allows more has an approver');
        await askApproval(proposal, { ...confirmation, approver });
        return 'waiting';
      }
      const account = (await services.adminAccount(by))?.account;
      return begin({ plan, by, reason, replyTo, account }, confirmation);
    },
    carryOutApproved: (approved) => begin(approved),
  };
}
