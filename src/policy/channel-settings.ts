// Reads what the policy sets for a workspace and its channels. The app needs this for every question.
import type { AskedPlace, ChannelSettings, ReadChannelSettings } from '../conversation/channel-settings.ts';
import { type Effective, type Policy, readEntry } from './policy.ts';
import type { PolicyStore } from './policy-store.ts';
import { type ChannelTarget, EVERY_CHANNEL } from './target.ts';
import type { Cap, Values } from './values.ts';

/** The values if neither the policy nor the configuration says anything. */
const BUILT_IN = {
  questions: 'allowed',
  answers: 'thread',
  webSearch: true,
  threadContext: true,
  reply: 'threads',
  personCap: 'none',
  channelCap: 'none',
} as const satisfies Partial<Values>;

export type ChannelSetting = keyof typeof BUILT_IN;

export const CHANNEL_SETTINGS = Object.keys(BUILT_IN) as ChannelSetting[];

export type ChannelValues = Pick<Values, ChannelSetting>;

/** `configured`: what the configuration sets for all workspaces. */
export type ChannelOptions = { now: number; configured: Partial<ChannelValues> };

/** From the channel's own entry, else from that of its workspace, else from the configuration, else built in. */
export function readChannelSetting<Setting extends ChannelSetting>(
  policy: Policy,
  setting: Setting,
  target: ChannelTarget,
  { now, configured }: ChannelOptions,
): Effective<Values[Setting]> {
  const stated = readStated(policy, setting, target, now);
  if (stated) return stated;
  const value = configured[setting];
  if (value !== undefined) return { value, level: 'configuration' };
  return { value: BUILT_IN[setting] as Values[Setting], level: 'built_in' };
}

/** Undefined: there is no pause. */
export function readPause(policy: Policy, target: ChannelTarget, now: number): Effective<Values['pause']> | undefined {
  return readStated(policy, 'pause', target, now);
}

function readStated<Setting extends ChannelSetting | 'pause'>(
  policy: Policy,
  setting: Setting,
  { workspace, channel }: ChannelTarget,
  now: number,
): Effective<Values[Setting]> | undefined {
  const own = readEntry(policy, setting, { workspace, channel }, now);
  if (own || channel === EVERY_CHANNEL) return own;
  const all = readEntry(policy, setting, { workspace, channel: EVERY_CHANNEL }, now);
  return all && { ...all, level: 'every_channel' };
}

export type ChannelSettingsReader = {
  of: ReadChannelSettings;
  /** Clears the cache. */
  forget(): void;
};

/** Replicas tell each other about changes. This is for messages that get lost. */
const TTL_MS = 15_000;

/** Keeps the policy in memory for a short time. While the store fails, the last known policy counts. */
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

function toSettings(policy: Policy, { workspace, channel, audience }: AskedPlace, now: number): ChannelSettings {
  const isDirect = audience === 'person';
  const target = { workspace, channel: isDirect ? EVERY_CHANNEL : channel };
  const read = <Setting extends ChannelSetting>(setting: Setting) =>
    readChannelSetting(policy, setting, target, { now, configured: {} }).value;
  const toCap = (cap: Cap) => (cap === 'none' || isDirect ? undefined : cap);
  // Undefined if the policy says nothing, because the configuration decides then.
  const context = readStated(policy, 'threadContext', target, now)?.value;
  return {
    pause: readPause(policy, target, now)?.value,
    isRefused: !isDirect && read('questions') === 'refused',
    isPrivate: !isDirect && read('answers') === 'private',
    isWebOff: !read('webSearch'),
    threadContext: context === undefined ? undefined : context ? 'on' : 'off',
    reply: read('reply'),
    personCap: toCap(read('personCap')),
    channelCap: toCap(read('channelCap')),
  };
}
