// A window that changes the policy: from the edits that it means to the outcome.
import type { ModalView } from '@slack/types';
import { english } from '../../languages/english.ts';
import { buildTitle } from '../../slack/views/content.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import type { Item } from '../plan/plan.ts';
import type { Edit } from '../policy/edit.ts';
import type { Day } from '../policy/policy.ts';
import type { Decision } from '../run/decision-form.ts';
import type { ProposeOptions } from '../run/engine.ts';
import type { KeptForm } from '../run/kept-form.ts';
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
  isAsShown?: (items: readonly Item[]) => boolean;
};

const CHANGED = 'Somebody changed this since the window was opened: look again.';

/** `topic.loading` says what is being done. */
function carryOut(
  { edits, decision, options, isAsShown = () => true }: FilledForm,
  { caller, openSession, toPlace }: Pick<Submission, 'caller' | 'openSession' | 'toPlace'>,
  { topic, replyTo }: { topic: ModalTopic; replyTo: string },
  services: GovernanceServices,
): Answer {
  return {
    answer: { response_action: 'update', view: buildWorking(topic) },
    async afterwards() {
      const { modal, say } = toPlace(replyTo);
      try {
        const session = await openSession();
        const proposal = await services.engine.propose(edits, { caller, session }, options);
        const { reason, approver } = decision;
        const opened = { modal, caller, replyTo };
        if (isAsShown(proposal.plan.items)) {
          await confirmOrShow(opened, proposal, { reason, approver, say }, services);
        } else {
          const warnings = [CHANGED, ...proposal.warnings];
          await showPlan(opened, { ...proposal, warnings }, services, { reason });
        }
      } catch (error) {
        await modal.showFailure(error);
      }
    },
  };
}

/** Shown while what was decided is carried out. Closing it stops nothing, so it has no button that says so. */
export function buildWorking(topic: ModalTopic): ModalView {
  return { ...buildLoadingModal(topic, english), close: buildTitle('Close') };
}
