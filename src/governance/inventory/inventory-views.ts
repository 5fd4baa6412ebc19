// Agents and environments by name, in mrkdwn.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { SeenAgent } from './seen-agent.ts';

/** Longer names are cut, to leave room for the rest. */
const MAX_NAME_LENGTH = 100;

/** *Name* in environment, both escaped; ids where there are no names. */
export function describeAgent({
  agentId,
  name,
  environmentName,
  environmentId,
}: Pick<SeenAgent, 'agentId' | 'name' | 'environmentName' | 'environmentId'>): string {
  const environment = toMrkdwnName(environmentName ?? environmentId, MAX_NAME_LENGTH);
  return `*${toMrkdwnName(name, MAX_NAME_LENGTH) || toMrkdwnLine(agentId, MAX_NAME_LENGTH)}* in ${environment}`;
}

/** *Name*, escaped; the id where there is no name. */
export function describeEnvironment(environmentId: string, name: string | undefined): string {
  return `*${toMrkdwnName(name ?? '', MAX_NAME_LENGTH) || toMrkdwnLine(environmentId, MAX_NAME_LENGTH)}*`;
}
