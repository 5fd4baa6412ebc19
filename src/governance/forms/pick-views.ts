// Which agent, which environment: what fits a name, to choose from.
import type { ModalView } from '@slack/types';
import { toMrkdwnLine } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import { describeAgent, describeEnvironment } from '../inventory/inventory-views.ts';
import { toSeenAgent } from '../inventory/seen-agent.ts';
import { buildChoiceModal } from '../shell/modal.ts';
import { describeOwner } from './now-words.ts';
import { encodeAgent, encodeEnvironment, type FORM_ACTIONS } from './target-buttons.ts';

/** `query`: what was typed. `typed`: an amount. `owners`: people of Slack by their ids in the directory. */
export type Picking = {
  topic: ModalTopic;
  button: { actionId: (typeof FORM_ACTIONS)[keyof typeof FORM_ACTIONS]; text: string };
  query: string;
  typed: string | undefined;
  replyTo: string;
  owners: ReadonlyMap<string, string | undefined>;
};

const MAX_ID = 100;

export function buildAgentChoice(rows: readonly InventoryRow[], { owners, typed, ...how }: Picking): ModalView {
  const toChoice = (row: InventoryRow) => {
    const { name: agentId, displayName: name, environmentName, environmentId, ownerId } = row;
    const where =
      environmentId === undefined ? ' · environment unknown' : ` · environment ${toMrkdwnLine(environmentId, MAX_ID)}`;
    const owner = describeOwner({ ownerId, owner: owners.get(ownerId ?? '') });
    const agent = toSeenAgent(row);
    return {
      text: `${describeAgent({ agentId, name, environmentName, environmentId: environmentId ?? '?' })}\n${toMrkdwnLine(agentId, MAX_ID)}${where} · ${owner}`,
      value: agent && encodeAgent({ ...agent, typed }),
    };
  };
  return buildChoiceModal(rows, toChoice, { title: 'Which agent?', plural: 'agents', ...how });
}

type Environment = { environmentId: string; name: string; ownerId?: string | undefined };

export function buildEnvironmentChoice(
  environments: readonly Environment[],
  { owners, typed, ...how }: Picking,
): ModalView {
  const toChoice = ({ environmentId, name, ownerId }: Environment) => ({
    text: `${describeEnvironment(environmentId, name)}\n${toMrkdwnLine(environmentId, MAX_ID)} · ${describeOwner({ ownerId, owner: owners.get(ownerId ?? '') })}`,
    value: encodeEnvironment({ environmentId, name, typed }),
  });
  return buildChoiceModal(environments, toChoice, { title: 'Which environment?', plural: 'environments', ...how });
}
