import { type AgentLimit, type KnownLimit, readStopped } from './inventory/agent-limit.ts';
import { formatCredits } from './shell/values.ts';

/** One line of old → new, in words. */
export type PlanRow = { label: string; before: string; after: string; isChanged: boolean };

export function buildPlanRows(before: KnownLimit, after: AgentLimit): PlanRow[] {
  const old = before.source === 'deployment' || before.source === 'last_set' ? before.limit : undefined;
  const missing = before.source === 'none' ? 'none' : 'unknown';
  const row = (label: string, describe: (limit: AgentLimit) => string) =>
    toRow(label, old === undefined ? missing : describe(old), describe(after));
  return [
    row('Monthly limit', ({ limit }) => `${formatCredits(limit)} credits`),
    row('Notify administrators', ({ notify }) => toYesNo(notify)),
    row('Notify at', ({ notificationThreshold }) => `${notificationThreshold} % of the limit`),
    row('Stop when reached', ({ stopWhenReached }) => toYesNo(stopWhenReached)),
    toRow('Stopped', toYesNo(readStopped(before)), toYesNo(after.stopped)),
  ];
}

function toRow(label: string, before: string, after: string): PlanRow {
  return { label, before, after, isChanged: before !== after };
}

function toYesNo(value: boolean | 'unknown'): string {
  if (value === 'unknown') return value;
  return value ? 'yes' : 'no';
}
