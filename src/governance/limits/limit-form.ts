import type { ViewResponseAction } from '@slack/bolt';
import { english } from '../../languages/english.ts';
import { buildLoadingModal } from '../../slack/views/modal.ts';
import { MAX_OPTION_VALUE_LENGTH, MAX_OPTIONS } from '../../slack/web/limits.ts';
import { windowOf } from '../../slack/window.ts';
import type { ChangeStore } from '../changes/change.ts';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import { type GovernedAgent, readValues } from '../inventory/agent-limit.ts';
import { findAgent, type InventoryRow, readInventory, toGovernedAgent } from '../inventory/inventory.ts';
import { type NamedAmount, splitAmount } from '../inventory/split-amount.ts';
import { optional } from '../shell/admin-failure.ts';
import type { AdminShell, Clicked, Submission } from '../shell/admin-shell.ts';
import { type ModalPorts, type Opened, toModal, toProblem } from '../shell/modal.ts';
import type { TimeZones } from '../shell/respond.ts';
import { addStopsElsewhere, lookUpLimit, SOON, settleLimit } from './known-limit.ts';
import {
  buildAgentChoice,
  buildLimitModal,
  LIMIT_CURRENCY_ACTION,
  LIMIT_MODAL,
  LIMIT_TOPIC,
  parseAgentValue,
  parseLimitFormState,
  readLimitForm,
  SET_LIMIT_ACTION,
  toLimitErrors,
} from './limit-form-views.ts';
import { LIMIT_KIND } from './limit-kind.ts';
import { needsStopDecision, parseLimitForm, planLimit } from './limit-plan.ts';
import { listStopButtons } from './stop-form-views.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

/** `currency`: the one that is configured. */
export type LimitOpenPorts = TimeZones & { changes: ChangeStore; currency: string; now: () => number };

/** `/assistant-admin limit <agent> [limit]` */
export async function openLimitOf(text: string, opened: Opened, ports: LimitOpenPorts): Promise<void> {
  const picked = await pickAgent(text, { actionId: SET_LIMIT_ACTION, text: 'Set limit…' }, opened, splitAmount);
  if (picked) await showForm(picked, opened, ports);
}

type Split = (text: string, names: readonly string[]) => NamedAmount;

/**
 * The one agent that a command names. Undefined where there is none, which the modal says, or several, which it offers, each
 * with `button`. `split`: where more than a name may have been typed.
 */
export async function pickAgent(
  text: string,
  button: { actionId: string; text: string },
  { modal, session, replyTo }: Opened,
  split: Split = (name) => ({ name }),
): Promise<(GovernedAgent & { typed?: string | undefined }) | undefined> {
  const { rows, truncated } = await readInventory(session);
  const names = rows.flatMap(({ displayName, name, agentResourceId }) => [displayName, name, agentResourceId]);
  const { name, amount: typed } = split(text, names);
  const match = findAgent(rows, name);
  const agent = match.kind === 'one' ? toGovernedAgent(match.agent) : undefined;
  if (agent) return { ...agent, typed };
  if (match.kind === 'several') {
    await modal.show(buildAgentChoice(match.agents, { query: name, replyTo, typed, button }));
  } else {
    const isMissing = match.kind === 'none';
    await modal.showProblem(isMissing ? describeMissing(name, truncated) : describeUngoverned(match.agent));
  }
  return undefined;
}

/** *Set limit…* under an agent of the list, or of the choice between several. */
export function registerSetLimit(shell: AdminShell, ports: LimitOpenPorts): void {
  const button = { actionId: SET_LIMIT_ACTION, topic: LIMIT_TOPIC, parse: parseAgentValue, outOfDate: OUT_OF_DATE };
  shell.onModalButton(button, (agent, opened) => showForm(agent, opened, ports));
}

async function showForm(
  { typed, ...agent }: GovernedAgent & { typed?: string | undefined },
  { modal, session, caller, replyTo }: Opened,
  ports: LimitOpenPorts,
): Promise<void> {
  const { changes, now } = ports;
  const [looked, currencies, timeZone] = await Promise.all([
    lookUpLimit(agent, { session, changes, now }, SOON),
    readCurrencies(agent, session, ports.currency),
    ports.timeZone(caller),
  ]);
  const known = await addStopsElsewhere({ agent, known: looked.known }, currencies.slice(1), { session, changes, now });
  const interrupted = await settleLimit(looked.agent, known, { changes, now });
  const stopButtons = listStopButtons(looked.agent, known);
  const options = { timeZone, replyTo, interrupted, typed, currencies, stopButtons };
  await modal.show(buildLimitModal(looked.agent, known, options));
}

