// What the policy sets for the questions of channels, as the app asks it for every question.
import type { ChannelPlace, ChannelSettings, ReadChannelSettings } from '../../conversation/channel-settings.ts';
import { type Effective, type Policy, readEntry } from './policy.ts';
import type { PolicyStore } from './policy-store.ts';
import { EVERY_CHANNEL } from './target.ts';
import type { Values } from './values.ts';

export const CHANNEL_SETTINGS = ['reply', 'personCap', 'channelCap'] as const;

export type ChannelSetting = (typeof CHANNEL_SETTINGS)[number];

/** What counts where the policy says nothing. */
export const CHANNEL_DEFAULTS: Pick<Values, ChannelSetting> = {
  reply: 'threads',
  personCap: 'none',
  channelCap: 'none',
};

/** By the channel's own entry, else by that of all channels. Undefined: CHANNEL_DEFAULTS. */
export function readChannelSetting<Setting extends ChannelSetting>(
  policy: Policy,
  setting: Setting,
  { team, channel }: ChannelPlace,
  now: number,
): Effective<Values[Setting]> | undefined {
  const own = readEntry(policy, setting, { team, channel }, now);
  if (own || channel === EVERY_CHANNEL) return own;
  const all = readEntry(policy, setting, { team, channel: EVERY_CHANNEL }, now);
  return all && { ...all, level: 'every_channel' };
}

export type ChannelSettingsReader = {
  of: ReadChannelSettings;
  /** Forgets what was read. */
  forget(): void;
};

/** Replicas tell each other of changes; this is for when that is lost. */
const TTL_MS = 15_000;

/** Kept in memory for a short time. While the store fails, what was known last counts. */
export function createChannelSettings({
  policy: store,
  now,
}: {
  policy: Pick<PolicyStore, 'readChannels'>;
  now(): number;
}): ChannelSettingsReader {
  let last: { at: number; policy: Promise<Policy> } | undefined;
  let known: Policy | undefined;

  function read(): Promise<Policy> {
    if (last && Math.abs(now() - last.at) < TTL_MS) return last.policy;
    const reading = store.readChannels().then(
      (policy) => {
        if (last?.policy === reading) known = policy;
        return policy;
      },
      (error: unknown) => {
        if (last?.policy === reading) last = undefined;
        if (known === undefined) throw error;
        return known;
      },
    );
    last = { at: now(), policy: reading };
    return reading;
  }

  return {
    of: async (place) => toSettings(await read(), place, now()),
    forget() {
      last = undefined;
    },
  };
}

function toSettings(policy: Policy, place: ChannelPlace, now: number): ChannelSettings {
  const read = <Setting extends ChannelSetting>(setting: Setting) =>
    readChannelSetting(policy, setting, place, now)?.value ?? CHANNEL_DEFAULTS[setting];
  const toCap = (cap: Values['personCap']) => (cap === 'none' ? undefined : cap);
  return { reply: read('reply'), personCap: toCap(read('personCap')), channelCap: toCap(read('channelCap')) };
}
