// The form of a channel, or of all channels of a workspace: one field per setting. Empty fields are inherited.
import type { InputBlock } from '@slack/types';
import {
  CHANNEL_SETTINGS,
  type ChannelOptions,
  type ChannelSetting,
  type ChannelValues,
  readChannelSetting,
} from '../../policy/channel-settings.ts';
import { endEdit, setEdit } from '../../policy/edit.ts';
import { type Day, type Policy, readEntry } from '../../policy/policy.ts';
import { CHANNEL_ID, type ChannelTarget, EVERY_CHANNEL } from '../../policy/target.ts';
import type { Values } from '../../policy/values.ts';
import { buildSection } from '../../slack/views/content.ts';
import { buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import { toKeptForm } from '../forms/policy-form.ts';
import { describeLevel } from '../operations/effective-words.ts';
import { CHANNEL_OPERATIONS, type ChannelField, describeValue } from '../operations/operations.ts';
import { readUntil } from '../run/decision-form.ts';
import { type FormWindow, opensForm, showForm } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { Opened } from '../shell/modal.ts';
import { capitalize } from '../shell/typed-text.ts';

/** Slack sends clicks under this name: never rename. */
export const EDIT_RULES_ACTION = 'channel_rules_edit';

/** The value of the button for all channels. Other buttons have the id of their channel. */
const EVERYWHERE = 'everywhere';

export function toRulesValue({ channel }: Pick<ChannelTarget, 'channel'>): string {
  return channel === EVERY_CHANNEL ? EVERYWHERE : channel;
}

export function parseRulesValue(value: string): string | undefined {
  if (value === EVERYWHERE) return EVERY_CHANNEL;
  return CHANNEL_ID.test(value) ? value : undefined;
}

/** The values of the target's own entries. Missing values are inherited. */
type OwnValues = Partial<ChannelValues>;

/** The last days of the values that have one. */
type LastDays = { [setting in ChannelSetting]?: Day };

/** `shown`, `ending`: what the window shows. */
type RulesState = { target: ChannelTarget; shown: OwnValues; ending?: LastDays };

export const RULES_FORM = toKeptForm<RulesState, OwnValues>({
  callbackId: 'channel_rules',
  topic: { id: 'channel_rules', title: 'Channel rules', loading: 'Looking up the rules…' },
  check: { isForAll: true },
  button: opensForm(EDIT_RULES_ACTION, parseRulesValue, openRules),
  decision: { hasUntil: true },
  working: 'Setting it…',
  tooOld: 'This is too old. Give the command again: /assistant-admin rules.',
  read(fields, state) {
    const read = CHANNEL_SETTINGS.map((setting) => [setting, readField(setting, fields)] as const);
    const errors = read.flatMap(([setting, field]) =>
      'sentence' in field ? [[setting, field.sentence] as const] : [],
    );
    const filled: OwnValues = Object.fromEntries(
      read.flatMap(([setting, field]) => ('value' in field ? [[setting, field.value] as const] : [])),
    );
    if (errors.length > 0) return { errors: Object.fromEntries(errors) };
    const isSame = listWanted(state, filled, readUntil(fields)).length === 0;
    return isSame ? { errors: { questions: SET_ALREADY } } : { filled };
  },
  toEdits: (state, filled, until) => ({
    edits: listWanted(state, filled, until).map((setting) => {
      const value = filled[setting];
      return value === undefined ? endEdit(setting, state.target) : setEdit(setting, state.target, value, until);
    }),
    isAsShown: (_, policy, now) => {
      const { own, ending } = readOwn(policy, state.target, now);
      return listChanged(state.shown, own).length + listChanged(state.ending ?? {}, ending).length === 0;
    },
  }),
});

const SET_ALREADY = 'This is what is set already: there is nothing to change.';

function listChanged<Of extends OwnValues | LastDays>(one: Of, other: Of): ChannelSetting[] {
  return CHANNEL_SETTINGS.filter((setting) => one[setting] !== other[setting]);
}

/** The settings with a new value. If there is none and the day is new: the settings that get that day. */
function listWanted({ shown, ending = {} }: RulesState, filled: OwnValues, until: Day | undefined): ChannelSetting[] {
  const changed = listChanged(shown, filled);
  if (changed.length > 0 || until === findOneDay(shown, ending)) return changed;
  return CHANNEL_SETTINGS.filter((setting) => ending[setting] !== undefined && ending[setting] !== until);
}

/** The last day that all own values share, for the window. Undefined if there is none. */
function findOneDay(own: OwnValues, ending: LastDays): Day | undefined {
  const days = new Set(CHANNEL_SETTINGS.flatMap((setting) => (own[setting] === undefined ? [] : [ending[setting]])));
  return days.size === 1 ? [...days][0] : undefined;
}

function readOwn(policy: Policy, target: ChannelTarget, now: number): { own: OwnValues; ending: LastDays } {
  const stated = CHANNEL_SETTINGS.flatMap((setting) => {
    const entry = readEntry(policy, setting, target, now);
    return entry ? [{ setting, ...entry }] : [];
  });
  const ending = stated.flatMap(({ setting, until }) => (until === undefined ? [] : [[setting, until] as const]));
  return {
    own: Object.fromEntries(stated.map(({ setting, value }) => [setting, value])),
    ending: Object.fromEntries(ending),
  };
}

/** `sentence`: what is wrong. Empty: the value is inherited. */
type ReadField = { value: Values[ChannelSetting] } | { sentence: string } | Record<string, never>;

function readField(setting: ChannelSetting, fields: Fields): ReadField {
  const field: ChannelField<Values[ChannelSetting]> = CHANNEL_OPERATIONS[setting].field;
  if (field.parse === undefined) {
    const value = field.values.find((one) => String(one) === fields.chosen(setting));
    return value === undefined ? {} : { value };
  }
  const typed = fields.text(setting);
  return typed === '' ? {} : field.parse(typed);
}

const INHERIT = 'inherit';

export function buildRulesForm(target: ChannelTarget, policy: Policy, options: ChannelOptions): FormWindow {
  const { own, ending } = readOwn(policy, target, options.now);
  return {
    submit: 'Set',
    blocks: [
      buildSection(
        [`*${nameChannel(target)}*: what counts now`, ...describeChannel(policy, target, options)].join('\n'),
      ),
      ...CHANNEL_SETTINGS.map((setting) => buildSetting(setting, own, readInherited(policy, setting, target, options))),
    ],
    decision: { until: findOneDay(own, ending) },
    note: target.channel === EVERY_CHANNEL ? OF_WORKSPACE : OF_CHANNEL,
  };
}

const OF_CHANNEL = 'Guests, and channels shared with other organisations, get no answer whatever is set.';

const OF_WORKSPACE = `Web search and thread context set here also count in direct messages. ${OF_CHANNEL}`;

/** One line of mrkdwn for each setting, with the level that set it. */
export function describeChannel(policy: Policy, target: ChannelTarget, options: ChannelOptions): string[] {
  return CHANNEL_SETTINGS.map((setting) => {
    const { value, ...from } = readChannelSetting(policy, setting, target, options);
    return `${labelOf(setting)}: *${describeValue(setting, value)}* _(${describeSource(target, from)})_`;
  });
}

export function nameChannel({ channel }: ChannelTarget): string {
  return channel === EVERY_CHANNEL ? 'All channels without rules of their own' : `<#${channel}>`;
}

function labelOf(setting: ChannelSetting): string {
  return capitalize(CHANNEL_OPERATIONS[setting].noun);
}

type Inherited = { words: string; level: string };

/** The value that counts without an entry of the target. */
function readInherited(
  policy: Policy,
  setting: ChannelSetting,
  { workspace, channel }: ChannelTarget,
  options: ChannelOptions,
): Inherited {
  const above = { workspace, channel: EVERY_CHANNEL };
  const known = channel === EVERY_CHANNEL ? { revision: 0, entries: {} } : policy;
  const { value, ...from } = readChannelSetting(known, setting, above, options);
  return { words: describeValue(setting, value), level: describeSource(above, from) };
}

/** The entry of all channels belongs to the workspace, whichever channel is looked at. */
function describeSource({ channel }: ChannelTarget, { level, until }: Parameters<typeof describeLevel>[0]): string {
  return describeLevel({ level: channel === EVERY_CHANNEL && level === 'entry' ? 'every_channel' : level, until });
}

function buildSetting(setting: ChannelSetting, own: OwnValues, { words, level }: Inherited): InputBlock {
  const field: ChannelField<Values[ChannelSetting]> = CHANNEL_OPERATIONS[setting].field;
  const present = own[setting];
  if (field.parse) {
    const hint = `${field.hint} Empty: inherited, ${words}.`;
    const line = { name: setting, label: field.label, hint, isOptional: true };
    return buildLineField(line, { initial: present?.toString() });
  }
  const values = field.values.map((value) => [String(value), capitalize(describeValue(setting, value))] as const);
  const choice = { name: setting, label: labelOf(setting), hint: `Inherited: ${level}.` };
  const options = [[INHERIT, `Inherit: ${words}`] as const, ...values];
  return buildChoice('radio_buttons', choice, options, String(present ?? INHERIT));
}

/** `/assistant-admin rules #channel`, and *Edit…*. */
export async function openRules(channel: string, opened: Opened, services: GovernanceServices): Promise<void> {
  const target = { workspace: opened.caller.workspace, channel };
  const { policy } = await services.policy.read();
  const now = services.now();
  const { own: shown, ending } = readOwn(policy, target, now);
  const state = { target, shown, ending };
  const window = buildRulesForm(target, policy, { now, configured: services.configuredSettings });
  await showForm(RULES_FORM, { state, ...window }, opened, services);
}
