import type { ViewResponseAction } from '@slack/bolt';
import { type ConfirmPorts, toConfirmation } from '../changes/slack-confirmation.ts';
import { type GovernedAgent, readStopped } from '../inventory/agent-limit.ts';
import type { AdminShell, Submission } from '../shell/admin-shell.ts';
import { type Opened, toProblem } from '../shell/modal.ts';
import { lookUpLimit } from './known-limit.ts';
import type { LimitOpenPorts } from './limit-form.ts';
import { parseAgentValue, parseLimitFormState, readLimitForm, toLimitErrors } from './limit-form-views.ts';
import { parseLimitForm } from './limit-plan.ts';
import { buildStopForm, buildStoppedAlready, STOP_ACTIONS, STOP_MODALS } from './stop-form-views.ts';
import { STOP_KIND, STOP_TOPIC } from './stop-kind.ts';
import { planStop, readSentLimit, suggestSentLimit } from './stop-plan.ts';

const OUT_OF_DATE = 'This button is too old. Give the command again: `/assistant-admin limits`.';

const WINDOW_OUT_OF_DATE =
  'This window is too old, so nothing was changed. Give the command again: /assistant-admin limits.';

export type StopPorts = LimitOpenPorts & ConfirmPorts;

/** *Stop now…* and *Run again…*, in lists and in the form of a limit. */
export function registerStop(shell: AdminShell, ports: StopPorts): void {
  for (const what of ['stop', 'run'] as const) {
    const stopped = what === 'stop';
    shell.onModalButton(
      { actionId: STOP_ACTIONS[what], topic: STOP_TOPIC, parse: parseAgentValue, outOfDate: OUT_OF_DATE, readReplyTo },
      (agent, opened) => show(agent, stopped, opened, ports),
    );
    const form = { callbackId: STOP_MODALS[what], topic: STOP_TOPIC };
    shell.onSubmission(form, async (submission) => ({ answer: await review(submission, stopped, ports) }));
  }
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
  ports: StopPorts,
): Promise<void> {
  const { agent, known } = await lookUpLimit(named, { session, changes: ports.changes, now: ports.now });
  if (readStopped(known) === stopped) return modal.show(buildStoppedAlready(agent, { stopped, replyTo }));
  const limit = readSentLimit(known);
  if (limit === undefined) {
    const timeZone = await ports.timeZone(caller);
    return modal.show(buildStopForm({ agent, known, replyTo }, { stopped, timeZone }));
  }
  const change = { kind: 'stop', plan: planStop({ agent, before: known, limit, stopped }) } as const;
  await modal.show(await toConfirmation(STOP_KIND, change, { caller, replyTo }, ports, false));
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
