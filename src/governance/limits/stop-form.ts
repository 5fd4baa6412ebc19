import type { ViewResponseAction } from '@slack/bolt';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import { type GovernedAgent, isStoppedFromHere, type KnownLimit, readOwnStop } from '../inventory/agent-limit.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { addStopsElsewhere, lookUpLimit, SOON } from './known-limit.ts';
import { type LimitOpenPorts, pickAgent, readCurrencies } from './limit-form.ts';
import { parseAgentValue, parseLimitFormState, readLimitForm, toLimitErrors } from './limit-form-views.ts';
import { parseLimitForm } from './limit-plan.ts';
import { buildStopForm, buildStoppedAlready, STOP_ACTIONS, STOP_LABELS, STOP_MODALS } from './stop-form-views.ts';
import { STOP_KIND, STOP_TOPIC } from './stop-kind.ts';
import { planStop, readSentLimit, suggestSentLimit } from './stop-plan.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

const WINDOW_OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin limits.';

export type StopOpenPorts = LimitOpenPorts & ConfirmPorts;

/** *Stop now…* and *Run again…*, in lists and in the form of a limit. */
export function registerStop(shell: AdminShell, ports: StopOpenPorts): void {
  for (const what of ['stop', 'run'] as const) {
    const stopped = what === 'stop';
    const stopping = { topic: STOP_TOPIC, isCounted: !stopped };
    shell.onModalButton(
      { actionId: STOP_ACTIONS[what], ...stopping, parse: parseAgentValue, outOfDate: OUT_OF_DATE, readReplyTo },
      (agent, opened) => show(agent, stopped, opened, ports),
    );
    const form = { callbackId: STOP_MODALS[what], ...stopping };
    shell.onSubmission(form, async (submission) => ({ answer: await review(submission, stopped, ports) }));
  }
}

/** `/assistant-admin stop <agent>` and `run <agent>` */
export async function openStopOf(
  what: keyof typeof STOP_ACTIONS,
  text: string,
  opened: Opened,
  ports: StopOpenPorts,
): Promise<void> {
  const picked = await pickAgent(text, { actionId: STOP_ACTIONS[what], text: STOP_LABELS[what] }, opened);
  if (picked) await show(picked, what === 'stop', opened, ports);
}

/** The form of a limit carries more than where to answer. */
function readReplyTo(metadata: string): string {
  const state = parseLimitFormState(metadata);
  return state === undefined ? metadata : (state.replyTo ?? '');
}

/** In an emergency nobody fills in forms: old → new at once, unless the limit that goes along is not known. */
async function show(
  named: GovernedAgent,
  stopped: boolean,
  { modal, session, caller, replyTo }: Opened,
  ports: StopOpenPorts,
): Promise<void> {
  const { agent, known } = stopped
    ? await lookUpLimit(named, { session, ...ports }, SOON)
    : await lookUpStopping(named, session, ports);
  if (readOwnStop(known) === stopped) return modal.show(buildStoppedAlready(agent, { stopped, replyTo }));
  const limit = readSentLimit(known);
  if (limit === undefined) {
    const timeZone = await ports.timeZone(caller);
    return modal.show(buildStopForm({ agent, known, replyTo }, { stopped, timeZone }));
  }
  const change = { kind: 'stop', plan: planStop({ agent, before: known, limit, stopped }) } as const;
  await modal.show(await toConfirmation(STOP_KIND, change, { caller, replyTo }, ports, false));
}

/**
 * Where it is not this limit that stops the agent, but one in another currency, running again is about that one. What else
 * stops it comes along, so that nobody believes it runs.
 */
async function lookUpStopping(
  named: GovernedAgent,
  session: Opened['session'],
  ports: StopOpenPorts,
): Promise<{ agent: GovernedAgent; known: KnownLimit }> {
  const sources = { session, ...ports };
  const [looked, [, ...others]] = await Promise.all([
    lookUpLimit(named, sources, SOON),
    readCurrencies(named, session, ports.currency),
  ]);
  const known = await addStopsElsewhere({ agent: named, known: looked.known }, others, sources);
  const [other] = known.stoppedIn ?? [];
  if (other === undefined || readOwnStop(known) === true || isStoppedFromHere(known)) return { ...looked, known };
  const agent = { ...named, currencyType: other.currencyType };
  const elsewhere = await lookUpLimit(agent, sources, SOON);
  const rest = await addStopsElsewhere({ agent, known: elsewhere.known }, others, sources);
  return { ...elsewhere, known: rest };
}

async function review(
  { view, caller }: Submission,
  stopped: boolean,
  ports: ConfirmPorts,
): Promise<ViewResponseAction> {
  const state = parseLimitFormState(view.private_metadata);
  if (!state) return toProblem(WINDOW_OUT_OF_DATE, STOP_TOPIC);
  const { agent, known, replyTo } = state;
  const options = { asksForStopDecision: false, shown: suggestSentLimit(known) };
  const parsed = parseLimitForm(readLimitForm(view.state.values), options);
  if (!parsed.ok) return { response_action: 'errors', errors: toLimitErrors(parsed.errors) };
  const plan = planStop({ agent, before: known, limit: parsed.wanted, stopped });
  const confirm = await toConfirmation(STOP_KIND, { kind: 'stop', plan }, { caller, replyTo }, ports);
  return { response_action: 'push', view: confirm };
}
