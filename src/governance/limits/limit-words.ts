// How a limit is put into words for an admin in Slack (mrkdwn).

import { formatTime, toLine, toMrkdwnName } from '../../slack/views/content.ts';
import {
  type GovernedAgent,
  isNoLimit,
  type KnownLimit,
  type LimitCurrency,
  readOwnStop,
  type WantedLimit,
} from '../inventory/agent-limit.ts';
import { formatAmount } from '../shell/amount.ts';

/** Names are as long as their makers like; here they must leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *1,000* credits a month, notice at 80 %, stops when reached */
export function describeLimit(values: WantedLimit): string {
  if (isNoLimit(values)) return 'none (*0* credits that neither notify nor stop)';
  const { limit, notify, notificationThreshold, stopWhenReached } = values;
  const notice = notify ? `notice at ${notificationThreshold} %` : 'no notice';
  return `*${formatAmount(limit)}* credits a month, ${notice}, ${stopWhenReached ? 'stops when reached' : 'does not stop'}`;
}

export function describeKnownLimit(known: KnownLimit, timeZone: string): string {
  const elsewhere = (known.stoppedIn ?? []).map((one) => ` · *stopped by ${describeOtherLimit(one)}*`);
  return `${describeOwn(known, timeZone)}${elsewhere.join('')}`;
}

export function describeOtherLimit({ currencyType }: LimitCurrency): string {
  return currencyType === undefined ? 'its usual limit' : `its limit in ${toMrkdwnName(currencyType, 60)}`;
}

function describeOwn(known: KnownLimit, timeZone: string): string {
  switch (known.source) {
    case 'deployment':
      return `${describeLimit(known.limit)}${describeStop(known)}`;
    case 'last_set':
      return `${describeLimit(known.limit)}${known.limit.stopped === true ? ' · *stopped from here*' : ''} _(last set from here by <@${known.setBy}> on ${formatTime(known.setAt, timeZone)})_`;
    case 'none':
      return 'none set';
    case 'unknown':
      return `unknown${describeStop(known)}`;
  }
}

function describeStop(known: KnownLimit): string {
  return readOwnStop(known) === true ? ' · *stopped now*' : '';
}

/** The source of the old values, and how far to trust it. */
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
    ...(agent.currencyType === undefined ? {} : { currencyType: agent.currencyType }),
    environmentName: environmentName === undefined ? undefined : toLine(environmentName, MAX_NAME_LENGTH),
  };
}
