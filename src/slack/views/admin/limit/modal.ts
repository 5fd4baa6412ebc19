// The modal in which an admin sets the limit of one agent.
import type { ModalView } from '@slack/types';
import { type GovernedAgent, type KnownLimit, readStopped } from '../../../../governance/inventory/agent-limit.ts';
import { describeAgent } from '../../../../governance/inventory/inventory-words.ts';
import {
  buildCheckbox,
  buildStopQuestion,
  buildTextInput,
  FIELDS,
} from '../../../../governance/limits/limit-form-views.ts';
import { describeKnownLimit, describeSource } from '../../../../governance/limits/limit-words.ts';
import { buildPlainText, buildSection } from '../../content.ts';
import { LIMIT_TOPIC } from '../../modal.ts';
import { describeInterrupted, type InterruptedChange } from '../interrupted-change.ts';
import { encodeLimitState } from './metadata.ts';

/** callback_id of the form; its private_metadata is read by parseLimitFormState. */
export const LIMIT_MODAL = 'admin_limit';

/** Ours, where nothing else is known: late enough to matter, early enough to act. */
const DEFAULT_THRESHOLD = 80;

export type LimitModalOptions = {
  timeZone: string;
  replyTo?: string | undefined;
  /** A change from here that broke off, as the look at the agent has found it. */
  interrupted?: InterruptedChange | undefined;
};

export function buildLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, replyTo, interrupted }: LimitModalOptions,
): ModalView {
  const old = known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
  const threshold = old?.notificationThreshold ?? DEFAULT_THRESHOLD;
  const stopped = readStopped(known);
  return {
    type: 'modal',
    callback_id: LIMIT_MODAL,
    title: buildPlainText(LIMIT_TOPIC.title),
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: encodeLimitState({ agent, known, replyTo }),
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      ...(interrupted === undefined ? [] : [buildSection(describeInterrupted(interrupted, timeZone))]),
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
