// Agents and environments by name, in mrkdwn.
import { toMrkdwnLine, toMrkdwnName } from '../../slack/views/content.ts';
import type { SeenAgent } from './inventory.ts';

/** Longer names are cut, to leave room for the rest. */
export const MAX_NAME_LENGTH = 80;

/** `id`: shown if there is no name. `where`: the environment of an agent. All of it is untrusted. */
type Named = { name: string; id?: string; where?: string | undefined };

/** A service may list nothing to an account without rights, instead of refusing it. `many`: the noun. */
export function describeNone(many: string): string {
  return `The service lists no ${many} for your account. If it should, sign in with another one: /assistant-admin sign-in.`;
}

/** *Name*, or *Name* in environment; both escaped. */
export function describeNamed({ name, id = 'without a name', where }: Named, most = MAX_NAME_LENGTH): string {
  const bold = `*${toMrkdwnName(name, most) || toMrkdwnLine(id, most)}*`;
  return where === undefined ? bold : `${bold} in ${toMrkdwnName(where, most)}`;
}

export function describeAgent({
  agentId: id,
  name,
  environmentName,
  environmentId,
}: Pick<SeenAgent, 'agentId' | 'name' | 'environmentName' | 'environmentId'>): string {
  return describeNamed({ name, id, where: environmentName ?? environmentId });
}

export function describeEnvironment(environmentId: string, name: string | undefined): string {
  return describeNamed({ name: name ?? '', id: environmentId });
}
