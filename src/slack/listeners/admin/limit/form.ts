import type { ViewResponseAction } from '@slack/bolt';
import { readLimitForm, toViewErrors } from '../../../../governance/limits/limit-form-views.ts';
import { needsStopDecision, planLimit } from '../../../../governance/limits/limit-plan.ts';
import { parseLimitForm } from '../../../../governance/parse-limit.ts';
import type { AdminShell, Submission } from '../../../../governance/shell/admin-shell.ts';
import { toProblem } from '../../../../governance/shell/modal.ts';
import { parseLimitFormState } from '../../../views/admin/limit/metadata.ts';
import { LIMIT_MODAL } from '../../../views/admin/limit/modal.ts';
import { LIMIT_TOPIC } from '../../../views/modal.ts';
import { type LimitConfirmPorts, toLimitConfirm } from './confirm.ts';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Give the command again: /assistant-admin limit.';

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerLimitForm(shell: AdminShell, ports: LimitConfirmPorts): void {
  const form = { callbackId: LIMIT_MODAL, topic: LIMIT_TOPIC };
  shell.onSubmission(form, async (submission) => ({ answer: await review(submission, ports) }));
}

async function review({ view, caller }: Submission, ports: LimitConfirmPorts): Promise<ViewResponseAction> {
  const state = parseLimitFormState(view.private_metadata);
  if (!state) return toProblem(OUT_OF_DATE, LIMIT_TOPIC);
  const { agent, known, replyTo } = state;
  const parsed = parseLimitForm(readLimitForm(view.state.values), { asksForStopDecision: needsStopDecision(known) });
  if (!parsed.ok) return { response_action: 'errors', errors: toViewErrors(parsed.errors) };
  const { wanted, stopDecision } = parsed;
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  if (result.kind !== 'planned') return toProblem(OUT_OF_DATE, LIMIT_TOPIC);
  return { response_action: 'push', view: await toLimitConfirm(result.plan, { caller, replyTo }, ports) };
}
