// The fields of the limit form: how they are built, and how what was typed into them is read.
import type { InputBlock } from '@slack/types';
import { buildPlainText } from '../../slack/views/content.ts';
import type { StopDecision } from '../inventory/agent-limit.ts';
import type { LimitForm, LimitFormErrors } from '../parse-limit.ts';

/** The block ids. */
export const FIELDS = {
  limit: 'limit',
  notify: 'notify',
  notificationThreshold: 'notification_threshold',
  stopWhenReached: 'stop_when_reached',
  stopDecision: 'stop_decision',
} as const;

/** Every field's element has this action_id: the block tells them apart. */
const VALUE = 'value';

/** `view.state.values` of a submission, as far as the form needs it. */
export type ViewValues = Record<
  string,
  Record<
    string,
    {
      value?: string | null;
      selected_option?: { value: string } | null;
      selected_options?: { value: string }[] | null;
    }
  >
>;

/** What was typed and ticked, raw: parseLimitForm says whether it makes a limit. */
export function readLimitForm(values: ViewValues): LimitForm {
  const field = (name: keyof typeof FIELDS) => values[FIELDS[name]]?.[VALUE];
  const decision = field('stopDecision')?.selected_option?.value;
  return {
    limit: field('limit')?.value ?? '',
    notify: (field('notify')?.selected_options ?? []).length > 0,
    notificationThreshold: field('notificationThreshold')?.value ?? '',
    stopWhenReached: (field('stopWhenReached')?.selected_options ?? []).length > 0,
    stopDecision: decision === 'keep_stopped' || decision === 'not_stopped' ? decision : undefined,
  };
}

/** For `response_action: 'errors'`: each sentence at its field. */
export function toViewErrors(errors: LimitFormErrors): Record<string, string> {
  return Object.fromEntries(
    (['limit', 'notificationThreshold', 'stopDecision'] as const).flatMap((name) =>
      errors[name] === undefined ? [] : [[FIELDS[name], errors[name]]],
    ),
  );
}

export function buildTextInput(
  blockId: string,
  label: string,
  options: { initial?: string | undefined; hint?: string },
): InputBlock {
  const { initial, hint } = options;
  return {
    type: 'input',
    block_id: blockId,
    label: buildPlainText(label),
    ...(hint === undefined ? {} : { hint: buildPlainText(hint) }),
    element: {
      type: 'plain_text_input',
      action_id: VALUE,
      max_length: 60,
      ...(initial === undefined ? {} : { initial_value: initial }),
    },
  };
}

export function buildCheckbox(blockId: string, label: string, text: string, isTicked: boolean): InputBlock {
  const option = { text: buildPlainText(text), value: 'yes' };
  return {
    type: 'input',
    block_id: blockId,
    // An input that is not optional would have to be ticked.
    optional: true,
    label: buildPlainText(label),
    element: {
      type: 'checkboxes',
      action_id: VALUE,
      options: [option],
      ...(isTicked ? { initial_options: [option] } : {}),
    },
  };
}

// Nothing is chosen beforehand: nobody may restart an agent, or stop one, by overlooking this.
export function buildStopQuestion(stopped: true | 'unknown'): InputBlock {
  const [label, keep, run] =
    stopped === true
      ? ['Somebody stopped this agent', 'Keep it stopped', 'Let it run again']
      : ['Is this agent stopped now? The service does not tell', 'It is stopped, and stays so', 'It is not stopped'];
  const option = (text: string, value: StopDecision) => ({ text: buildPlainText(text), value });
  return {
    type: 'input',
    block_id: FIELDS.stopDecision,
    label: buildPlainText(label),
    element: {
      type: 'radio_buttons',
      action_id: VALUE,
      options: [option(keep, 'keep_stopped'), option(run, 'not_stopped')],
    },
  };
}
