// A window that changes the policy: makes its edits, and carries them out.
import type { Edit } from '../../policy/edit.ts';
import type { Day, Policy } from '../../policy/policy.ts';
import type { Item } from '../plan/plan.ts';
import type { Decision } from '../run/decision-form.ts';
import type { ProposeOptions } from '../run/engine.ts';
import { type Acting, answerWorking, type KeptForm } from '../run/kept-form.ts';
import { confirmOrShow, showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';

type PolicyForm<State, Values> = Omit<KeptForm<State, Values>, 'carryOut'> & {
  /** Shown while it is carried out. */
  working: string;
  toEdits(state: State, filled: Values, until: Day | undefined): PolicyChange;
};

type PolicyChange = {
  edits: readonly Edit[];
  options?: ProposeOptions;
  /** Whether the values to replace are those that the window showed. If not, the plan is shown first. */
  isAsShown?: (items: readonly Item[], policy: Policy, now: number) => boolean;
  /** Whether the window did not show what changes: the plan is shown, however small it is. */
  isUnseen?: (items: readonly Item[]) => boolean;
};

export function toKeptForm<State, Values>({
  working,
  toEdits,
  ...form
}: PolicyForm<State, Values>): KeptForm<State, Values> {
  return {
    ...form,
    carryOut: (state, { filled, replyTo, ...decision }, submission, services) =>
      answerWorking({ ...form.topic, loading: working }, submission, replyTo, (acting) =>
        change(toEdits(state, filled, decision.until), decision, acting, services),
      ),
  };
}

const CHANGED = 'Somebody changed this since the window was opened: look again.';

async function change(
  { edits, options, isAsShown = () => true, isUnseen = () => false }: PolicyChange,
  { reason, approver }: Decision,
  acting: Acting,
  services: GovernanceServices,
): Promise<void> {
  const proposal = await services.engine.propose(edits, acting, options);
  if (isUnseen(proposal.plan.items)) return showPlan(acting, proposal, services, { reason });
  const { policy } = await services.policy.read();
  if (isAsShown(proposal.plan.items, policy, services.now())) {
    return confirmOrShow(acting, proposal, { reason, approver, say: acting.say }, services);
  }
  await showPlan(acting, { ...proposal, warnings: [CHANGED, ...proposal.warnings] }, services, { reason });
}
