import { type AgentLimit, type KnownLimit, readStopped } from './inventory/agent-limit.ts';
import { formatCredits } from './shell/values.ts';

type PlanWarningCode =
  | 'replaces_unknown'
  | 'raises'
  | 'lowers'
  | 'stops_when_reached'
  | 'stops_at_once'
  | 'below_consumption'
  | 'stays_stopped'
  | 'stops_if_running'
  | 'runs_again'
  | 'runs_again_if_stopped';

/** `text` is for people, and holds nothing that came from outside. */
export type PlanWarning = { code: PlanWarningCode; text: string };

/** What an admin should know before confirming, the gravest first. */
export function findWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  return [...findStopWarnings(before, after), ...findUseWarnings(before, after), ...findValueWarnings(before, after)];
}

function findStopWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  const stopped = readStopped(before);
  if (stopped === false) return [];
  if (stopped === true) {
    return after.stopped
      ? [{ code: 'stays_stopped', text: 'The agent is stopped, and stays so.' }]
      : [{ code: 'runs_again', text: 'Somebody stopped this agent. It runs again as soon as this is applied.' }];
  }
  return after.stopped
    ? [{ code: 'stops_if_running', text: 'The agent is sent as stopped. If it runs now, it stops at once.' }]
    : [{ code: 'runs_again_if_stopped', text: 'If somebody has stopped this agent after all, it runs again.' }];
}

function findUseWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  const used = before.source === 'deployment' ? before.consumption : undefined;
  const isReached = after.limit === 0 || (used !== undefined && used >= after.limit);
  const because = after.limit === 0 ? 'A limit of 0 is reached' : `It has used ${formatCredits(used ?? 0)} this month`;
  if (isReached && after.stopWhenReached) {
    const text = `${because}: the agent stops at once, for everybody who uses it.`;
    return [{ code: 'stops_at_once', text }];
  }
  const warnings: PlanWarning[] = [];
  if (isReached) warnings.push({ code: 'below_consumption', text: `${because} already: the limit has no room left.` });
  if (after.stopWhenReached) {
    const text = 'When the limit is reached, the agent stops for everybody who uses it, also in the middle of work.';
    warnings.push({ code: 'stops_when_reached', text });
  }
  return warnings;
}

function findValueWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  if (before.source === 'none') return [];
  if (before.source === 'unknown') {
    return [{ code: 'replaces_unknown', text: 'What is set now cannot be read here. It is replaced, whatever it is.' }];
  }
  const { limit } = before.limit;
  if (after.limit > limit) return [{ code: 'raises', text: 'The limit is raised: the agent may spend more.' }];
  if (after.limit < limit) return [{ code: 'lowers', text: 'The limit is lowered: it is reached sooner.' }];
  return [];
}
