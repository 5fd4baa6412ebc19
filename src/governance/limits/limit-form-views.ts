// The modals of a limit: the choice between agents, and the form and how it is read.
import type { Button, InputBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection, toLine, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_BUTTON_VALUE_LENGTH, MAX_METADATA_LENGTH, MAX_OPTION_TEXT_LENGTH } from '../../slack/web/limits.ts';
import { describeInterrupted, type InterruptedChange } from '../changes/change-views.ts';
import {
  type AgentLimit,
  type GovernedAgent,
  isStoppedElsewhere,
  type KnownLimit,
  knownLimitSchema,
  readStopped,
  readValues,
  type StopDecision,
} from '../inventory/agent-limit.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { buildNotes } from '../shell/blocks.ts';
import {
  buildCheckbox,
  buildRadioButtons,
  buildTextInput,
  type FormValues,
  isTicked,
  readChoice,
  readText,
  toFieldErrors,
} from '../shell/form-fields.ts';
import { buildChoiceModal } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import type { LimitForm, LimitFormErrors } from './limit-plan.ts';
import { describeKnownLimit, describeSource, shortenNames } from './limit-words.ts';

export const LIMIT_TOPIC: ModalTopic = {
  id: 'admin_limit',
  title: 'Monthly credit limit',
  loading:
    'Looking up the agent and its limit…\nIf it has to stop at once: close this, and give the command `/assistant-admin stop` with its name.',
};

/** The value of each is read by parseAgentValue. */
export const SET_LIMIT_ACTION = 'admin_limit_set';

/**
 * `replyTo` comes back as the view's private_metadata. `typed`: a limit that was given with the command. `button`: under each
 * agent.
 */
type AgentChoice = {
  query: string;
  replyTo: string;
  typed?: string | undefined;
  button: { actionId: string; text: string };
};

export function buildAgentChoice(agents: readonly InventoryRow[], { typed, ...asked }: AgentChoice): ModalView {
  const toChoice = (row: InventoryRow) => {
    const agent = toGovernedAgent(row);
    const text = `${describeAgent(row)}\nId ${toMrkdwnLine(row.name, 100)}`;
    return { text, value: agent && encodeAgent(agent, typed) };
  };
  return buildChoiceModal(agents, toChoice, {
    topic: LIMIT_TOPIC,
    title: 'Which agent?',
    plural: 'agents',
    ...asked,
  });
}

/** The value of a button that sets this agent's limit; undefined where it does not fit into one. */
export function encodeAgent(agent: GovernedAgent, typed?: string): string | undefined {
  const value = JSON.stringify({ ...shortenNames(agent), typed });
  return value.length <= MAX_BUTTON_VALUE_LENGTH ? value : undefined;
}

export function parseAgentValue(value: string): (GovernedAgent & { typed?: string | undefined }) | undefined {
  return parseState(agentSchema.extend({ typed: z.string().optional() }), value);
}

/** callback_id of the form; its private_metadata is read by parseLimitFormState. */
export const LIMIT_MODAL = 'admin_limit';

export type LimitModalOptions = {
  timeZone: string;
  replyTo?: string | undefined;
  /** A change from here that broke off, as the look at the agent has found it. */
  interrupted?: InterruptedChange | undefined;
  /** The limit that was given with the command. */
  typed?: string | undefined;
  /** Those that stop the agent now, or let it run again. */
  stopButtons?: Button[];
  /** Those that there may be a limit in, as the service names them: the configured one first. */
  currencies?: readonly string[];
};

export function buildLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, replyTo, interrupted, typed, stopButtons = [], currencies = [] }: LimitModalOptions,
): ModalView {
  const stopped = readStopped(known);
  const { currencyType } = agent;
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
      ...(stopButtons.length === 0 ? [] : [{ type: 'actions' as const, elements: stopButtons }]),
      buildNotes([describeSource(known, timeZone), NOTICES, ...(stopButtons.length === 0 ? [NO_BUTTON] : [])]),
      ...(currencies.length < 2 ? [] : [buildCurrencyChoice(currencies, currencyType)]),
      ...buildLimitFields(readValues(known), { typed, currencyType }),
      ...(stopped === false
        ? []
        : [buildStopQuestion(isStoppedElsewhere(known) ? 'elsewhere' : stopped, currencyType)]),
    ],
  };
}

/** The select of the currency; its value is the currency. */
export const LIMIT_CURRENCY_ACTION = 'admin_limit_currency';

