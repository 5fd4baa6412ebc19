// How a limit is put into words for an admin in Slack (mrkdwn).

import { type Content, formatTime, toLine } from '../../slack/views/content.ts';
import { buildChangeOutcome, describeRow } from '../changes/change-views.ts';
import { type AgentLimit, type GovernedAgent, type KnownLimit, readStopped } from '../inventory/agent-limit.ts';
import { describeAgent } from '../inventory/inventory-views.ts';
import { formatCredits } from '../shell/values.ts';
import type { LimitOutcome, LimitPlan } from './limit-plan.ts';

/** Names are as long as their makers like; here they must leave room for the rest. */
const MAX_NAME_LENGTH = 100;

function describeLimit({ limit, notify, notificationThreshold, stopWhenReached }: AgentLimit): string {
  const notice = notify ? `notice at ${notificationThreshold} %` : 'no notice';
  return `*${formatCredits(limit)}* credits a month, ${notice}, ${stopWhenReached ? 'stops when reached' : 'does not stop'}`;
}

export function describeKnownLimit(known: KnownLimit, timeZone: string): string {
  switch (known.source) {
    case 'deployment':
      return `${describeLimit(known.limit)}${describeStop(known)}`;
    case 'last_set':
      return `${describeLimit(known.limit)} _(last set from here by <@${known.setBy}> on ${formatTime(known.setAt, timeZone)})_`;
    case 'none':
      return 'none set';
    case 'unknown':
      return `unknown${describeStop(known)}`;
  }
}

function describeStop(known: KnownLimit): string {
  return readStopped(known) === true ? ' · *stopped now*' : '';
}

/** Where the old values come from, and how far to trust them. */
export function describeSource(known: KnownLimit, timeZone: string): string {
  switch (known.source) {
    case 'deployment':
      return `Read from the service on ${formatTime(known.readAt, timeZone)}.`;
    case 'none':
      return `The service listed no limit for this agent on ${formatTime(known.readAt, timeZone)}.`;
    case 'last_set':
      return `The service does not show the limit. This was last set from here by <@${known.setBy}> on ${formatTime(known.setAt, timeZone)}; somebody may have changed it elsewhere since.`;
    case 'unknown':
      return known.stopped === undefined
        ? 'The service does not show the limit, and nothing certain was set from here.'
        : 'The service has a limit of this agent, in a form that cannot be read here; it tells only whether the agent is stopped.';
  }
}

/** The same agent with names short enough to travel in a button or a modal. */
export function shortenNames(agent: GovernedAgent): GovernedAgent {
  const { environmentName } = agent;
  return {
    environmentId: agent.environmentId,
    agentResourceId: agent.agentResourceId,
    name: agent.name,
    displayName: toLine(agent.displayName, MAX_NAME_LENGTH),
    environmentName: environmentName === undefined ? undefined : toLine(environmentName, MAX_NAME_LENGTH),
  };
}

/** How a change of a limit ended. */
export function buildLimitOutcome(plan: LimitPlan, outcome: LimitOutcome, { timeZone }: { timeZone: string }): Content {
  return buildChangeOutcome(describeLimitOf(plan), outcome, {
    rows: listLimitRows(plan),
    notes: NOT_VERIFIED,
    describeConflict: ({ expected, found }) =>
      `Expected: ${describeKnownLimit(expected, timeZone)}\nFound: ${describeKnownLimit(found, timeZone)}`,
    advice: ADVICE,
  });
}

export function describeLimitOf({ agent }: Pick<LimitPlan, 'agent'>): string {
  return `the limit of ${describeAgent(agent)}`;
}

/** Old → new: one section. */
export function listLimitRows({ rows }: Pick<LimitPlan, 'rows'>): string[] {
  return [rows.map(describeRow).join('\n')];
}

const NOT_VERIFIED = {
  not_offered:
    'It does not show the limits of agents, so this could not be checked. It is remembered here, with its date.',
  read_back_failed: 'Reading it back failed. Look with `/assistant-admin limits` in a few minutes.',
  not_listed: 'It does not list the new limit yet. Look with `/assistant-admin limits` in a few minutes.',
  stop_not_told: 'It shows the new values, but not whether the agent is stopped. Check that in the admin console.',
  still_old:
    'It still shows the old values. Look with `/assistant-admin limits` in a few minutes before you set it again.',
  no_answer:
    'The service did not answer in time, and looking did not settle it. Check the agent in the admin console, or with `/assistant-admin limits`, before you set it again.',
};

const ADVICE = {
  before_write: 'Open the agent again with `/assistant-admin limit`, and decide from what is there now.',
  after_write:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin limits`, and agree with them.',
  unanswered:
    'Somebody may have changed it at the same time. Look again with `/assistant-admin limits` before you set it again.',
} as const;
