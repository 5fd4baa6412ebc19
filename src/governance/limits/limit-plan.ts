// What a change of a limit would do, before anything is done. Pure: the same input makes the same plan.
import type { ThresholdChange } from '../../admin-api/admin-session.ts';
import type { AppliedOutcome } from '../changes/carry-out-once.ts';
import type { PlanRow } from '../changes/change.ts';
import {
  type AgentLimit,
  type GovernedAgent,
  type KnownLimit,
  readStopped,
  type StopDecision,
  type WantedLimit,
} from '../inventory/agent-limit.ts';
import { formatCredits, MAX_WHOLE_NUMBER, type NotWhole, readWholeNumber } from '../shell/values.ts';

export type LimitPlan = {
  agent: GovernedAgent;
  /** What the plan was made from: it holds only as long as this does. */
  before: KnownLimit;
  after: AgentLimit & { stopped: boolean };
  rows: PlanRow[];
  warnings: PlanWarning[];
  /** Allows more than before: a higher limit, no stop any more, or running again. */
  loosens: boolean | 'unknown';
  /** Complete: a write replaces all of a threshold. */
  change: ThresholdChange;
};

export type LimitOutcome = AppliedOutcome<KnownLimit, KnownLimit, UnverifiedReason>;

export type UnverifiedReason =
  | 'not_offered' // the deployment does not let thresholds be read, or not by this account
  | 'not_listed' // read, but there is no threshold of this agent
  | 'stop_not_told' // all as sent, but it does not tell whether the agent is stopped
  | 'still_old'; // read, and it still shows what was there before

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

export function planLimit({ agent, before, wanted, stopDecision }: PlanRequest): PlanResult {
  const stoppedBefore = readStopped(before);
  if (stoppedBefore !== false && stopDecision === undefined) {
    return { kind: 'needs_stop_decision', stopped: stoppedBefore };
  }
  const after = { ...wanted, stopped: stoppedBefore !== false && stopDecision === 'keep_stopped' };
  const plan = {
    agent,
    before,
    after,
    rows: buildPlanRows(before, after),
    warnings: findWarnings(before, after),
    loosens: isLoosening(before, after),
    change: toThresholdChange(agent, after),
  };
  return { kind: 'planned', plan };
}

export function needsStopDecision(known: KnownLimit): boolean {
  return readStopped(known) !== false;
}

function isLoosening(before: KnownLimit, after: AgentLimit): boolean | 'unknown' {
  const stopped = readStopped(before);
  if (stopped === true && after.stopped === false) return true;
  if (before.source === 'unknown') return 'unknown';
  const mayRestart = stopped === 'unknown' && after.stopped === false;
  if (before.source === 'none') return mayRestart ? 'unknown' : false;
  const { limit, stopWhenReached } = before.limit;
  if (after.limit > limit || (stopWhenReached && !after.stopWhenReached)) return true;
  return mayRestart ? 'unknown' : false;
}

function toThresholdChange(agent: GovernedAgent, after: LimitPlan['after']): ThresholdChange {
  return {
    environmentId: agent.environmentId,
    agentResourceId: agent.agentResourceId,
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
  | 'below_consumption'
  | 'stays_stopped'
  | 'stops_if_running'
  | 'runs_again'
  | 'runs_again_if_stopped';

/** `text` is for people, and holds nothing that came from outside. */
type PlanWarning = { code: PlanWarningCode; text: string };

/** What an admin should know before confirming, the gravest first. */
function findWarnings(before: KnownLimit, after: AgentLimit): PlanWarning[] {
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

// The form of a limit: what an admin typed, made a limit, or one sentence for each field that cannot be.
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

export const MAX_LIMIT = MAX_WHOLE_NUMBER;

/** `asksForStopDecision`: the form had that field, so an answer is needed. */
export function parseLimitForm(
  form: LimitForm,
  { asksForStopDecision }: { asksForStopDecision: boolean },
): ParsedLimitForm {
  const limit = parseCredits(form.limit);
  const percent = parsePercent(form.notificationThreshold);
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

const SENTENCES: Record<NotWhole, string> = {
  empty: 'Enter a monthly limit in credits, for example 1000.',
  negative: 'A limit cannot be negative. Enter 0 or more.',
  not_whole: 'Enter a whole number without a fraction, for example 1000 or 1,000.',
  not_digits: 'Enter digits only, for example 1000 or 1,000.',
  too_large: 'This is too large: the highest limit is 2,147,483,647.',
};

/** A whole number of credits, or the sentence that says why not. */
export function parseCredits(typed: string): number | string {
  const credits = readWholeNumber(typed);
  return typeof credits === 'number' ? credits : SENTENCES[credits];
}

function parsePercent(typed: string): number | string {
  const text = typed.trim().replace(/\s*%$/, '');
  const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return percent >= 1 && percent <= 100 ? percent : 'Enter a whole percentage from 1 to 100, for example 80.';
}

/** Old → new, in words. */
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