function buildCurrencyChoice(currencies: readonly string[], currencyType: string | undefined): SectionBlock {
  const options = currencies.map((name) => ({
    text: buildPlainText(toLine(name, MAX_OPTION_TEXT_LENGTH) || '–'),
    value: name,
  }));
  const initial = options[currencyType === undefined ? 0 : currencies.indexOf(currencyType)];
  return {
    ...buildSection('Limit in the currency'),
    accessory: {
      type: 'static_select',
      action_id: LIMIT_CURRENCY_ACTION,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

const NO_BUTTON =
  'Its ids are too long for a *Stop now…* button: give the command `/assistant-admin stop` with its name.';

const NOTICES =
  "The service's own notices go to administrators of the tenant and of the environment, not to the owner of the agent.";

/** Ours, where nothing else is known: late enough to matter, early enough to act. */
export const DEFAULT_THRESHOLD = 80;

type LimitFieldOptions = {
  /** The numbers may be left empty. */
  isOptional?: boolean;
  /** Instead of the old limit. */
  typed?: string | undefined;
  /** See toFieldId. */
  currencyType?: string | undefined;
};

/** `old`: what they are filled in with, which may stay as it is. */
export function buildLimitFields(
  old: Omit<AgentLimit, 'stopped'> | undefined,
  { isOptional = false, typed, currencyType }: LimitFieldOptions = {},
): InputBlock[] {
  const toId = (name: FieldName) => toFieldId(name, currencyType);
  return [
    buildTextInput(toId('limit'), 'Credits a month', {
      initial: typed ?? (old === undefined ? undefined : String(old.limit)),
      hint: 'For example 1000 or 82.5. The limit is for this agent alone; it does not cap its environment.',
      isOptional,
    }),
    buildCheckbox(toId('notify'), 'Notice', 'Notify administrators before the limit is reached', old?.notify ?? true),
    buildTextInput(toId('notificationThreshold'), 'Notify at (percent of the limit)', {
      initial: String(old?.notificationThreshold ?? DEFAULT_THRESHOLD),
      isOptional,
    }),
    buildCheckbox(
      toId('stopWhenReached'),
      'When the limit is reached',
      'Stop the agent for everybody who uses it',
      old?.stopWhenReached ?? false,
    ),
  ];
}

/** What was typed and ticked, raw: parseLimitForm says whether it makes a limit. */
export function readLimitForm(values: FormValues, currencyType?: string): LimitForm {
  const toId = (name: FieldName) => toFieldId(name, currencyType);
  return {
    limit: readText(values, toId('limit')),
    notify: isTicked(values, toId('notify')),
    notificationThreshold: readText(values, toId('notificationThreshold')),
    stopWhenReached: isTicked(values, toId('stopWhenReached')),
    stopDecision: readChoice(values, toId('stopDecision'), ['keep_stopped', 'not_stopped']),
  };
}

export function toLimitErrors(errors: LimitFormErrors, currencyType?: string): Record<string, string> {
  return toFieldErrors(errors, (name) => toFieldId(name, currencyType));
}

/** Nothing is chosen beforehand: nobody may restart an agent, or stop one, by overlooking this. */
export function buildStopQuestion(stopped: true | 'unknown' | 'elsewhere', currencyType?: string): InputBlock {
  const [label, keep, run] = STOP_QUESTIONS[`${stopped}`];
  return buildRadioButtons<StopDecision>(toFieldId('stopDecision', currencyType), label, {
    keep_stopped: keep,
    not_stopped: run,
  });
}

const STOP_QUESTIONS: Record<'true' | 'unknown' | 'elsewhere', [label: string, keep: string, run: string]> = {
  true: ['Somebody stopped this agent', 'Keep it stopped', 'Let it run again'],
  unknown: ['Is this agent stopped now? The service does not tell', 'It is stopped, and stays so', 'It is not stopped'],
  elsewhere: [
    'A limit in another currency stops this agent',
    'Keep it stopped, by this limit as well',
    'Leave it to the other limit',
  ],
};

/** `replyTo`: wherever the caller wants to answer in the end; carried as it is. */
export type LimitFormState = {
  agent: GovernedAgent;
  known: KnownLimit;
  replyTo?: string | undefined;
};

/** Undefined where it was not written by encodeLimitState. */
export function parseLimitFormState(text: string): LimitFormState | undefined {
  return parseState(formSchema, text);
}

/** The block ids. */
const FIELDS = {
  limit: 'limit',
  notify: 'notify',
  notificationThreshold: 'notification_threshold',
  stopWhenReached: 'stop_when_reached',
  stopDecision: 'stop_decision',
} as const;

type FieldName = keyof typeof FIELDS;

/**
 * Slack keeps what was entered into a block of the same id, and the limit in one currency must not stand in the form of
 * another. `currencyType` as in GovernedAgent.
 */
function toFieldId(name: FieldName, currencyType: string | undefined): string {
  return currencyType === undefined ? FIELDS[name] : `${FIELDS[name]}_${currencyType}`;
}

/** Read by parseLimitFormState. Throws where it does not fit: with ids of up to 256 characters and a short `replyTo` it does. */
export function encodeLimitState(state: LimitFormState): string {
  const text = JSON.stringify({ schema: 1, ...state, agent: shortenNames(state.agent) });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Read back strictly: it decides what is set. */
const agentSchema = z.object({
  environmentId: z.string(),
  agentResourceId: z.string(),
  name: z.string(),
  displayName: z.string(),
  environmentName: z.string().optional(),
  currencyType: z.string().optional(),
});

const formSchema = z.object({
  schema: z.literal(1),
  agent: agentSchema,
  known: knownLimitSchema,
  replyTo: z.string().optional(),
});
