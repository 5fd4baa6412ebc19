// The form of a channel, or of all channels of a workspace: a field for each setting. What is left empty is inherited.
import type { InputBlock, ModalView } from '@slack/types';
import { buildSection } from '../../slack/views/content.ts';
import { buildChoice, buildLineField, type Fields } from '../../slack/views/fields.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { toKeptForm } from '../forms/policy-form.ts';
import { CHANNEL_OPERATIONS, type ChannelField } from '../operations/channel.ts';
import { describeValue } from '../operations/operations.ts';
import {
  CHANNEL_SETTINGS,
  type ChannelOptions,
  type ChannelSetting,
  type ChannelValues,
  readChannelSetting,
} from '../policy/channel-settings.ts';
import { type Edit, endEdit, setEdit } from '../policy/edit.ts';
import { type Day, findEntry, type Policy, readEntry } from '../policy/policy.ts';
import { CHANNEL_ID, type ChannelTarget, EVERY_CHANNEL } from '../policy/target.ts';
import type { Values } from '../policy/values.ts';
import { buildDecisionFields, readUntil } from '../run/decision-form.ts';
import { buildFormWindow, type FormPlace, keepState, registerOpening } from '../run/kept-form.ts';
import type { GovernanceServices } from '../services.ts';
import type { AdminShell } from '../shell/admin-shell.ts';
import { buildNotes } from '../shell/blocks.ts';
import type { Opened } from '../shell/modal.ts';
import { capitalize } from '../shell/typed-text.ts';
import { describeChannel, describeLevel, labelOf, nameChannel } from './channel-words.ts';

/** Slack sends clicks and submissions under these names: never rename. */
export const EDIT_RULES_ACTION = 'channel_rules_edit';
const RULES_MODAL = 'channel_rules';

export const RULES_TOPIC: ModalTopic = { id: RULES_MODAL, title: 'Channel rules', loading: 'Looking up the rules…' };

/** The value of the button for all channels; else it is the channel's id. */
const EVERYWHERE = 'everywhere';

export function toRulesValue({ channel }: Pick<ChannelTarget, 'channel'>): string {
  return channel === EVERY_CHANNEL ? EVERYWHERE : channel;
}

export function parseRulesValue(value: string): string | undefined {
  if (value === EVERYWHERE) return EVERY_CHANNEL;
  return CHANNEL_ID.test(value) ? value : undefined;
}

/** What the target's own entries say; what is left out is inherited. */
type OwnValues = Partial<ChannelValues>;

/** The last days of the values that have one. */
type LastDays = { [setting in ChannelSetting]?: Day };

/** `shown`, `ending`: what the window was made from. `hidden`: where an exception stands above something. */
type RulesState = { target: ChannelTarget; shown: OwnValues; ending?: LastDays; hidden: ChannelSetting[] };

export const RULES_FORM = toKeptForm<RulesState, OwnValues>({
  callbackId: RULES_MODAL,
  topic: RULES_TOPIC,
  isForAll: true,
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
  needsApprover: () => false,
  toEdits: (state, filled, until) => ({
    edits: listWanted(state, filled, until).flatMap((setting): Edit[] => {
      const value = filled[setting];
      if (value !== undefined) return [setEdit(setting, state.target, value, until)];
      const end = endEdit(setting, state.target);
      return state.hidden.includes(setting) ? [end, end] : [end];
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

/** The values that are others than shown; where none is and another day was chosen, those that are to end on that day. */
function listWanted({ shown, ending = {} }: RulesState, filled: OwnValues, until: Day | undefined): ChannelSetting[] {
  const changed = listChanged(shown, filled);
  if (changed.length > 0 || until === findOneDay(shown, ending)) return changed;
  return CHANNEL_SETTINGS.filter((setting) => ending[setting] !== undefined && ending[setting] !== until);
}

/** The last day that all values of its own have, which the window shows; undefined: none, or not one. */
function findOneDay(own: OwnValues, ending: LastDays): Day | undefined {
  const days = new Set(CHANNEL_SETTINGS.flatMap((setting) => (own[setting] === undefined ? [] : [ending[setting]])));
  return days.size === 1 ? [...days][0] : undefined;
}

function listHidden(policy: Policy, target: ChannelTarget): ChannelSetting[] {
  return CHANNEL_SETTINGS.filter((setting) => {
    const entry = findEntry(policy, setting, target);
    return entry?.standing !== undefined && entry.exception !== undefined;
  });
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

/** Neither a value nor a sentence: it is inherited. */
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

export function buildRulesForm(
  target: ChannelTarget,
  policy: Policy,
  { place, ...options }: ChannelOptions & { place: FormPlace },
): ModalView {
  const { own, ending } = readOwn(policy, target, options.now);
  return buildFormWindow(RULES_FORM, {
    submit: 'Set',
    place,
    blocks: [
      buildSection(
        [`*${nameChannel(target)}*: what counts now`, ...describeChannel(policy, target, options)].join('\n'),
      ),
      ...CHANNEL_SETTINGS.map((setting) => buildSetting(setting, own, readInherited(policy, setting, target, options))),
      ...buildDecisionFields({ hasUntil: true, until: findOneDay(own, ending) }),
      buildNotes([target.channel === EVERY_CHANNEL ? OF_WORKSPACE : OF_CHANNEL]),
    ],
  });
}

const OF_CHANNEL = 'Guests, and channels shared with other organisations, get no answer whatever is set.';

const OF_WORKSPACE = `Web search and thread context set here also count in direct messages. ${OF_CHANNEL}`;

type Inherited = { words: string; level: string };

/** What counts where the target itself says nothing. */
function readInherited(
  policy: Policy,
  setting: ChannelSetting,
  { workspace, channel }: ChannelTarget,
  options: ChannelOptions,
): Inherited {
  const above = { workspace, channel: EVERY_CHANNEL };
  const known = channel === EVERY_CHANNEL ? { revision: 0, entries: {} } : policy;
  const { value, level } = readChannelSetting(known, setting, above, options);
  return { words: describeValue(setting, value), level: describeLevel(level, above) };
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
  const choice = { name: setting, label: labelOf(setting), hint: `Inherited: what is ${level}.` };
  const options = [[INHERIT, `Inherit: ${words}`] as const, ...values];
  return buildChoice('radio_buttons', choice, options, String(present ?? INHERIT));
}

/** `/assistant-admin rules #channel`, and *Edit…*. */
export async function openRules(
  channel: string,
  { modal, caller: { workspace }, replyTo }: Opened,
  services: GovernanceServices,
): Promise<void> {
  const target = { workspace, channel };
  const { policy } = await services.policy.read();
  const now = services.now();
  const { own: shown, ending } = readOwn(policy, target, now);
  const state = { target, shown, ending, hidden: listHidden(policy, target) };
  const place = await keepState(RULES_FORM, state, { replyTo }, services);
  await modal.show(buildRulesForm(target, policy, { place, now, configured: services.configuredSettings }));
}

export function registerRulesForm(shell: AdminShell, services: GovernanceServices): void {
  const button = { actionId: EDIT_RULES_ACTION, parse: parseRulesValue };
  registerOpening(shell, RULES_FORM, button, (channel, opened) => openRules(channel, opened, services), services);
}
