// The way from what an admin typed to the plan of a change of a limit. Pure: the same input makes the same plan.
import type { ThresholdChange } from '../../admin-api/admin-session.ts';
import { type PlanRow, toPlanRow } from '../changes/change.ts';
import {
  type AgentLimit,
  type GovernedAgent,
  isNoLimit,
  isStoppedElsewhere,
  type KnownLimit,
  readOwnStop,
  readStopped,
  readValues,
  type StopDecision,
  type WantedLimit,
} from '../inventory/agent-limit.ts';
import { formatAmount, MAX_AMOUNT, type NotAmount, readAmount } from '../shell/amount.ts';
import { formatCredits } from '../shell/whole-number.ts';

/** As typed and ticked. */
export type LimitForm = {
  limit: string;
  notify: boolean;
  notificationThreshold: string;
  stopWhenReached: boolean;
  stopDecision: StopDecision | undefined;
};

export type LimitFormErrors = Partial<Record<'limit' | 'notificationThreshold' | 'stopDecision', string>>;

export type ParsedLimitForm =
  | { ok: true; wanted: WantedLimit; stopDecision: StopDecision | undefined }
  | { ok: false; errors: LimitFormErrors };

type ParseOptions = {
  /** The form had that field, so an answer is needed. */
  asksForStopDecision: boolean;
  /** What the numbers were filled in with: whatever it is, it may stay. */
  shown?: Pick<AgentLimit, 'limit' | 'notificationThreshold'> | undefined;
};

export function parseLimitForm(form: LimitForm, { asksForStopDecision, shown }: ParseOptions): ParsedLimitForm {
  const limit = orUntouched(form.limit, shown?.limit, parseCredits);
  const percent = orUntouched(form.notificationThreshold, shown?.notificationThreshold, parsePercent);
  const isUndecided = asksForStopDecision && form.stopDecision === undefined;
  if (typeof limit === 'number' && typeof percent === 'number' && !isUndecided) {
    const { notify, stopWhenReached, stopDecision } = form;
    return { ok: true, wanted: { limit, notify, notificationThreshold: percent, stopWhenReached }, stopDecision };
  }
  return {
    ok: false,
    errors: {
      ...(typeof limit === 'string' ? { limit } : {}),
      ...(typeof percent === 'string' ? { notificationThreshold: percent } : {}),
      ...(isUndecided ? { stopDecision: 'Choose one: nothing here can tell whether this agent is to run.' } : {}),
    },
  };
}

function orUntouched(
  typed: string,
  shown: number | undefined,
  parse: (typed: string) => number | string,
): number | string {
  return shown !== undefined && typed.trim() === String(shown) ? shown : parse(typed);
}

/** A number of credits, or the sentence that says why not. */
export function parseCredits(typed: string): number | string {
  const credits = readAmount(typed);
  return typeof credits === 'number' ? credits : SENTENCES[credits];
}

export type LimitPlan = {
  agent: GovernedAgent;
  /** What the plan was made from: it holds only as long as this does. */
  before: KnownLimit;
  after: AgentLimit & { stopped: boolean };
  rows: PlanRow[];
  warnings: PlanWarning[];
  /** Allows more than before: a higher limit, no stop any more, or running again. */
  loosens: boolean | 'unknown';
  /** False: everything is set like this already. */
  changes: boolean;
  /** Complete: a write replaces all of a threshold. */
  change: ThresholdChange;
};

export type PlanResult =
  | { kind: 'planned'; plan: LimitPlan }
  /** Nobody may be restarted by default: ask, then plan again with the decision. */
  | { kind: 'needs_stop_decision'; stopped: true | 'unknown' };

export type PlanRequest = {
  agent: GovernedAgent;
  before: KnownLimit;
  wanted: WantedLimit;
  stopDecision?: StopDecision | undefined;
};

export function needsStopDecision(known: KnownLimit): boolean {
  return readStopped(known) !== false;
}

export function planLimit({ agent, before, wanted, stopDecision }: PlanRequest): PlanResult {
  const stoppedBefore = readStopped(before);
  if (stoppedBefore !== false && stopDecision === undefined) {
    return { kind: 'needs_stop_decision', stopped: stoppedBefore };
  }
  const after = { ...wanted, stopped: stoppedBefore !== false && stopDecision === 'keep_stopped' };
  const rows = buildPlanRows(before, after);
  const plan = {
    agent,
    before,
    after,
    rows,
    warnings: findWarnings(before, after),
    loosens: isLoosening(before, after),
    changes: rows.some(({ isChanged }) => isChanged),
    change: toThresholdChange(agent, after),
  };
  return { kind: 'planned', plan };
}

/** Old → new, in words. */
export function buildPlanRows(before: KnownLimit, after: AgentLimit): PlanRow[] {
  const old = readValues(before);
  const missing = before.source === 'none' ? 'none' : 'unknown';
  const row = (label: string, describe: (limit: AgentLimit) => string) =>
    toPlanRow(label, old === undefined ? missing : describe(old), describe(after));
  return [
    row('Monthly limit', ({ limit }) => `${formatAmount(limit)} credits`),
    row('Notify administrators', ({ notify }) => toYesNo(notify)),
    row('Notify at', ({ notificationThreshold }) => `${notificationThreshold} % of the limit`),
    row('Stop when reached', ({ stopWhenReached }) => toYesNo(stopWhenReached)),
    toPlanRow(
      isStoppedElsewhere(before) ? 'Stopped by this limit' : 'Stopped',
      toYesNo(readOwnStop(before)),
      toYesNo(after.stopped),
    ),
  ];
}

export type UnverifiedReason =
  | 'not_offered' // the deployment does not let thresholds be read, or not by this account
  | 'not_listed' // read, but there is no threshold of this agent
  | 'stop_not_told'; // all as sent, but it does not tell whether the agent is stopped

