import type { App, BlockAction, StaticSelectAction, ViewResponseAction } from '@slack/bolt';
import { planAllocation } from '../../../../governance/allocation/allocation-plan.ts';
import { parseAllocationForm } from '../../../../governance/allocation/parse-allocation.ts';
import type { Caller } from '../../../../governance/is-admin.ts';
import { readAllocationForm, toAllocationErrors } from '../../../views/admin/allocation/form.ts';
import {
  ALLOCATION_CURRENCY_ACTION,
  ALLOCATION_MODAL,
  type AllocationShown,
  buildAllocationModal,
  listCurrencies,
  parseAllocationState,
} from '../../../views/admin/allocation/modal.ts';
import type { ViewValues } from '../../../views/admin/limit/form.ts';
import { ALLOCATION_TOPIC } from '../../../views/admin/modal-topic.ts';
import { windowOf } from '../../../window.ts';
import { requireAdmin, toCaller } from '../access.ts';
import type { AdminPorts } from '../admin-ports.ts';
import { toFailureSentence } from '../failure-message.ts';
import { readAllocation } from '../kept-for-modals.ts';
import { admit, toModal, toProblem } from '../modal.ts';
import { createSay, startSaying } from '../say.ts';
import { toAllocationConfirm } from './confirm.ts';

const OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin allocation.';

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerAllocationForm(app: App, ports: AdminPorts): void {
  app.view({ callback_id: ALLOCATION_MODAL, type: 'view_submission' }, async ({ view, body, ack }) => {
    try {
      const caller = await toCaller({ body, user: body.user.id }, ports);
      await requireAdmin(caller, ports);
      await ack(await review({ metadata: view.private_metadata, values: view.state.values, caller }, ports));
    } catch (error) {
      await ack(toProblem(toFailureSentence(error, ports.log), ALLOCATION_TOPIC));
    }
  });
}

/** Another currency: the form is that of this one from now on, and what was typed for the other is not kept. */
export function registerAllocationCurrency(app: App, ports: AdminPorts): void {
  const action = { type: 'block_actions', action_id: ALLOCATION_CURRENCY_ACTION } as const;
  app.action<BlockAction<StaticSelectAction>>(action, async ({ body, ack }) => {
    await ack();
    const state = parseAllocationState(body.view?.private_metadata ?? '');
    const say = createSay(body, ports, state?.replyTo ?? '');
    startSaying(say, ports, async () => {
      const caller = await admit({ body, user: body.user.id }, ports);
      const window = windowOf({ body, viewId: body.view?.id ?? '', say }, ports);
      const modal = toModal(window, { say, topic: ALLOCATION_TOPIC }, ports);
      const shown = state && (await readAllocation(state.shown, ports));
      if (!shown) return modal.showProblem(OUT_OF_DATE);
      const place = Number(body.actions[0]?.selected_option?.value ?? state.place);
      const { currency } = ports;
      const timeZone = await ports.timeZone(caller);
      await modal.show(buildAllocationModal(shown, { ...state, place }, { currency, timeZone }));
    });
  });
}

type Submitted = { metadata: string; values: ViewValues; caller: Caller };

async function review({ metadata, values, caller }: Submitted, ports: AdminPorts): Promise<ViewResponseAction> {
  const state = parseAllocationState(metadata);
  const shown = state && (await readAllocation(state.shown, ports));
  if (!shown) return toProblem(OUT_OF_DATE, ALLOCATION_TOPIC);
  const { allocation, environmentName } = shown;
  const { place, replyTo } = state;
  const currencyType = listCurrencies(allocation, ports.currency)[place] ?? ports.currency;
  const parsed = parseAllocationForm(readAllocationForm(values, place, currencyType));
  if (!parsed.ok) return { response_action: 'errors', errors: toAllocationErrors(parsed.errors, place) };
  const consumption = toConsumption(shown);
  const result = planAllocation({ before: allocation, stated: [parsed.wanted], consumption });
  if (result.kind !== 'planned') return toProblem(OUT_OF_DATE, ALLOCATION_TOPIC);
  const view = await toAllocationConfirm(result.plan, { caller, environmentName, replyTo }, ports);
  return { response_action: 'push', view };
}

function toConsumption({ usage }: AllocationShown) {
  if (usage === 'unreadable') return [];
  return usage.flatMap(({ currencyType, consumed }) => (consumed === undefined ? [] : [{ currencyType, consumed }]));
}