/**
 * The configured one first, then by name what else the environment has credits of, where that can be read: the service may
 * list them in any order.
 */
export async function readCurrencies(
  { environmentId, currencyType }: GovernedAgent,
  session: Opened['session'],
  currency: string,
): Promise<string[]> {
  const allocation = await optional(session.readAllocation(environmentId));
  const listed = typeof allocation === 'string' ? [] : allocation.currencyAllocations.map((one) => one.currencyType);
  // The chosen one as it was chosen.
  const names = [...(currencyType === undefined ? [] : [currencyType]), ...listed];
  const others = names.filter(
    (name, index) =>
      !isSame(name, currency) &&
      name.length <= MAX_OPTION_VALUE_LENGTH &&
      names.findIndex((one) => isSame(one, name)) === index,
  );
  // Sorted last: the chosen one must be among those that fit.
  return [currency, ...others.slice(0, MAX_OPTIONS - 1).sort(compareNames)];
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The same on every machine, whatever its locale. */
const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Another currency: the form is that of the limit in this one from now on. */
export function registerLimitCurrency(shell: AdminShell, ports: LimitOpenPorts & ModalPorts): void {
  const readState = ({ view }: Clicked['body']) => parseLimitFormState(view?.private_metadata ?? '');
  const change = async ({ body, value, caller, say, openSession }: Clicked) => {
    const state = readState(body);
    const window = windowOf({ body, viewId: body.view?.id ?? '', say, texts: english }, ports);
    const modal = toModal(window, { say, topic: LIMIT_TOPIC }, ports);
    if (!state) return modal.showProblem(WINDOW_OUT_OF_DATE);
    const { agent, replyTo = '' } = state;
    const currencyType = value === '' || isSame(value, ports.currency) ? undefined : value;
    try {
      await modal.show(buildLoadingModal(LIMIT_TOPIC, english));
      const opened = { modal, session: await openSession(), caller, replyTo };
      await showForm({ ...agent, currencyType }, opened, ports);
    } catch (error) {
      await modal.showFailure(error);
    }
  };
  shell.onClick(LIMIT_CURRENCY_ACTION, change, { readReplyTo: (body) => readState(body)?.replyTo ?? '' });
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No agent fits “${text.slice(0, 100)}”.${incomplete} Try part of its name, or find it with /assistant-admin limits.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so it can be neither limited nor stopped from here. Use the admin console.`;
}

const WINDOW_OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin limit.';

/** *Review change*: what is wrong is said at its field; else old → new on top of the form. Nothing is changed yet. */
export function registerLimitForm(shell: AdminShell, ports: ConfirmPorts): void {
  const form = { callbackId: LIMIT_MODAL, topic: LIMIT_TOPIC };
  shell.onSubmission(form, async (submission) => ({ answer: await review(submission, ports) }));
}

async function review({ view, caller }: Submission, ports: ConfirmPorts): Promise<ViewResponseAction> {
  const state = parseLimitFormState(view.private_metadata);
  if (!state) return toProblem(WINDOW_OUT_OF_DATE, LIMIT_TOPIC);
  const { agent, known, replyTo } = state;
  const { currencyType } = agent;
  const options = { asksForStopDecision: needsStopDecision(known), shown: readValues(known) };
  const parsed = parseLimitForm(readLimitForm(view.state.values, currencyType), options);
  if (!parsed.ok) return { response_action: 'errors', errors: toLimitErrors(parsed.errors, currencyType) };
  const { wanted, stopDecision } = parsed;
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  if (result.kind !== 'planned') return toProblem(WINDOW_OUT_OF_DATE, LIMIT_TOPIC);
  const { plan } = result;
  const confirm = await toConfirmation(LIMIT_KIND, { kind: 'limit', plan }, { caller, replyTo }, ports);
  return { response_action: 'push', view: confirm };
}
