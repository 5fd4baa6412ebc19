// The form of channel rules, and the last look at a change of them.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import {
  type EffectiveRules,
  RULE_NAMES,
  type RuleName,
  type Rules,
  toEffective,
  type WorkspaceRules,
} from '../../conversation/channel-rules.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildRadioButtons, buildReasonInput, type FormValues, readChoice } from '../shell/form-fields.ts';
import { parseState } from '../shell/modal-state.ts';
import { readRules } from './change-rules.ts';
import {
  CHANNEL,
  describeEffective,
  describeEffectiveValue,
  describeLevel,
  describeRuleChanges,
  nameChannel,
  RULE_WORDS,
} from './rule-words.ts';

/** Slack sends clicks and submissions under these names: never rename. */
export const EDIT_RULES_ACTION = 'channel_rules_edit';
export const RULES_MODAL = 'channel_rules';
export const RULES_CONFIRM_MODAL = 'channel_rules_confirm';

export const RULES_TOPIC: ModalTopic = { id: RULES_MODAL, title: 'Channel rules', loading: 'Looking up the rules…' };

/** The value of a button for the default of the workspace. */
const EVERYWHERE = 'everywhere';

/** `channel`: undefined for the default of the workspace. */
export type RulesSubject = { channel: string | undefined };

export function toRulesValue({ channel }: RulesSubject): string {
  return channel ?? EVERYWHERE;
}

export function parseRulesValue(value: string): RulesSubject | undefined {
  if (value === EVERYWHERE) return { channel: undefined };
  return CHANNEL.test(value) ? { channel: value } : undefined;
}

type FormOptions = RulesSubject & { stored: WorkspaceRules | undefined; configured: Rules; replyTo: string };

export function buildRulesModal({ channel, stored, configured, replyTo }: FormOptions): ModalView {
  const own = readRules(stored, channel);
  const above = toInherited(stored, channel, configured);
  const effective = toEffective(stored, channel, configured);
  return {
    type: 'modal',
    callback_id: RULES_MODAL,
    title: buildPlainText(RULES_TOPIC.title),
    submit: buildPlainText('Review change'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({ schema: 1, channel, before: own, replyTo } satisfies RulesState),
    blocks: [
      buildSection([`*${nameChannel(channel)}*: what counts now`, ...describeEffective(effective)].join('\n')),
      ...RULE_NAMES.map((name) => buildRule(name, own, above)),
      buildNotes([channel === undefined ? OF_WORKSPACE : OF_CHANNEL]),
    ],
  };
}

const OF_CHANNEL = 'Guests, and channels shared with other organisations, get no answer whatever is set.';

const OF_WORKSPACE = `Web search and thread context set here also count in direct messages. ${OF_CHANNEL}`;

/** What counts where this level sets nothing. */
function toInherited(stored: WorkspaceRules | undefined, channel: string | undefined, configured: Rules) {
  const everywhere = channel === undefined ? {} : (stored?.everywhere ?? {});
  return toEffective({ everywhere, channels: {} }, undefined, configured);
}

const INHERIT = 'inherit';

function buildRule(name: RuleName, own: Rules, above: EffectiveRules) {
  const { label, values } = RULE_WORDS[name];
  const inherited = `Inherit: ${describeEffectiveValue(name, above)}`.slice(0, 75);
  return buildRadioButtons<string>(
    name,
    label,
    { [INHERIT]: inherited, ...values },
    { initial: own[name] ?? INHERIT, hint: `Inherited: what is ${describeLevel(above[name].level)}.` },
  );
}

/** What was chosen; a field that was not sent is inherited. */
export function readRulesForm(values: FormValues): Rules {
  const entries = RULE_NAMES.flatMap((name) => {
    const chosen = readChoice(values, name, Object.keys(RULE_WORDS[name].values));
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  return Object.fromEntries(entries);
}

/** To be pushed on top of the form. Undefined: there is nothing to change. */
export function buildRulesConfirm(state: RulesState, after: Rules): ModalView | undefined {
  const { channel, before } = state;
  const changes = describeRuleChanges(before, after);
  if (changes.length === 0) return undefined;
  return {
    type: 'modal',
    callback_id: RULES_CONFIRM_MODAL,
    title: buildPlainText('Confirm the change'),
    submit: buildPlainText('Set rules'),
    close: buildPlainText('Back'),
    private_metadata: JSON.stringify({ ...state, after } satisfies RulesConfirmState),
    blocks: [buildSection([`*${nameChannel(channel)}*`, ...changes].join('\n')), buildReasonInput()],
  };
}

const rulesSchema = z.object({
  questions: z.enum(['allowed', 'refused']).optional(),
  answers: z.enum(['thread', 'private']).optional(),
  webSearch: z.enum(['on', 'off']).optional(),
  threadContext: z.enum(['on', 'off']).optional(),
});

const stateSchema = z.object({
  schema: z.literal(1),
  channel: z.string().regex(CHANNEL).optional(),
  before: rulesSchema,
  replyTo: z.string(),
});

const confirmSchema = stateSchema.extend({ after: rulesSchema });

/** What the modals carry. `before`: what the admin was shown. */
export type RulesState = z.infer<typeof stateSchema>;
type RulesConfirmState = z.infer<typeof confirmSchema>;

export function parseRulesState(text: string): RulesState | undefined {
  return parseState(stateSchema, text);
}

export function parseRulesConfirmState(text: string): RulesConfirmState | undefined {
  return parseState(confirmSchema, text);
}
