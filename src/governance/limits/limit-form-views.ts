// The modals of a limit: the form and how it is read, the choice between agents, and the confirmation.
import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH, MAX_METADATA_LENGTH } from '../../slack/web/limits.ts';
import {
  buildChangeConfirmation,
  type ConfirmOptions,
  describeInterrupted,
  describeRow,
  type InterruptedChange,
} from '../changes/change-views.ts';
import { type GovernedAgent, type KnownLimit, readStopped, type StopDecision } from '../inventory/agent-limit.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { buildChoiceModal } from '../shell/choice-modal.ts';
import type { LimitForm, LimitFormErrors, LimitPlan } from './limit-plan.ts';
import { describeKnownLimit, describeSource, shortenNames } from './limit-words.ts';

export const LIMIT_TOPIC: ModalTopic = {
  id: 'admin_limit',
  title: 'Monthly credit limit',
  loading: 'Looking up the agent and its limit…',
};

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

/** `replyTo` comes back as the view's private_metadata. */
export function buildAgentChoice(
  agents: readonly InventoryRow[],
  asked: { query: string; replyTo: string },
): ModalView {
  const toChoice = (row: InventoryRow) => {
    const agent = toGovernedAgent(row);
    const text = `${describeAgent(row)}\nId ${toMrkdwnLine(row.name, 100)}`;
    return { text, value: agent && encodeAgent(agent) };
  };
  return buildChoiceModal(agents, toChoice, {
    topic: LIMIT_TOPIC,
    title: 'Which agent?',
    plural: 'agents',
    button: { actionId: SET_LIMIT_ACTION, text: 'Set limit…' },
    ...asked,
  });
}

/** callback_id of the confirmation. */
export const LIMIT_CONFIRM_MODAL = 'admin_limit_confirm';

export function buildLimitConfirmation(plan: LimitPlan, options: ConfirmOptions): ModalView {
  const { agent, before: known, rows, warnings } = plan;
  return buildChangeConfirmation(
    {
      callbackId: LIMIT_CONFIRM_MODAL,
      blocks: [buildSection(describeAgent(agent)), buildSection(rows.map(describeRow).join('\n'))],
      warnings,
      notes: [
        describeSource(known, options.timeZone),
        'The limit is for this agent alone: it caps neither its users nor the whole of its environment.',
      ],
      changes: rows.some(({ isChanged }) => isChanged),
    },
    options,
  );
}

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

// What travels with a limit through Slack, in buttons and modals: read back strictly, because it decides what is set.
/** `replyTo`: wherever the caller wants to answer in the end; carried as it is. */
export type LimitFormState = { agent: GovernedAgent; known: KnownLimit; replyTo?: string | undefined };

const agentSchema = z.object({
  environmentId: z.string(),
  agentResourceId: z.string(),
  name: z.string(),
  displayName: z.string(),
  environmentName: z.string().optional(),
});

const limitSchema = z.object({
  limit: z.number(),
  notify: z.boolean(),
  notificationThreshold: z.number(),
  stopWhenReached: z.boolean(),
  stopped: z.union([z.boolean(), z.literal('unknown')]),
});

const knownSchema = z.discriminatedUnion('source', [
  z.object({
    source: z.literal('deployment'),
    limit: limitSchema,
    consumption: z.number().optional(),
    readAt: z.number(),
  }),
  z.object({ source: z.literal('none'), readAt: z.number() }),
  z.object({ source: z.literal('last_set'), limit: limitSchema, setAt: z.number(), setBy: z.string() }),
  z.object({ source: z.literal('unknown'), stopped: z.boolean().optional() }),
]);

const formSchema = z.object({
  schema: z.literal(1),
  agent: agentSchema,
  known: knownSchema,
  replyTo: z.string().optional(),
});

/** Throws where it does not fit: with ids of up to 256 characters and a short `replyTo` it does. */
function encodeLimitState(state: LimitFormState): string {
  const text = JSON.stringify({ schema: 1, ...state, agent: shortenNames(state.agent) });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Undefined where it was not written by encodeLimitState. */
export function parseLimitFormState(text: string): LimitFormState | undefined {
  return formSchema.safeParse(parseJson(text)).data;
}

/** The value of a button that sets this agent's limit; undefined where it does not fit into one. */
export function encodeAgent(agent: GovernedAgent): string | undefined {
  const value = JSON.stringify(shortenNames(agent));
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseAgentValue(value: string): GovernedAgent | undefined {
  return agentSchema.safeParse(parseJson(value)).data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value of each is read by parseAgentValue. */
export const SET_LIMIT_ACTION = 'admin_limit_set';
