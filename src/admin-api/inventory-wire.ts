// Rows of the inventory query. A projected field comes back nested, or flat under one of two names.

import { toName } from '../admin/visible-name.ts';
import { toFlag, toId, toRecord } from './wire-values.ts';

export type Agent = {
  /** The id under which the inventory lists it. */
  name: string;
  /** The id that thresholds go by in deployments that tell one; else the same as `name`. */
  agentResourceId: string;
  displayName: string | undefined;
  environmentId: string | undefined;
  /** Of a person in the directory, not in Slack. */
  ownerId: string | undefined;
  /** properties.isCLIAgent: built with a command-line harness. Unknown is not the same as false. */
  isHarness: boolean | 'unknown';
};

export type Environment = {
  /** The environment's id. */
  name: string;
  displayName: string | undefined;
  /** Of a person in the directory, not in Slack. */
  ownerId: string | undefined;
};

type Row = Record<string, unknown>;

/** Undefined where the row has no usable id. The key tells whether two rows are of one agent. */
export function parseAgent(row: Row): { key: string; row: Agent } | undefined {
  const name = toId(row.name);
  if (name === undefined) return undefined;
  const environmentId = toId(readProperty(row, 'environmentId'));
  const agent = {
    name,
    agentResourceId: toId(readProperty(row, 'botId')) ?? name,
    displayName: toName(readProperty(row, 'displayName')),
    environmentId,
    ownerId: toName(readProperty(row, 'ownerId')),
    isHarness: toFlag(readProperty(row, 'isCLIAgent')),
  };
  return { key: `${name}\n${environmentId ?? ''}`.toLowerCase(), row: agent };
}

/** Undefined where the row has no usable id. */
export function parseEnvironment(row: Row): { key: string; row: Environment } | undefined {
  const name = toId(readProperty(row, 'environmentId')) ?? toId(row.name);
  if (name === undefined) return undefined;
  const displayName = toName(readProperty(row, 'displayName'));
  return { key: name.toLowerCase(), row: { name, displayName, ownerId: toName(readProperty(row, 'ownerId')) } };
}

function readProperty(row: Row, name: string): unknown {
  return toRecord(row.properties)[name] ?? row[`properties.${name}`] ?? row[`properties_${name}`];
}
