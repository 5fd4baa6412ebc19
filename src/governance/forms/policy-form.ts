// A window that changes the policy: from the edits that it means to the outcome.
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { Item } from '../plan/plan.ts';
import type { Edit } from '../policy/edit.ts';
import type { Day, Policy } from '../policy/policy.ts';
import type { Decision } from '../run/decision-form.ts';
import type { ProposeOptions } from '../run/engine.ts';
import { type Acting, answerWorking, type KeptForm } from '../run/kept-form.ts';
import { confirmOrShow, showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Answer, Submission } from '../shell/admin-shell.ts';

type PolicyForm<State, Values> = Omit<KeptForm<State, Values>, 'carryOut'> & {
  /** Shown while it is carried out. */
  working: string;
  toEdits(state: State, filled: Values, until: Day | undefined): Omit<FilledForm, 'decision'>;
};

export function toKeptForm<State, Values>({
  working,
  toEdits,
  ...form
}: PolicyForm<State, Values>): KeptForm<State, Values> {
  return {
    ...form,
    carryOut(state, { filled, replyTo, ...decision }, submission, services) {
      const topic = { ...form.topic, loading: working };
      return carryOut(
        { ...toEdits(state, filled, decision.until), decision },
        submission,
        { topic, replyTo },
        services,
      );
    },
  };
}

type FilledForm = {
  edits: readonly Edit[];
  decision: Pick<Decision, 'reason' | 'approver'>;
  options?: ProposeOptions;
  /** Whether what is about to be written replaces what the window showed. Where it does not, the plan is shown first. */
  isAsShown?: (items: readonly Item[], policy: Policy, now: number) => boolean;
  /** The window did not show what changes: the plan is shown, however small it is. */
  isUnseen?: boolean;
};

const CHANGED = 'Somebody changed this since the window was opened: look again.';

/** `topic.loading` says what is being done. */
function carryOut(
  filled: FilledForm,
  submission: Pick<Submission, 'caller' | 'openSession' | 'toPlace'>,
  { topic, replyTo }: { topic: ModalTopic; replyTo: string },
  services: GovernanceServices,
): Answer {
  return answerWorking(topic, submission, replyTo, (acting) => carryOutEdits(filled, acting, services));
}

async function carryOutEdits(
  { edits, decision: { reason, approver }, options, isAsShown = () => true, isUnseen = false }: FilledForm,
  acting: Acting,
  services: GovernanceServices,
): Promise<void> {
  const proposal = await services.engine.propose(edits, acting, options);
  if (isUnseen) return showPlan(acting, proposal, services, { reason });
  const { policy } = await services.policy.read();
  if (isAsShown(proposal.plan.items, policy, services.now())) {
    return confirmOrShow(acting, proposal, { reason, approver, say: acting.say }, services);
  }
  await showPlan(acting, { ...proposal, warnings: [CHANGED, ...proposal.warnings] }, services, { reason });
}
