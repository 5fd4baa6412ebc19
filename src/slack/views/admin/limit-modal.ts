// The modal in which an admin sets the limit of one agent, and what it looks like before anything is known.
import type { ModalView } from '@slack/types';
import type { GovernedAgent, KnownLimit } from '../../../governance/limit.ts';
import { readStopped } from '../../../governance/limit-plan.ts';
import { toMrkdwnLine } from '../shown-text.ts';
import { buildCheckbox, buildStopQuestion, buildTextInput, FIELDS } from './limit-form.ts';
import { encodeLimitState } from './limit-metadata.ts';
import { buildPlainText, buildSection, describeAgent, describeKnownLimit, describeSource } from './limit-words.ts';

/** callback_id of the form; its private_metadata is read by parseLimitFormState. */
export const LIMIT_MODAL = 'admin_limit';

const TITLE = buildPlainText('Monthly credit limit');

/** Ours, where nothing else is known: late enough to matter, early enough to act. */
const DEFAULT_THRESHOLD = 80;

/** Opened at once, because a trigger lives for 3 s: https://docs.slack.dev/surfaces/modals#opening */
export function buildLoadingModal(): ModalView {
  return {
    type: 'modal',
    callback_id: 'admin_limit_loading',
    title: TITLE,
    close: buildPlainText('Cancel'),
    blocks: [buildSection('Looking up the agent and its limit…')],
  };
}

/** Takes the place of any of these modals where it cannot go on. `sentence` is plain text, perhaps from outside. */
export function buildProblemModal(sentence: string): ModalView {
  return {
    type: 'modal',
    callback_id: 'admin_limit_problem',
    title: TITLE,
    close: buildPlainText('Close'),
    blocks: [buildSection(toMrkdwnLine(sentence, 500))],
  };
}

export function buildLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, replyTo }: { timeZone: string; replyTo?: string | undefined },
): ModalView {
  const old = known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
  const threshold = old?.notificationThreshold ?? DEFAULT_THRESHOLD;
  const stopped = readStopped(known);
  return {
    type: 'modal',
    callback_id: LIMIT_MODAL,
    title: TITLE,
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: encodeLimitState({ agent, known, replyTo }),
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      { type: 'context', elements: [{ type: 'mrkdwn', text: describeSource(known, timeZone), verbatim: true }] },
      buildTextInput(FIELDS.limit, 'Credits a month', {
        initial: old === undefined ? undefined : String(old.limit),
        hint: 'A whole number. The limit is for this agent alone; it does not cap its environment.',
      }),
      buildCheckbox(FIELDS.notify, 'Notice', 'Notify administrators before the limit is reached', old?.notify ?? true),
      buildTextInput(FIELDS.notificationThreshold, 'Notify at (percent of the limit)', { initial: String(threshold) }),
      buildCheckbox(
        FIELDS.stopWhenReached,
        'When the limit is reached',
        'Stop the agent for everybody who uses it',
        old?.stopWhenReached ?? false,
      ),
      ...(stopped === false ? [] : [buildStopQuestion(stopped)]),
    ],
  };
}
