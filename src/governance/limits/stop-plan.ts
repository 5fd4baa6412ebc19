// Stopping an agent at once, and letting it run again: changes of their own. Pure: the same input makes the same plan.
import {
  type AgentLimit,
  type GovernedAgent,
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
  const rows = buildPlanRows(before, after);
  return {
    agent,
    before,
    after,
    // What it is about comes first.
    rows: [...rows.slice(-1), ...rows.slice(0, -1)],
    warnings: findWarnings(before, after),
    loosens: !stopped,
    changes: rows.some(({ isChanged }) => isChanged),
    change: toThresholdChange(agent, after),
  };
}

function findWarnings(before: KnownLimit, after: LimitPlan['after']): PlanWarning[] {
  const sent = SENT[before.source];
  return [
    ...(after.stopped
      ? [
          {
            code: 'stops_now',
            text: 'The agent stops now, for everybody.',
          } as const,
        ]
      : [
          isStoppedElsewhere(before)
            ? STOPPED_ELSEWHERE
            : ({ code: 'runs_again', text: 'The agent runs again as soon as this is applied.' } as const),
          ...findUseWarnings(before, after).filter(({ code }) => code === 'stops_at_once'),
        ]),
    ...(sent === undefined ? [] : [{ code: 'sends_limit', text: sent } as const]),
  ];
}

/** The service takes a stop only together with a complete limit. */
const SENT: Record<KnownLimit['source'], string | undefined> = {
  deployment: undefined,
  none: 'The agent has no limit. The service wants one with a stop, so 0 credits go along, which neither notify nor stop.',
  last_set:
    'The service takes this only with a limit, and does not show the present one: the one last set from here goes along. It replaces what somebody may have set elsewhere since.',
  unknown:
    'The service takes this only with a limit. What is set now cannot be read here, and is replaced by these values.',
};
