import type { Reply } from '../loopback/reply.ts';
import type { AdminState, Agent, Environment } from './model.ts';
import { AGENT_TYPE, ENVIRONMENT_TYPE, type Field, type Filter, parseQuery, type Query } from './query-body.ts';

type Row = { readonly name: string; readonly type: string; readonly properties: Readonly<Record<string, unknown>> };

/** `isTruncated`: as where a service gives up half-way, says that there is more, and has no more to give. */
export function answerQuery(state: AdminState, body: unknown, isTruncated: boolean): Reply {
  const query = parseQuery(body);
  const answer = runQuery(state, query);
  if (!isTruncated) return { status: 200, body: answer };
  const data = query.skip > 0 ? [] : answer.data.slice(0, Math.ceil(answer.data.length / 2));
  return { status: 200, body: { ...answer, count: data.length, resultTruncated: 1, data } };
}

function runQuery(state: AdminState, query: Query) {
  const rows = [...state.environments.map(toEnvironmentRow), ...state.agents.map(toAgentRow)];
  const matching = rows.filter((row) => query.filters.every((filter) => isMatch(row, filter)));
  const page = matching.slice(query.skip, query.skip + query.top);
  const isTruncated = query.skip + page.length < matching.length;
  return {
    totalRecords: matching.length,
    count: page.length,
    resultTruncated: isTruncated ? 1 : 0,
    // Always the same, and without effect when sent back: only Skip advances.
    skipToken: isTruncated ? 'c2tpcC10b2tlbg==' : null,
    data: page.map((row) => (query.fields ? project(row, query.fields) : row)),
  };
}

function toEnvironmentRow({ name, displayName, ownerId }: Environment): Row {
  return { name, type: ENVIRONMENT_TYPE, properties: { displayName, environmentId: name, ownerId } };
}

function toAgentRow({ name, ...properties }: Agent): Row {
  return { name, type: AGENT_TYPE, properties };
}

function readField(row: Row, field: Field): unknown {
  if (field === 'name' || field === 'type') return row[field];
  return row.properties[field.slice('properties.'.length)];
}

// A flag that a service wrote as a string does not equal true, nor does one that is absent.
function isMatch(row: Row, { field, operator, values }: Filter): boolean {
  const actual = readField(row, field);
  if (operator === '==') return actual === values[0];
  if (operator === '!=') return actual !== values[0];
  return values.some((value) => String(value).toLowerCase() === String(actual ?? '').toLowerCase());
}

function project(row: Row, fields: readonly Field[]): object {
  const read = (field: Field) => {
    const value = readField(row, field);
    return value === undefined ? [] : [[field.replace('properties.', ''), value] as const];
  };
  const [own, properties] = [true, false].map((isOwn) =>
    Object.fromEntries(fields.filter((field) => field.startsWith('properties.') !== isOwn).flatMap(read)),
  );
  return { ...own, ...(Object.keys(properties ?? {}).length > 0 && { properties }) };
}
