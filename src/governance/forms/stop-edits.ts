// Stopping and running again, as edits of the policy. Pure.
import { type Edit, endEdit, setEdit } from '../../policy/edit.ts';
import { type Policy, readEntry } from '../../policy/policy.ts';
import { toAgentTarget, toTargetKey } from '../../policy/target.ts';
import type { ReadSent, Seen, SeenAgent, SeenEnvironment, SeenThreshold } from '../plan/seen.ts';

/** `environment`: all of its agents are meant, also those that are not listed. `agents`: as they were last listed. */
export type StopTargets = { environment: SeenEnvironment | undefined; agents: SeenAgent[] };

/** What the service showed of each, by toTargetKey. Those that are missing were not read. */
export type ShownThresholds = Record<string, SeenThreshold>;

export function toStopEdits(
  policy: Policy,
  { environment, agents }: StopTargets,
  { shown, now }: { shown: ShownThresholds; now: number },
): Edit[] {
  if (environment === undefined) return agents.map((agent) => setEdit('stop', toAgentTarget(agent), true));
  return [
    setEdit('stop', { environmentId: environment.environmentId }, true),
    ...agents.flatMap((agent): Edit[] => {
      const target = toAgentTarget(agent);
      const own = readEntry(policy, 'stop', target, now);
      // An entry that lets the agent run would be an exception to the stop, so remove it.
      if (own?.value === false) return [endEdit('stop', target)];
      const found = shown[toTargetKey(target)];
      const isStoppedElsewhere = own === undefined && typeof found === 'object' && found.stopped;
      // It was stopped before, so it stays stopped when the others run again.
      return isStoppedElsewhere ? [setEdit('stop', target, true)] : [];
    }),
  ];
}

/** Sets an entry instead of removing one, because nothing is sent for an agent that is not governed. */
export function toRunEdits({ environment, agents }: StopTargets): Edit[] {
  if (environment === undefined) return agents.map((agent) => setEdit('stop', toAgentTarget(agent), false));
  return [setEdit('stop', { environmentId: environment.environmentId }, false)];
}

/** The agents of an environment that stay stopped when it runs again: by entries of their own. */
export function listStaying(policy: Policy, { environment, agents }: StopTargets, now: number): SeenAgent[] {
  if (environment === undefined) return [];
  return agents.filter((agent) => readEntry(policy, 'stop', agent, now)?.value === true);
}

/** `readAt`: when the service showed it (epoch ms). */
export type KnownThresholds = { shown: ShownThresholds; readAt: number };

/** In older windows it may have been changed elsewhere since (ms). */
const KNOWN_MS = 5 * 60_000;

/**
 * What was read before, so that nothing has to be read before a stop is sent. Not of agents to which something was sent
 * from here since then: the stop would put back the limit that they had.
 */
export function toKnownSeen(
  { environment, agents, shown, readAt }: StopTargets & KnownThresholds,
  { now, currency, readSent }: { now: number; currency: string; readSent: ReadSent },
): Seen {
  const isKnown = (agent: SeenAgent) =>
    now - readAt < KNOWN_MS && (readSent(toTargetKey({ ...agent, currency }))?.at ?? 0) <= readAt;
  return {
    at: now,
    environments: environment === undefined ? [] : [environment],
    agents,
    isWhole: false,
    threshold: (agent) => (isKnown(agent) && shown[toTargetKey(agent)]) || 'hidden',
    credits: () => undefined,
  };
}

/** Those that are listed now and were not before. */
export function listNew(now: readonly SeenAgent[], before: readonly SeenAgent[]): SeenAgent[] {
  const known = new Set(before.map(toTargetKey));
  return now.filter((agent) => !known.has(toTargetKey(agent)));
}
