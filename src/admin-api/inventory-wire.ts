// Rows of the inventory query. A projected field is returned nested, or flat under one of two names.
import { toObject } from '../json.ts';
import { AdminRejectedError, AdminUnreadableError } from './admin-errors.ts';
import { toFlag, toId, toName, toNumber, toRows, toText } from './wire-values.ts';

export type Agent = {
  /** The agent's id in the inventory. */
  name: string;
  /** The id for setting thresholds, if the deployment has one; else `name`. */
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

/** A clause of the contract's inventory query. */
export type Clause =
  | { $type: 'where'; FieldName: string; Operator: '=='; Values: string[] }
  | { $type: 'project'; FieldList: string[] };

export type InventoryQuery = { TableName: string; Clauses: Clause[]; Options?: { Top: number; Skip: number } };

export type Found<Row> = {
  rows: Row[];
  /** True: incomplete, so what is missing from `rows` may still exist. */
  truncated: boolean;
};

/** Names the operation in errors. */
export const QUERY_INVENTORY = 'query inventory';

/** The largest page that deployments of this shape allow. */
const PAGE_SIZE = 1_000;

/** Limits runaway paging, at ten times the largest expected inventory. */
const MAX_PAGES = 200;

/**
 * Undefined if the row has no usable id. Rows of one agent have the same key. `idProperty`: the property that holds the
 * id for thresholds; without it, that id is the agent's name.
 */
export function parseAgent(row: Row, idProperty?: string): { key: string; row: Agent } | undefined {
  const name = toId(row.name);
  if (name === undefined) return undefined;
  const environmentId = toId(readProperty(row, 'environmentId'));
  const agent = {
    name,
    agentResourceId: (idProperty === undefined ? undefined : toId(readProperty(row, idProperty))) ?? name,
    displayName: toName(readProperty(row, 'displayName')),
    environmentId,
    ownerId: toName(readProperty(row, 'ownerId')),
    isHarness: toFlag(readProperty(row, 'isCLIAgent')),
  };
  return { key: `${name}\n${environmentId ?? ''}`.toLowerCase(), row: agent };
}

/** Undefined if the row has no usable id. */
export function parseEnvironment(row: Row): { key: string; row: Environment } | undefined {
  const name = toId(readProperty(row, 'environmentId')) ?? toId(row.name);
  if (name === undefined) return undefined;
  const displayName = toName(readProperty(row, 'displayName'));
  return { key: name.toLowerCase(), row: { name, displayName, ownerId: toName(readProperty(row, 'ownerId')) } };
}

export function buildWhere(FieldName: string, value: string): Clause {
  return { $type: 'where', FieldName, Operator: '==', Values: [toLiteral(value)] };
}

export function buildProject(...FieldList: string[]): Clause {
  return { $type: 'project', FieldList };
}

/**
 * A string literal in single quotes, inner quotes doubled. In the service's query language a backslash may escape a
 * quote, so backslashes and control characters throw AdminRejectedError. No real id contains them.
 */
export function toLiteral(text: string): string {
  if (/[\p{Cc}\u2028\u2029\\]/u.test(text) || !text.isWellFormed()) {
    throw new AdminRejectedError(QUERY_INVENTORY, 'Control characters and backslashes cannot be searched for.');
  }
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Reads all pages. The first request is exactly that of the contract. The next ones use Options.Skip, because the
 * SkipToken of deployments never advances. Duplicate rows are dropped.
 */
export async function readAllPages<Row>(
  query: InventoryQuery,
  send: (query: InventoryQuery) => Promise<unknown>,
  toRow: (row: Record<string, unknown>) => { key: string; row: Row } | undefined,
): Promise<Found<Row>> {
  const found = new Map<string, Row>();
  const finish = (isComplete: boolean) => ({ rows: [...found.values()], truncated: !isComplete });
  let received = 0;
  let areAllReadable = true;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await sendPage(query, send, received);
    if (answer === 'options_refused') return finish(false);
    const rows = toRows(answer);
    if (rows === undefined) throw new AdminUnreadableError(QUERY_INVENTORY);
    const entries = rows.map(toRow);
    areAllReadable &&= !entries.includes(undefined);
    const fresh = addFresh(found, entries);
    received += rows.length;
    const remaining = readRemaining(answer, received);
    const isAll = found.size >= (toNumber(toObject(answer).totalRecords) ?? 0);
    if (remaining === 'none') return finish(areAllReadable && isAll);
    // A page without new rows ends the loop. It is the normal end only if it is empty and a token alone announced it.
    if (fresh === 0) return finish(areAllReadable && rows.length === 0 && remaining === 'perhaps');
  }
  return finish(false);
}

function readProperty(row: Row, name: string): unknown {
  return toObject(row.properties)[name] ?? row[`properties.${name}`] ?? row[`properties_${name}`];
}

function addFresh<Row>(found: Map<string, Row>, entries: ({ key: string; row: Row } | undefined)[]): number {
  const before = found.size;
  for (const entry of entries) {
    if (entry !== undefined && !found.has(entry.key)) found.set(entry.key, entry.row);
  }
  return found.size - before;
}

async function sendPage(
  query: InventoryQuery,
  send: (query: InventoryQuery) => Promise<unknown>,
  skip: number,
): Promise<unknown> {
  if (skip === 0) return send(query);
  try {
    return await send({ ...query, Options: { Top: PAGE_SIZE, Skip: skip } });
  } catch (error) {
    // The contract does not have Options: a deployment may refuse the unknown field.
    if (error instanceof AdminRejectedError) return 'options_refused';
    throw error;
  }
}

function readRemaining(answer: unknown, received: number): 'none' | 'some' | 'perhaps' {
  const { resultTruncated, totalRecords, skipToken } = toObject(answer);
  if (toFlag(resultTruncated) === true) return 'some';
  const total = toNumber(totalRecords);
  if (total !== undefined) return received < total ? 'some' : 'none';
  // A token alone is only a hint: some deployments send one with the last page, too.
  return toFlag(resultTruncated) === 'unknown' && toText(skipToken) !== undefined ? 'perhaps' : 'none';
}
