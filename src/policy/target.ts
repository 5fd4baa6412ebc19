// What a setting is about, and the key that it is stored and compared by.

/** An environment. `currency`: for settings in one kind of credits. Ids are those of the service. */
export type EnvironmentTarget = { environmentId: string; currency?: string };

/** `agentId`: the agent's id in the inventory. */
export type AgentTarget = { environmentId: string; agentId: string; currency?: string };

/**
 * `workspace`: the team that installed the app, because each installation has its own administrators. `channel`: a Slack
 * channel id, or `*` for all channels.
 */
export type ChannelTarget = { workspace: string; channel: string };

/** A class by its name. */
type ClassTarget = { className: string };

export type Target = EnvironmentTarget | AgentTarget | ChannelTarget | ClassTarget;

/** All channels of a workspace. Settings that are not only about channels also apply to its direct messages. */
export const EVERY_CHANNEL = '*';

/** The id of one channel in Slack. */
export const CHANNEL_ID = /^[CG][A-Z0-9]+$/;

/** Unique for a setting and its target. Ids and currencies are compared without regard to case. */
export function toEntryKey(setting: string, target: Target): string {
  return `${setting}:${toTargetKey(target)}`;
}

/** Unique for a target. */
export function toTargetKey(target: Target): string {
  return JSON.stringify(toIds(target)).toLowerCase();
}

/** As toTargetKey, whatever currency it is about. */
export function toSubjectKey(target: Target): string {
  return toTargetKey({ ...target, currency: undefined } as Target);
}

/** For people who read ids, as those in a file. */
export function describeIds(target: Target): string {
  if ('className' in target) return target.className;
  if ('channel' in target) return target.channel;
  return 'agentId' in target ? `${target.agentId} in ${target.environmentId}` : target.environmentId;
}

function toIds(target: Target): string[] {
  if ('className' in target) return [target.className];
  if ('channel' in target) return [target.workspace, target.channel];
  const currency = target.currency === undefined ? [] : [target.currency];
  return 'agentId' in target
    ? [target.environmentId, target.agentId, ...currency]
    : [target.environmentId, ...currency];
}

/** Only the ids of the agent. `currency`: for settings in one kind of credits. */
export function toAgentTarget({ environmentId, agentId }: AgentTarget, currency?: string): AgentTarget {
  return { environmentId, agentId, ...(currency !== undefined && { currency }) };
}

/** Each once, as it was written first. */
export function uniqueIds(ids: readonly string[]): string[] {
  const known = new Set<string>();
  return ids.filter((id) => known.size < known.add(id.toLowerCase()).size);
}

export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