const SENTENCES: Record<NotAmount, string> = {
  empty: 'Enter a monthly limit in credits, for example 1000.',
  negative: 'A limit cannot be negative. Enter 0 or more.',
  ambiguous: 'This can mean a thousand times as much, or a fraction. Enter 1000 or 1,000 for a thousand, 1.0 for one.',
  not_grouped: 'Commas and spaces separate thousands here, a point begins a fraction: 1000, 1,000 or 82.5.',
  not_digits: 'Enter digits only, for example 1000, 1,000 or 82.5.',
  too_large: `This is too large: the highest limit is ${formatAmount(MAX_AMOUNT)}.`,
  too_exact: 'This has too many digits to be kept exactly: enter at most 15.',
};

function parsePercent(typed: string): number | string {
  const percent = readAmount(typed.trim().replace(/\s*%$/, ''));
  return typeof percent === 'number' && percent <= 100
    ? percent
    : 'Enter a percentage from 0 to 100, for example 80 or 82.5.';
}

/**
 * A first limit and a lower one allow nothing more, and the limit of 0 that a stop leaves behind counts as none (isNoLimit):
 * the next one is a first limit. To go back to that is to take the limit away, which loosens: otherwise a limit could be
 * raised in two steps without approval. Whether an agent that may be stopped runs again is for the admin to say: only one
 * that is known to be stopped is let loose, whatever becomes of its limit. `unknown`: there may be a limit that is not told.
 */
function isLoosening(before: KnownLimit, after: AgentLimit): boolean | 'unknown' {
  const old = readValues(before);
  const wasStopped = readStopped(before) === true || old?.stopped === true;
  if (wasStopped && after.stopped === false) return true;
  if (old !== undefined && isNoLimit(old)) return false;
  if (old !== undefined && isNoLimit(after)) return true;
  if (old !== undefined) return after.limit > old.limit || (old.stopWhenReached && !after.stopWhenReached);
  const isFirst = before.source === 'none' || (before.source === 'unknown' && before.neverSet === true);
  return isFirst ? false : 'unknown';
}

export function toThresholdChange(agent: GovernedAgent, after: LimitPlan['after']): ThresholdChange {
  return {
    environmentId: agent.environmentId,
    agentResourceId: agent.agentResourceId,
    ...(agent.currencyType === undefined ? {} : { currencyType: agent.currencyType }),
    stopResource: after.stopped,
    limit: after.limit,
    stopIfOverCapacity: after.stopWhenReached,
    notifyIfOverCapacity: after.notify,
    notificationThreshold: after.notificationThreshold,
  };
}

type PlanWarningCode =
  | 'replaces_unknown'
  | 'raises'
  | 'lowers'
  | 'stops_when_reached'
  | 'stops_at_once'
  | 'no_longer_stops'
  | 'taken_away'
  | 'below_consumption'
  | 'stops_now'
  | 'sends_limit'
  | 'stays_stopped'
  | 'stopped_elsewhere'
  | 'stops_if_running'
  | 'runs_again'
  | 'runs_again_if_stopped';

/** `text` is for people, and holds nothing that came from outside. */
export type PlanWarning = { code: PlanWarningCode; text: string };

/** What an admin should know before confirming, the gravest first. */
function findWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  const ofUse = isNoLimit(after) ? [] : findUseWarnings(before, after);
  return [...findStopWarnings(before, after), ...ofUse, ...findValueWarnings(before, after)];
}

function findStopWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
  const stopped = readStopped(before);
  if (stopped === false) return [];
  if (isStoppedElsewhere(before)) return [after.stopped ? STOPS_TOO : STOPPED_ELSEWHERE];
  if (stopped === true) {
    return after.stopped
      ? [{ code: 'stays_stopped', text: 'The agent is stopped, and stays so.' }]
      : [{ code: 'runs_again', text: 'Somebody stopped this agent. It runs again as soon as this is applied.' }];
  }
  return after.stopped
    ? [{ code: 'stops_if_running', text: 'The agent is sent as stopped. If it runs now, it stops at once.' }]
    : [{ code: 'runs_again_if_stopped', text: 'If somebody has stopped this agent after all, it runs again.' }];
}

const STOPS_TOO: PlanWarning = {
  code: 'stays_stopped',
  text: 'The agent is stopped by its limit in another currency, and stays so. This limit stops it as well from now on.',
};

export const STOPPED_ELSEWHERE: PlanWarning = {
  code: 'stopped_elsewhere',
  text: 'The agent is stopped by its limit in another currency. It stays stopped until that one lets it run again, too.',
};

export function findUseWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
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
  const { limit, stopWhenReached } = before.limit;
  if (isNoLimit(before.limit)) return [];
  if (isNoLimit(after)) return after.stopped ? [] : [TAKEN_AWAY];
  const warnings: PlanWarning[] = [];
  if (stopWhenReached && !after.stopWhenReached && !after.stopped) warnings.push(NO_LONGER_STOPS);
  if (after.limit > limit) warnings.push({ code: 'raises', text: 'The limit is raised: the agent may spend more.' });
  if (after.limit < limit) warnings.push({ code: 'lowers', text: 'The limit is lowered: it is reached sooner.' });
  return warnings;
}

const TAKEN_AWAY: PlanWarning = {
  code: 'taken_away',
  text: 'The limit is taken away: the agent may spend whatever its environment has.',
};

const NO_LONGER_STOPS: PlanWarning = {
  code: 'no_longer_stops',
  text: 'The agent no longer stops when the limit is reached: it goes on, and may spend more.',
};

function toYesNo(value: boolean | 'unknown'): string {
  if (value === 'unknown') return value;
  return value ? 'yes' : 'no';
}
