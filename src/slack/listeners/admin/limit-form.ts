import { randomUUID } from 'node:crypto';
import type { App, ViewResponseAction } from '@slack/bolt';
import { needsStopDecision, planLimit } from '../../../governance/limit-plan.ts';
import { parseLimitForm } from '../../../governance/parse-limit.ts';
import { buildConfirmModal } from '../../views/admin/limit-confirm.ts';
import { readLimitForm, toViewErrors } from '../../views/admin/limit-form.ts';
import { type LimitFormState, parseLimitFormState } from '../../views/admin/limit-metadata.ts';
import { buildProblemModal, LIMIT_MODAL } from '../../views/admin/limit-modal.ts';
import { requireAdmin, toCaller } from './access.ts';
import type { AdminPorts } from './admin-ports.ts';
import { toFailureSentence } from './failure-message.ts';

export const OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin limit.';

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerLimitForm(app: App, ports: AdminPorts): void {
  app.view({ callback_id: LIMIT_MODAL, type: 'view_submission' }, async ({ view, body, ack }) => {
    try {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      const state = parseLimitFormState(view.private_metadata);
      const answer = state ? review(state, view.state.values, await ports.timeZone(caller)) : toProblem(OUT_OF_DATE);
      await ack(answer);
    } catch (error) {
      await ack(toProblem(toFailureSentence(error, ports.log)));
    }
  });
}

export function toProblem(sentence: string): ViewResponseAction {
  return { response_action: 'update', view: buildProblemModal(sentence) };
}

function review(state: LimitFormState, values: Parameters<typeof readLimitForm>[0], timeZone: string) {
  const { agent, known, replyTo } = state;
  const parsed = parseLimitForm(readLimitForm(values), { asksForStopDecision: needsStopDecision(known) });
  if (!parsed.ok) return { response_action: 'errors', errors: toViewErrors(parsed.errors) } as const;
  const { wanted, stopDecision } = parsed;
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  if (result.kind !== 'planned') return toProblem(OUT_OF_DATE);
  const view = buildConfirmModal(result.plan, { timeZone, changeId: randomUUID(), stopDecision, replyTo });
  return { response_action: 'push', view } as const;
}
