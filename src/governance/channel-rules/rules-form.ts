// The form of channel rules.
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
import type { Policy } from '../policy/policy.ts';
import type { PolicyStore } from '../policy/policy-store.ts';
import { type ChannelTarget, EVERY_CHANNEL } from '../policy/target.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildRadioButtons, buildReasonInput, type FormValues, readChoice } from '../shell/form-fields.ts';
import { type OwnOpened, toProblem } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { type ChangeRulesPorts, readRules } from './change-rules.ts';
import {
  buildChannelFields,
  channelValuesSchema,
  describeChannelChanges,
  readChannelFields,
  readOwnValues,
  toChannelEdits,
} from './channel-settings-views.ts';
import {
  CHANNEL,
  describeEffective,
  describeEffectiveValue,
  describeLevel,
  describeRuleChanges,
  nameChannel,
  RULE_WORDS,
} from './rule-words.ts';
import { confirmSetting, type SettingPorts } from './slack-setting-change.ts';

/** Slack sends clicks and submissions under these names: never rename. */
export const EDIT_RULES_ACTION = 'channel_rules_edit';
const RULES_MODAL = 'channel_rules';

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

/** `settings`: what the policy says; `team`, `now`: for whom and when. */
type FormOptions = RulesSubject & {
  stored: WorkspaceRules | undefined;
  configured: Rules;
  settings: { policy: Policy; team: string; now: number };
  replyTo: string;
};

export function buildRulesModal({ channel, stored, configured, settings, replyTo }: FormOptions): ModalView {
  const { policy, team, now } = settings;
  const target = toChannelTarget(team, channel);
  const own = readRules(stored, channel);
  const above = toInherited(stored, channel, configured);
  const effective = toEffective(stored, channel, configured);
  return {
    type: 'modal',
    callback_id: RULES_MODAL,
    title: buildPlainText(RULES_TOPIC.title),
    submit: buildPlainText('Set rules'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({
      ...{ schema: 1, channel, before: own, settings: readOwnValues(policy, target, now), replyTo },
    } satisfies RulesState),
    blocks: [
      buildSection([`*${nameChannel(channel)}*: what counts now`, ...describeEffective(effective)].join('\n')),
      ...RULE_NAMES.map((name) => buildRule(name, own, above)),
      ...buildChannelFields(policy, target, now),
      buildReasonInput(),
      buildNotes([channel === undefined ? OF_WORKSPACE : OF_CHANNEL]),
    ],
  };
}

/** What entries of the policy are about. */
export function toChannelTarget(team: string, channel: string | undefined): ChannelTarget {
  return { team, channel: channel ?? EVERY_CHANNEL };
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
function readRulesForm(values: FormValues): Rules {
  const entries = RULE_NAMES.flatMap((name) => {
    const chosen = readChoice(values, name, Object.keys(RULE_WORDS[name].values));
    return chosen === undefined ? [] : [[name, chosen] as const];
  });
  return Object.fromEntries(entries);
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
  settings: channelValuesSchema,
  replyTo: z.string(),
});

/** What the modal carries. `before`, `settings`: what the admin was shown. */
export type RulesState = z.infer<typeof stateSchema>;

export function parseRulesState(text: string): RulesState | undefined {
  return parseState(stateSchema, text);
}

/** `configuredRules`: what the configuration sets for all workspaces. */
export type RulesOpenPorts = Pick<ChangeRulesPorts, 'ruleStore' | 'now'> & {
  configuredRules: Rules;
  policy: Pick<PolicyStore, 'readChannels'>;
};

/** `/assistant-admin rules #channel`, and *Edit…*. */
export async function openRules(
  { channel }: RulesSubject,
  { modal, caller, replyTo }: OwnOpened,
  { ruleStore, configuredRules: configured, policy: policies, now }: RulesOpenPorts,
): Promise<void> {
  const [stored, policy] = await Promise.all([ruleStore.get(caller.workspace), policies.readChannels()]);
  const settings = { policy, team: caller.team, now: now() };
  await modal.show(buildRulesModal({ channel, stored, configured, settings, replyTo }));
}

const OUT_OF_DATE = 'This is too old. Give the command again: /assistant-admin rules.';

/** From *Edit…* to the message about how it ended. */
export function registerRulesForm(shell: AdminShell, ports: RulesOpenPorts & SettingPorts): void {
  const button = { actionId: EDIT_RULES_ACTION, topic: RULES_TOPIC, parse: parseRulesValue, outOfDate: OUT_OF_DATE };
  shell.onOwnModalButton(button, (subject, opened) => openRules(subject, opened, ports));
  const form = { callbackId: RULES_MODAL, topic: RULES_TOPIC, isFresh: true, isForAll: true };
  shell.onSubmission(form, async (submission) => {
    const { view } = submission;
    const state = parseRulesState(view.private_metadata);
    if (!state) return { answer: toProblem(OUT_OF_DATE, RULES_TOPIC) };
    const { channel, before, settings, replyTo } = state;
    const after = readRulesForm(view.state.values);
    const fields = readChannelFields(view.state.values as FormValues);
    if ('errors' in fields) return { answer: { response_action: 'errors', errors: fields.errors } };
    const target = toChannelTarget(submission.caller.team, channel);
    const ofRules = describeRuleChanges(before, after);
    const ofPolicy = describeChannelChanges(settings, fields.values);
    if (ofRules.length + ofPolicy.length === 0) {
      return { answer: { response_action: 'errors', errors: { questions: SET_ALREADY } } };
    }
    const title = `:white_check_mark: The rules are set: ${nameChannel(channel)}.`;
    const setting = {
      change: ofRules.length === 0 ? undefined : ({ kind: 'rules', channel, before, after } as const),
      policy: { target, shown: settings, edits: toChannelEdits(settings, fields.values, target) },
      done: [title, ...ofRules, ...ofPolicy].join('\n'),
    };
    return confirmSetting({ ...setting, topic: RULES_TOPIC, replyTo }, submission, ports);
  });
}

const SET_ALREADY = 'This is what is set already: there is nothing to change.';
