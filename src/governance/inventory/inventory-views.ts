// Agents and environments by name, in mrkdwn.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { GovernedAgent } from './agent-limit.ts';

/** Longer names are cut, to leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *Name* in environment, both escaped; with the currency, where it is not the usual one. */
export function describeAgent(agent: Pick<GovernedAgent, 'name' | 'displayName'> & Partial<GovernedAgent>): string {
  const { name, displayName, environmentName, environmentId, currencyType } = agent;
  const environment = environmentName ?? environmentId;
  const where = environment === undefined ? '' : ` in ${toMrkdwnName(environment, MAX_NAME_LENGTH)}`;
  const inCurrency = currencyType === undefined ? '' : ` (${toMrkdwnName(currencyType, 40)})`;
  return `*${toMrkdwnName(displayName, MAX_NAME_LENGTH) || toMrkdwnLine(name, MAX_NAME_LENGTH)}*${where}${inCurrency}`;
}

/** *Name*, escaped; the id where there is no name. */
export function describeEnvironment(environmentId: string, name: string | undefined): string {
  return `*${toMrkdwnName(name ?? '', MAX_NAME_LENGTH) || toMrkdwnLine(environmentId, MAX_NAME_LENGTH)}*`;
}
