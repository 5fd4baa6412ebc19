// *Keep…*: what was found becomes what is approved, through a last day or for good.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildSection, buildTitle } from '../../slack/views/content.ts';
import { carryOut } from '../forms/policy-form.ts';
import type { Edit } from '../policy/edit.ts';
import type { Day, Policy } from '../policy/policy.ts';
import { buildDecisionFields, type DecisionFields, readDecision } from '../run/decision-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { fitLines } from '../shell/blocks.ts';
import type { FormValues } from '../shell/form-fields.ts';
import { toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import type { Finding } from './finding.ts';
import { describeFinding } from './finding-words.ts';
import { toKeepEdits, toLongerEdits } from './keep-edits.ts';
import { createReviewKeeper } from './kept-review.ts';
import { type FindingPlace, OUT_OF_DATE, parseFinding, REVIEW_ACTIONS } from './review-buttons.ts';

const TOPIC = { id: 'review_keep', title: 'Keep', loading: 'Reading again what is set…' };

const CALLBACK = 'review_keep_form';

const stateSchema = z.object({ id: z.string(), index: z.number(), replyTo: z.string() });

type State = z.infer<typeof stateSchema>;

export function registerKeep(shell: AdminShell, services: GovernanceServices): void {
  const approver = services.needsApproval ? 'maybe' : 'none';
  shell.onOwnModalButton(
    { actionId: REVIEW_ACTIONS.keep, topic: TOPIC, parse: parseFinding, outOfDate: OUT_OF_DATE },
    async ({ id, index }, { modal, replyTo }) => {
      const finding = await readFinding({ id, index }, services);
      if (finding === undefined) return modal.showProblem(OUT_OF_DATE);
      await modal.show(buildKeepForm(finding, { id, index, replyTo }, approver));
    },
    { isForAll: false },
  );

  shell.onSubmission({ callbackId: CALLBACK, topic: TOPIC, isFresh: true }, async (submission) => {
    const { view, caller } = submission;
    const asked = { caller, errors: {}, needsApprover: false };
    const decision = await readDecision(view.state.values as FormValues, asked, services);
    if ('errors' in decision) return { answer: { response_action: 'errors', errors: decision.errors } };
    const state = parseState(stateSchema, view.private_metadata);
    const finding = state && (await readFinding(state, services));
    const { policy } = await services.policy.read();
    const edits = finding ? toEdits(finding, policy, { until: decision.until, now: services.now() }) : [];
    if (state === undefined || edits.length === 0) return { answer: toProblem(OUT_OF_DATE, TOPIC) };
    // It is there already, so that nothing is to be written.
    const isAsShown = (items: readonly unknown[]) => items.length === 0;
    return carryOut({ edits, decision, isAsShown }, submission, { topic: TOPIC, replyTo: state.replyTo }, services);
  });
}

/** Undefined: it is not kept any more. */
export async function readFinding(
  { id, index }: FindingPlace,
  { once }: Pick<GovernanceServices, 'once'>,
): Promise<Finding | undefined> {
  const [finding] = await createReviewKeeper(once).readFindings(id, { from: index, to: index + 1 });
  return finding;
}

function toEdits(finding: Finding, policy: Policy, { until, now }: { until: Day | undefined; now: number }): Edit[] {
  if (finding.group === 'ending') return toLongerEdits(finding, until);
  return 'item' in finding ? toKeepEdits(finding.item, policy, { until, now }) : [];
}

export function buildKeepForm(finding: Finding, state: State, approver: DecisionFields['approver']): ModalView {
  return {
    type: 'modal',
    callback_id: CALLBACK,
    title: buildTitle('Keep'),
    submit: buildTitle('Keep'),
    close: buildTitle('Cancel'),
    private_metadata: JSON.stringify(state),
    blocks: [
      buildSection(fitLines([describeFinding(finding), 'It is approved as it is now.'])),
      ...buildDecisionFields({ hasUntil: true, approver }),
    ],
  };
}
