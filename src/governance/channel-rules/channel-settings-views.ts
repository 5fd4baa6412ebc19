// The reply mode and the caps of a channel: fields of the form of its rules, and words. They are entries of the policy.
import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import type { ChannelPlace } from '../../conversation/channel-settings.ts';
import { describeValue, OPERATIONS } from '../operations/operations.ts';
import {
  CHANNEL_DEFAULTS,
  CHANNEL_SETTINGS,
  type ChannelSetting,
  readChannelSetting,
} from '../policy/channel-settings.ts';
import { type Edit, endEdit, setEdit } from '../policy/edit.ts';
import { type Policy, readEntry } from '../policy/policy.ts';
import { EVERY_CHANNEL } from '../policy/target.ts';
import { capSchema, REPLY_MODES, type Values } from '../policy/values.ts';
import { buildRadioButtons, buildTextInput, type FormValues, readChoice, readText } from '../shell/form-fields.ts';
import { formatCredits, parseWholeNumber } from '../shell/whole-number.ts';

/** What a channel's own entries say; what is left out is inherited. */
export const channelValuesSchema = z.object({
  reply: z.enum(REPLY_MODES).optional(),
  personCap: capSchema.optional(),
  channelCap: capSchema.optional(),
});

export type ChannelValues = z.infer<typeof channelValuesSchema>;

export function readOwnValues(policy: Policy, target: ChannelPlace, now: number): ChannelValues {
  const own = CHANNEL_SETTINGS.map((setting) => [setting, readEntry(policy, setting, target, now)?.value] as const);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

const INHERIT = 'inherit';

/** `target`: for `*` what is inherited is built in. */
export function buildChannelFields(policy: Policy, target: ChannelPlace, now: number): InputBlock[] {
  const own = readOwnValues(policy, target, now);
  const inherited = readInherited(policy, target, now);
  const words = (setting: ChannelSetting) => describeValue(setting, inherited[setting]);
  const modes = Object.fromEntries(REPLY_MODES.map((mode) => [mode, capitalise(describeValue('reply', mode))]));
  return [
    buildRadioButtons<string>(
      'reply',
      'Replies',
      { [INHERIT]: `Inherit: ${words('reply')}`.slice(0, 75), ...modes },
      { initial: own.reply ?? INHERIT },
    ),
    ...(['personCap', 'channelCap'] as const).map((setting) =>
      buildTextInput(setting, CAP_LABELS[setting], {
        initial: toTyped(own[setting]),
        hint: `A whole number, or none. Empty: inherited, ${words(setting)}.`,
        isOptional: true,
      }),
    ),
  ];
}

const CAP_LABELS = { personCap: 'Questions of one person a day', channelCap: 'Questions of all together a day' };

function toTyped(cap: Values['personCap'] | undefined): string | undefined {
  return typeof cap === 'number' ? formatCredits(cap) : cap;
}

/** What counts where the target itself says nothing. */
function readInherited(policy: Policy, { team, channel }: ChannelPlace, now: number): Pick<Values, ChannelSetting> {
  const read = <Setting extends ChannelSetting>(setting: Setting) =>
    channel === EVERY_CHANNEL
      ? undefined
      : readChannelSetting(policy, setting, { team, channel: EVERY_CHANNEL }, now)?.value;
  return {
    reply: read('reply') ?? CHANNEL_DEFAULTS.reply,
    personCap: read('personCap') ?? CHANNEL_DEFAULTS.personCap,
    channelCap: read('channelCap') ?? CHANNEL_DEFAULTS.channelCap,
  };
}

/** `errors`: by field, in plain text. */
export function readChannelFields(values: FormValues): { values: ChannelValues } | { errors: Record<string, string> } {
  const reply = readChoice(values, 'reply', REPLY_MODES);
  const caps = (['personCap', 'channelCap'] as const).map((setting) => [setting, parseCap(readText(values, setting))]);
  const errors = caps.filter(([, cap]) => typeof cap === 'string' && cap !== 'none');
  if (errors.length > 0) return { errors: Object.fromEntries(errors) };
  const read = [['reply', reply] as const, ...caps].filter(([, value]) => value !== undefined);
  return { values: Object.fromEntries(read) };
}

/** Undefined: inherited. A sentence where it is no cap. */
function parseCap(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  return /^(?:none|no cap)$/i.test(text) ? 'none' : parseWholeNumber(text, NOT_A_CAP);
}

const NOT_WHOLE = 'Enter a whole number of questions, such as 20, or none; or leave it empty.';
const NOT_A_CAP = {
  ...{ empty: NOT_WHOLE, not_whole: NOT_WHOLE, not_digits: NOT_WHOLE },
  negative: 'A cap cannot be negative. Enter 0 or more, or none.',
  too_large: 'This is too large. Enter none for no cap.',
};

/** From what the admin was shown to what they entered. */
export function toChannelEdits(before: ChannelValues, after: ChannelValues, target: ChannelPlace): Edit[] {
  const { reply, personCap, channelCap } = after;
  const changed = CHANNEL_SETTINGS.filter((setting) => before[setting] !== after[setting]);
  const sets: Partial<Record<ChannelSetting, Edit>> = {
    ...(reply !== undefined && { reply: setEdit('reply', target, reply) }),
    ...(personCap !== undefined && { personCap: setEdit('personCap', target, personCap) }),
    ...(channelCap !== undefined && { channelCap: setEdit('channelCap', target, channelCap) }),
  };
  return changed.map((setting) => sets[setting] ?? endEdit(setting, target));
}

/** Old → new, only what changed: mrkdwn. */
export function describeChannelChanges(before: ChannelValues, after: ChannelValues): string[] {
  const words = (setting: ChannelSetting, value: ChannelValues[ChannelSetting]) =>
    value === undefined ? 'inherited' : describeValue(setting, value);
  const changed = CHANNEL_SETTINGS.filter((setting) => before[setting] !== after[setting]);
  return changed.map((one) => `${label(one)}: ${words(one, before[one])} → *${words(one, after[one])}*`);
}

/** One line of mrkdwn for each, with the level that set it. */
export function describeChannelSettings(policy: Policy, target: ChannelPlace, now: number): string[] {
  return CHANNEL_SETTINGS.map((setting) => {
    const effective = readChannelSetting(policy, setting, target, now);
    const words = describeValue(setting, effective?.value ?? CHANNEL_DEFAULTS[setting]);
    const isAll = effective?.level === 'every_channel' || target.channel === EVERY_CHANNEL;
    const level = effective === undefined ? 'built in' : isAll ? 'set for all channels' : 'set for this channel';
    return `${label(setting)}: *${words}* _(${level})_`;
  });
}

function label(setting: ChannelSetting): string {
  return capitalise(OPERATIONS[setting].noun);
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
