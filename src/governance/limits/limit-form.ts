import type { ViewResponseAction } from '@slack/bolt';
import type { ChangeStore } from '../changes/change.ts';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import type { GovernedAgent } from '../inventory/agent-limit.ts';
import { findAgent, type InventoryRow, readInventory, toGovernedAgent } from '../inventory/inventory.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import type { TimeZones } from '../shell/respond.ts';
import { lookUpLimit, settleLimit } from './known-limit.ts';
import {
  buildAgentChoice,
  buildLimitModal,
  LIMIT_MODAL,
  LIMIT_TOPIC,
  parseAgentValue,
  parseLimitFormState,
  readLimitForm,
  SET_LIMIT_ACTION,
  toViewErrors,
} from './limit-form-views.ts';
import { LIMIT_KIND } from './limit-kind.ts';
import { needsStopDecision, parseLimitForm, planLimit } from './limit-plan.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

export type LimitOpenPorts = TimeZones & { changes: ChangeStore; now: () => number };

/** `/assistant-admin limit <agent>` */
export async function openLimitOf(text: string, opened: Opened, ports: LimitOpenPorts): Promise<void> {
  const { modal, session, replyTo } = opened;
  const { rows, truncated } = await readInventory(session);
  const match = findAgent(rows, text);
  if (match.kind === 'several') return modal.show(buildAgentChoice(match.agents, { query: text, replyTo }));
  if (match.kind === 'none') return modal.showProblem(describeMissing(text, truncated));
  const agent = toGovernedAgent(match.agent);
  if (!agent) return modal.showProblem(describeUngoverned(match.agent));
  await showForm(agent, opened, ports);
}

/** *Set limit…* under an agent of the list, or of the choice between several. */
export function registerSetLimit(shell: AdminShell, ports: LimitOpenPorts): void {
  const button = { actionId: SET_LIMIT_ACTION, topic: LIMIT_TOPIC, parse: parseAgentValue, outOfDate: OUT_OF_DATE };
  shell.onModalButton(button, (agent, opened) => showForm(agent, opened, ports));
}

async function showForm(
  agent: GovernedAgent,
  { modal, session, caller, replyTo }: Opened,
  ports: LimitOpenPorts,
): Promise<void> {
  const { changes, now } = ports;
  const [looked, timeZone] = await Promise.all([lookUpLimit(agent, { session, changes, now }), ports.timeZone(caller)]);
  const interrupted = await settleLimit(looked.agent, looked.known, { changes, now });
  const options = { timeZone, replyTo, interrupted };
  await modal.show(buildLimitModal(looked.agent, looked.known, options));
}

function describeMissing(text: string, truncated: boolean): string {
  const incomplete = truncated ? ' The service did not list everything, so it may exist all the same.' : '';
  return `No agent fits “${text.slice(0, 100)}”.${incomplete} Try part of its name, or find it with /assistant-admin limits.`;
}

function describeUngoverned({ displayName }: InventoryRow): string {
  return `The service does not say in which environment “${displayName.slice(0, 100)}” is, so no limit can be set from here. Set it in the admin console.`;
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
  const parsed = parseLimitForm(readLimitForm(view.state.values), { asksForStopDecision: needsStopDecision(known) });
  if (!parsed.ok) return { response_action: 'errors', errors: toViewErrors(parsed.errors) };
  const { wanted, stopDecision } = parsed;
  const result = planLimit({ agent, before: known, wanted, stopDecision });
  if (result.kind !== 'planned') return toProblem(WINDOW_OUT_OF_DATE, LIMIT_TOPIC);
  const change = { kind: 'limit', plan: result.plan } as const;
  const confirm = await toConfirmation(LIMIT_KIND, change, { caller, replyTo }, ports);
  return { response_action: 'push', view: confirm };
}
