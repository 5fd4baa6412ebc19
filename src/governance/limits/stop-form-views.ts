// *Stop now…* and *Run again…*: the buttons, and the modals that they open.
import type { ActionsBlock, Button, ModalView } from '@slack/types';
import { buildButton, buildPlainText, buildSection } from '../../slack/views/content.ts';
import {
  type GovernedAgent,
  isStoppedElsewhere,
  isStoppedFromHere,
  type KnownLimit,
  readOwnStop,
} from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildLimitFields, encodeAgent, encodeLimitState, type LimitFormState } from './limit-form-views.ts';
import { describeSource } from './limit-words.ts';
import { STOP_TOPIC } from './stop-kind.ts';
import { suggestSentLimit } from './stop-plan.ts';

/** The values are read by parseAgentValue. They are written into messages: never rename. */
export const STOP_ACTIONS = { stop: 'admin_limit_stop', run: 'admin_limit_run' } as const;

type StopButton = keyof typeof STOP_ACTIONS;

export const STOP_LABELS: Record<StopButton, string> = { stop: 'Stop now…', run: 'Run again…' };

/** Both where this limit does not stop it for sure, but one in another currency does, or it was stopped from here. */
export function listStopButtons(agent: GovernedAgent, known: KnownLimit): Button[] {
  if (readOwnStop(known) === true) return buildStopButtons(agent, ['run']);
  const mayBeStopped = isStoppedElsewhere(known) || isStoppedFromHere(known);
  return buildStopButtons(agent, mayBeStopped ? ['run', 'stop'] : ['stop']);
}

/** None where the agent does not fit into a button. A stop is always by the usual limit, which is the one that lists show. */
function buildStopButtons(agent: GovernedAgent, kinds: readonly StopButton[]): Button[] {
  return kinds.flatMap((kind): Button[] => {
    const value = encodeAgent(kind === 'stop' ? { ...agent, currencyType: undefined } : agent);
    if (value === undefined) return [];
    const button = { ...buildButton(STOP_ACTIONS[kind], STOP_LABELS[kind], value) };
    return [kind === 'stop' ? { ...button, style: 'danger' } : button];
  });
}

/** callback_ids of the form, by what is asked for; its private_metadata is read by parseLimitFormState. */
export const STOP_MODALS = { stop: 'admin_stop', run: 'admin_run_again' } as const;

/** Asks for the limit to send along: the present one is not known. */
export function buildStopForm(
  { agent, known, replyTo }: LimitFormState,
  { stopped, timeZone }: { stopped: boolean; timeZone: string },
): ModalView {
  const what = stopped ? 'stop' : 'let it run again';
  return {
    type: 'modal',
    callback_id: stopped ? STOP_MODALS.stop : STOP_MODALS.run,
    title: buildPlainText(STOP_TOPIC.title),
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: encodeLimitState({ agent, known, replyTo }),
    blocks: [
      buildSection(
        `${describeAgent(agent)}\nThe service takes *${what}* only together with a complete limit, and the present one is not known here. This limit goes along, and replaces whatever is set:`,
      ),
      buildNotes([describeSource(known, timeZone)]),
      ...buildLimitFields(suggestSentLimit(known)),
    ],
  };
}

/** There is nothing to do: it is as asked for already. `replyTo` comes back as the view's private_metadata. */
export function buildStoppedAlready(
  agent: GovernedAgent,
  { stopped, replyTo }: { stopped: boolean; replyTo: string },
): ModalView {
  const [state, offer]: [string, StopButton] = stopped ? ['is stopped already', 'run'] : ['runs already', 'stop'];
  const buttons = buildStopButtons(agent, [offer]);
  const actions: ActionsBlock[] = buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }];
  return {
    type: 'modal',
    callback_id: `${STOP_TOPIC.id}_already`,
    title: buildPlainText(STOP_TOPIC.title),
    close: buildPlainText('Close'),
    private_metadata: replyTo,
    blocks: [buildSection(`${describeAgent(agent)} ${state}, as the service says. Nothing was changed.`), ...actions],
  };
}
