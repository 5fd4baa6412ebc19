// What every form ends with: the last day, why, and who approves; and from its button to the outcome.
import type { InputBlock, ModalView } from '@slack/types';
import { english } from '../../languages/english.ts';
import { buildPlainText, buildTitle } from '../../slack/views/content.ts';
import { buildLoadingModal, type ModalTopic } from '../../slack/views/modal.ts';
import { parseReason } from '../audit/reason.ts';
import type { Item } from '../plan/plan.ts';
import type { Edit } from '../policy/edit.ts';
import { type Day, isDay, isOver } from '../policy/policy.ts';
import type { ProposeOptions } from '../run/engine.ts';
import { confirmOrShow, showPlan } from '../run/plan-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Answer, Submission } from '../shell/admin-shell.ts';
import { findApproverProblem } from '../shell/find-approver.ts';
import {
  APPROVER_FIELD,
  buildApproverInput,
  buildReasonInput,
  type FormValues,
  REASON_FIELD,
  readApprover,
  readReason,
} from '../shell/form-fields.ts';

/** The block id of the last day. */
const UNTIL_FIELD = 'until';

/** `approver`: `maybe` where it depends on what is filled in. */
export type DecisionFields = { hasUntil: boolean; approver: 'needed' | 'maybe' | 'none'; reason?: string | undefined };

export function buildDecisionFields({ hasUntil, approver, reason }: DecisionFields): InputBlock[] {
  return [
    ...(hasUntil ? [buildUntilInput()] : []),
    buildReasonInput(reason),
    ...(approver === 'needed' ? [buildApproverInput()] : []),
    ...(approver === 'maybe' ? [buildApproverInput(MAYBE, true)] : []),
  ];
}

const MAYBE = 'Another administrator, where this allows more than now. They have 24 hours.';

function buildUntilInput(): InputBlock {
  return {
    type: 'input',
    block_id: UNTIL_FIELD,
    optional: true,
    label: buildPlainText('Until'),
    hint: buildPlainText('The last day, in UTC. Empty: for good.'),
    element: { type: 'datepicker', action_id: 'value' },
  };
}

type FilledDecision = { until: Day | undefined; reason: string };

/** `errors`: a sentence by block id. */
function readDecisionFields(values: FormValues, now: number): FilledDecision | { errors: Record<string, string> } {
  const until = values[UNTIL_FIELD]?.value?.selected_date ?? undefined;
  const reason = parseReason(readReason(values));
  const isPast = until !== undefined && (!isDay(until) || isOver(until, now));
  if (reason.ok && !isPast) return { until, reason: reason.reason };
  return {
    errors: {
      ...(isPast && { [UNTIL_FIELD]: 'This day is over. Choose a later one, or none.' }),
      ...(!reason.ok && { [REASON_FIELD]: reason.sentence }),
    },
  };
}

export type Decision = FilledDecision & { approver: string | undefined };

type Asked = {
  caller: Caller;
  /** What is wrong with the form's own fields, by block id. */
  errors: Record<string, string>;
  /** It is known already that a second administrator has to approve. */
  needsApprover: boolean;
};

/** All errors of the form at once. Slack waits for the answer. Throws AdminCheckFailedError. */
export async function readDecision(
  values: FormValues,
  { caller, errors: own, needsApprover }: Asked,
  services: GovernanceServices,
): Promise<Decision | { errors: Record<string, string> }> {
  const filled = readDecisionFields(values, services.now());
  const errors = { ...own, ...('errors' in filled ? filled.errors : {}) };
  if ('errors' in filled || Object.keys(errors).length > 0) return { errors };
  const chosen = readApprover(values);
  const approver = chosen === 'not_asked' ? undefined : chosen;
  if (!services.needsApproval || (!needsApprover && approver === undefined)) return { ...filled, approver };
  const problem = await findApproverProblem(approver, caller, services);
  return problem === undefined ? { ...filled, approver } : { errors: { [APPROVER_FIELD]: problem } };
}

export type FilledForm = {
  edits: readonly Edit[];
  decision: Pick<Decision, 'reason' | 'approver'>;
  options?: ProposeOptions;
  /** Whether what is about to be written replaces what the window showed. Where it does not, the plan is shown first. */
  isAsShown?: (items: readonly Item[]) => boolean;
};

const CHANGED = 'Somebody changed this since the window was opened: look again.';

/** `topic.loading` says what is being done. */
export function carryOut(
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
