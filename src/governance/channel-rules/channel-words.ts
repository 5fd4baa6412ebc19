// What is set for a channel, in words.
import { CHANNEL_OPERATIONS } from '../operations/channel.ts';
import { describeValue } from '../operations/operations.ts';
import {
  CHANNEL_SETTINGS,
  type ChannelOptions,
  type ChannelSetting,
  readChannelSetting,
} from '../policy/channel-settings.ts';
import { describeUntil, type Level, type Policy } from '../policy/policy.ts';
import { type ChannelTarget, EVERY_CHANNEL } from '../policy/target.ts';
import { capitalize } from '../shell/typed-text.ts';

/** One line of mrkdwn for each setting, with the level that set it. */
export function describeChannel(policy: Policy, target: ChannelTarget, options: ChannelOptions): string[] {
  return CHANNEL_SETTINGS.map((setting) => {
    const { value, level, until } = readChannelSetting(policy, setting, target, options);
    const from = `${describeLevel(level, target)}${describeUntil(until)}`;
    return `${labelOf(setting)}: *${describeValue(setting, value)}* _(${from})_`;
  });
}

export function describeLevel(level: Level, { channel }: ChannelTarget): string {
  if (level === 'built_in') return 'built in';
  if (level === 'configuration') return 'set in the configuration';
  return level === 'every_channel' || channel === EVERY_CHANNEL ? 'set for the workspace' : 'set for this channel';
}

export function nameChannel({ channel }: ChannelTarget): string {
  return channel === EVERY_CHANNEL ? 'All channels without rules of their own' : `<#${channel}>`;
}

export function labelOf(setting: ChannelSetting): string {
  return capitalize(CHANNEL_OPERATIONS[setting].noun);
}
