// Stopping an agent at once, and letting it run again: changes of their own. Pure: the same input makes the same plan.
import { toPlanRow } from '../changes/change.ts';
import {
  type AgentLimit,
  type GovernedAgent,
  isNoLimit,
  isStoppedElsewhere,
  type KnownLimit,
  readValues,
} from '../inventory/agent-limit.ts';
import {
  buildPlanRows,
  findUseWarnings,
  type LimitPlan,
  type PlanWarning,
  STOPPED_ELSEWHERE,
  toThresholdChange,
} from './limit-plan.ts';

/** `limit`: sent along, because the service takes only complete thresholds. */
export type StopRequest = { agent: GovernedAgent; before: KnownLimit; limit: SentLimit; stopped: boolean };

type SentLimit = Omit<AgentLimit, 'stopped'>;

/** Stops nothing and notifies nobody by itself, and counts as no limit: see isNoLimit. */
const NO_LIMIT: SentLimit = { limit: 0, notify: false, notificationThreshold: 0, stopWhenReached: false };

/** The limit to send along. Undefined: there may be one that nobody here knows, so the admin has to say it. */
export function readSentLimit(known: KnownLimit): SentLimit | undefined {
  return known.source === 'none' ? NO_LIMIT : readValues(known);
}

/** To begin with, where the admin has to say it: as much as the service told. */
export function suggestSentLimit(known: KnownLimit): SentLimit {
  const told = known.source === 'unknown' ? known.told : undefined;
  if (told === undefined) return NO_LIMIT;
  const { limit, notify, notificationThreshold, stopWhenReached } = told;
  return {
    limit,
    notify: notify === true,
    notificationThreshold: notificationThreshold === 'unknown' ? 0 : notificationThreshold,
    stopWhenReached: stopWhenReached === true,
  };
}

/**
 * A stop never waits for a second admin, running again always does, also where no limit is left behind but the one of 0 that
 * the stop sent along. The first real limit after that is not a raise: see isLoosening.
 */
export function planStop({ agent, before, limit: sent, stopped }: StopRequest): LimitPlan {
  const { limit, notify, notificationThreshold, stopWhenReached } = sent;
  const after = { limit, notify, notificationThreshold, stopWhenReached, stopped };
  const all = buildPlanRows(before, after);
  // What it is about comes first. No limit that stays none is one row, whatever is sent for it.
  const rows = [...all.slice(-1), ...(hasNoLimit(before) && isNoLimit(after) ? [NO_LIMIT_ROW] : all.slice(0, -1))];
  return {
    agent,
    before,
    after,
    rows,
    warnings: findWarnings(before, after),
    loosens: !stopped,
    changes: rows.some(({ isChanged }) => isChanged),
    change: toThresholdChange(agent, after),
  };
}

const NO_LIMIT_ROW = toPlanRow('Monthly limit', 'none', 'none');

function hasNoLimit(known: KnownLimit): boolean {
  const values = readValues(known);
  return known.source === 'none' || (values !== undefined && isNoLimit(values));
}

function findWarnings(before: KnownLimit, after: LimitPlan['after']): PlanWarning[] {
  const text = SENT[before.source];
  const sent: PlanWarning[] = text === undefined ? [] : [{ code: 'sends_limit', text }];
  if (after.stopped) return [STOPS_NOW, ...sent];
  const ofUse = findUseWarnings(before, after).filter(({ code }) => code === 'stops_at_once');
  return [isStoppedElsewhere(before) ? STOPPED_ELSEWHERE : RUNS_AGAIN, ...ofUse, ...sent];
}

const STOPS_NOW: PlanWarning = { code: 'stops_now', text: 'The agent stops now, for everybody.' };

const RUNS_AGAIN: PlanWarning = { code: 'runs_again', text: 'The agent runs again as soon as this is applied.' };

/** The service takes a stop only together with a complete limit. */
const SENT: Record<KnownLimit['source'], string | undefined> = {
  deployment: undefined,
  none: 'The agent has no limit, and gets none: the service takes this only with one, so 0 credits go along, which neither notify nor stop.',
  last_set:
    'The service takes this only with a limit, and does not show the present one: the one last set from here goes along. It replaces what somebody may have set elsewhere since.',
  unknown:
    'The service takes this only with a limit. What is set now cannot be read here, and is replaced by these values.',
};
