import type { ViewResponseAction } from '@slack/bolt';
import { english } from '../../languages/english.ts';
import { windowOf } from '../../slack/window.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ChangeStore } from '../changes/change.ts';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import { matchEnvironments, nameEnvironments } from '../inventory/inventory.ts';
import { splitAmount } from '../inventory/split-amount.ts';
import { optional } from '../shell/admin-failure.ts';
import type { AdminShell, Clicked, Submission } from '../shell/admin-shell.ts';
import { type ModalPorts, type Opened, toModal, toProblem } from '../shell/modal.ts';
import { type KeepPorts, keep, readKept } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import { findCurrency } from './allocation.ts';
import {
  ALLOCATION_CURRENCY_ACTION,
  ALLOCATION_MODAL,
  ALLOCATION_OPEN_ACTION,
  ALLOCATION_TOPIC,
  type AllocationShown,
  buildAllocationModal,
  buildEnvironmentChoice,
  type EnvironmentValue,
  listCurrencies,
  parseAllocationState,
  parseEnvironmentValue,
  readAllocationForm,
  toAllocationErrors,
} from './allocation-form-views.ts';
import { ALLOCATION_KIND } from './allocation-kind.ts';
import { parseAllocationForm, planAllocation } from './allocation-plan.ts';
import { toCreditUsage } from './consumption.ts';
import { lookUpAllocation } from './known-allocation.ts';

const BUTTON_OUT_OF_DATE =
  'This button is too old. Give the command again: `/assistant-admin allocation <environment>`.';

/** What the form was filled in from is kept under this: a plan has to be made of the very same. */
const SHOWN = 'allocation';

export type AllocationOpenPorts = KeepPorts &
  TimeZones & {
    changes: ChangeStore;
    exclusively: WithLock;
    /** The credit currency that agents use. */
    currency: string;
  };

/** `/assistant-admin allocation <environment> [credits]` */
export async function openAllocationOf(text: string, opened: Opened, ports: AllocationOpenPorts): Promise<void> {
  const { modal, session, replyTo } = opened;
  const { rows, truncated } = await session.findEnvironments();
  const environments = nameEnvironments(rows);
  const names = environments.flatMap((one) => [one.name, one.environmentId]);
  const { name, amount: typed } = splitAmount(text, names);
  const matches = name.trim() === '' ? [] : matchEnvironments(environments, name);
  const [environment] = matches;
  if (environment === undefined) return modal.showProblem(describeMissing(name, truncated));
  if (matches.length > 1) return modal.show(buildEnvironmentChoice(matches, { query: name, replyTo, typed }));
  await showForm({ ...environment, typed }, opened, ports);
}

/** *Allocation…* under an environment of a list, or of the choice between several. */
export function registerAllocationOpen(shell: AdminShell, ports: AllocationOpenPorts): void {
  const button = { actionId: ALLOCATION_OPEN_ACTION, topic: ALLOCATION_TOPIC, outOfDate: BUTTON_OUT_OF_DATE };
  shell.onModalButton({ ...button, parse: parseEnvironmentValue }, (environment, opened) =>
    showForm(environment, opened, ports),
  );
}

async function showForm(
  { environmentId, name, typed }: EnvironmentValue,
  { modal, session, caller, replyTo }: Opened,
  ports: AllocationOpenPorts,
): Promise<void> {
  const { changes, exclusively, now, currency } = ports;
  const [look, entitlements, timeZone] = await Promise.all([
    lookUpAllocation(environmentId, { session, changes, exclusively, now }),
    // A comfort: the allocation can be set without it.
    optional(session.readEntitlements(environmentId)),
    ports.timeZone(caller),
  ]);
  const { allocation, readAt, interrupted } = look;
  if (allocation === 'none') return modal.showProblem(describeNone(name));
  const usage = entitlements === 'gap' ? 'unreadable' : toCreditUsage(entitlements, now());
  const shown: AllocationShown = { environmentName: name, allocation, readAt, usage, interrupted };
  const chosen = findCurrency(allocation, currency)?.currencyType ?? currency;
  const place = Math.max(0, listCurrencies(allocation, currency).indexOf(chosen));
  const state = { shown: await keep(SHOWN, shown, ports), place, replyTo };
  await modal.show(buildAllocationModal(shown, state, { currency, timeZone, typed }));
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No environment fits “${text.slice(0, 100)}”.${incomplete} Try part of its name or its id, or find it with /assistant-admin environments. New environments may take a while to be listed.`;
}

function describeNone(name: string): string {
  return `The service has no allocation of “${name.slice(0, 100)}”, so there is nothing to set from here. The environment may be of a kind that gets no credits of its own, or it was deleted: look at it in the admin console.`;
}

const WINDOW_OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin allocation.';

/** `currency`: the credit currency that agents use. */
export type AllocationFormPorts = ConfirmPorts & ModalPorts & { currency: string };

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
    const window = windowOf({ body, viewId: body.view?.id ?? '', say, texts: english }, ports);
    const modal = toModal(window, { say, topic: ALLOCATION_TOPIC }, ports);
    const shown = state && (await readKept<AllocationShown>(SHOWN, state.shown, ports));
    if (!shown) return modal.showProblem(WINDOW_OUT_OF_DATE);
    const place = value === '' ? state.place : Number(value);
    const { currency } = ports;
    const timeZone = await ports.timeZone(caller);
    await modal.show(buildAllocationModal(shown, { ...state, place }, { currency, timeZone }));
  };
  shell.onClick(ALLOCATION_CURRENCY_ACTION, change, { readReplyTo: (body) => readState(body)?.replyTo ?? '' });
}

async function review({ view, caller }: Submission, ports: AllocationFormPorts): Promise<ViewResponseAction> {
  const state = parseAllocationState(view.private_metadata);
  const shown = state && (await readKept<AllocationShown>(SHOWN, state.shown, ports));
  if (!shown) return toProblem(WINDOW_OUT_OF_DATE, ALLOCATION_TOPIC);
  const { allocation, environmentName } = shown;
  const { place, replyTo } = state;
  const currencyType = listCurrencies(allocation, ports.currency)[place] ?? ports.currency;
  const parsed = parseAllocationForm(readAllocationForm(view.state.values, place, currencyType));
  if (!parsed.ok) return { response_action: 'errors', errors: toAllocationErrors(parsed.errors, place) };
  const consumption = toConsumption(shown);
  const result = planAllocation({ before: allocation, stated: [parsed.wanted], consumption });
  if (result.kind !== 'planned') return toProblem(WINDOW_OUT_OF_DATE, ALLOCATION_TOPIC);
  const change = { kind: 'allocation', plan: result.plan, environmentName } as const;
  const confirm = await toConfirmation(ALLOCATION_KIND, change, { caller, replyTo }, ports);
  return { response_action: 'push', view: confirm };
}

function toConsumption({ usage }: AllocationShown) {
  if (usage === 'unreadable') return [];
  return usage.flatMap(({ currencyType, consumed }) => (consumed === undefined ? [] : [{ currencyType, consumed }]));
}
