import type { ViewResponseAction } from '@slack/bolt';
import { parseAllocationForm } from '../../../../governance/allocation/parse-allocation.ts';
import {
  ALLOCATION_CURRENCY_ACTION,
  ALLOCATION_MODAL,
  type AllocationShown,
  buildAllocationModal,
  listCurrencies,
  parseAllocationState,
} from '../../../../governance/allocations/allocation-form-views.ts';
import { planAllocation } from '../../../../governance/allocations/allocation-plan.ts';
import type { AdminShell, Clicked, Submission } from '../../../../governance/shell/admin-shell.ts';
import { type ModalPorts, toModal, toProblem } from '../../../../governance/shell/modal.ts';
import { readAllocation } from '../../../../governance/shell/modal-state.ts';
import { readAllocationForm, toAllocationErrors } from '../../../views/admin/allocation/form.ts';
import { ALLOCATION_TOPIC } from '../../../views/modal.ts';
import { windowOf } from '../../../window.ts';
import { type AllocationConfirmPorts, toAllocationConfirm } from './confirm.ts';

const OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin allocation.';

/** `currency`: the credit currency that agents use. */
export type AllocationFormPorts = AllocationConfirmPorts & ModalPorts & { currency: string };

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerAllocationForm(shell: AdminShell, ports: AllocationFormPorts): void {
  const form = { callbackId: ALLOCATION_MODAL, topic: ALLOCATION_TOPIC };
  shell.onSubmission(form, async (submission) => ({ answer: await review(submission, ports) }));
}

/** Another currency: the form is that of this one from now on, and what was typed for the other is not kept. */
export function registerAllocationCurrency(shell: AdminShell, ports: AllocationFormPorts): void {
  const readState = ({ view }: Clicked['body']) => parseAllocationState(view?.private_metadata ?? '');
  const change = async ({ body, value, caller, say }: Clicked) => {
    const state = readState(body);
    const window = windowOf({ body, viewId: body.view?.id ?? '', say }, ports);
    const modal = toModal(window, { say, topic: ALLOCATION_TOPIC }, ports);
    const shown = state && (await readAllocation(state.shown, ports));
    if (!shown) return modal.showProblem(OUT_OF_DATE);
    const place = value === '' ? state.place : Number(value);
    const { currency } = ports;
    const timeZone = await ports.timeZone(caller);
    await modal.show(buildAllocationModal(shown, { ...state, place }, { currency, timeZone }));
  };
  shell.onClick(ALLOCATION_CURRENCY_ACTION, change, { readReplyTo: (body) => readState(body)?.replyTo ?? '' });
}

async function review({ view, caller }: Submission, ports: AllocationFormPorts): Promise<ViewResponseAction> {
  const state = parseAllocationState(view.private_metadata);
  const shown = state && (await readAllocation(state.shown, ports));
  if (!shown) return toProblem(OUT_OF_DATE, ALLOCATION_TOPIC);
  const { allocation, environmentName } = shown;
  const { place, replyTo } = state;
  const currencyType = listCurrencies(allocation, ports.currency)[place] ?? ports.currency;
  const parsed = parseAllocationForm(readAllocationForm(view.state.values, place, currencyType));
  if (!parsed.ok) return { response_action: 'errors', errors: toAllocationErrors(parsed.errors, place) };
  const consumption = toConsumption(shown);
  const result = planAllocation({ before: allocation, stated: [parsed.wanted], consumption });
  if (result.kind !== 'planned') return toProblem(OUT_OF_DATE, ALLOCATION_TOPIC);
  const confirm = await toAllocationConfirm(result.plan, { caller, environmentName, replyTo }, ports);
  return { response_action: 'push', view: confirm };
}

function toConsumption({ usage }: AllocationShown) {
  if (usage === 'unreadable') return [];
  return usage.flatMap(({ currencyType, consumed }) => (consumed === undefined ? [] : [{ currencyType, consumed }]));
}
