import type { App, ViewResponseAction } from '@slack/bolt';
import type { Caller } from '../../../../governance/is-admin.ts';
import { needsStopDecision, planLimit } from '../../../../governance/limit-plan.ts';
import { parseLimitForm } from '../../../../governance/parse-limit.ts';
import { readLimitForm, toViewErrors, type ViewValues } from '../../../views/admin/limit/form.ts';
import { parseLimitFormState } from '../../../views/admin/limit/metadata.ts';
import { LIMIT_MODAL } from '../../../views/admin/limit/modal.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { toFailureSentence } from '../failure-message.ts';
import { toProblem } from '../modal.ts';
import { toLimitConfirm } from './confirm.ts';

const OUT_OF_DATE = 'This window is too old, so nothing was changed. Give the command again: /assistant-admin limit.';

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerLimitForm(app: App, ports: AdminPorts): void {
  app.view({ callback_id: LIMIT_MODAL, type: 'view_submission' }, async ({ view, body, ack }) => {
    try {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      await ack(await review({ metadata: view.private_metadata, values: view.state.values, caller }, ports));
    } catch (error) {
      await ack(toProblem(toFailureSentence(error, ports.log)));
    }
  });
}

type Submitted = { metadata: string; values: ViewValues; caller: Caller };

async function review({ metadata, values, caller }: Submitted, ports: AdminPorts): Promise<ViewResponseAction> {
  const state = parseLimitFormState(metadata);
  if (!state) return toProblem(OUT_OF_DATE);
  const { agent, known, replyTo } = state;
  const parsed = parseLimitForm(readLimitForm(values), { asksForStopDecision: needsStopDecision(known) });
  if (!parsed.ok) return { response_action: 'errors', errors: toViewErrors(parsed.errors) };
  const { wanted, stopDecision } = parsed;
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  if (result.kind !== 'planned') return toProblem(OUT_OF_DATE);
  return { response_action: 'push', view: await toLimitConfirm(result.plan, { caller, replyTo }, ports) };
}
