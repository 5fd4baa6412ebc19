// The inventory query: a fixed table, two kinds of clauses, quoted literals. What the contract does not show is refused.
import { z } from 'zod';
import { check, Refused, type Reply } from '../loopback/reply.ts';
import { buildError } from './faults.ts';
import type { AdminState, Agent, Environment } from './model.ts';

export const TABLE_NAME = 'PlatformResources';
export const AGENT_TYPE = 'vendor.agentstudio/agents';
export const ENVIRONMENT_TYPE = 'vendor.platform/environments';

// `properties.botId` is not among the contract's fields, but in rows of live services.
const FIELDS = [
  'type',
  'name',
  'properties.displayName',
  'properties.environmentId',
  'properties.ownerId',
  'properties.isCLIAgent',
  'properties.botId',
] as const;

type Field = (typeof FIELDS)[number];

const BOOLEAN_FIELDS: readonly Field[] = ['properties.isCLIAgent'];

/** Of a page, also where no `Top` is named. */
const MOST_ROWS = 1000;

const WHERE = z.strictObject({
  $type: z.literal('where'),
  FieldName: z.enum(FIELDS),
  // The contract shows `==`; the others are known of live services.
  Operator: z.enum(['==', '!=', 'in~']),
  Values: z.array(z.string()).min(1),
});
const PROJECT = z.strictObject({ $type: z.literal('project'), FieldList: z.array(z.enum(FIELDS)).min(1) });
const QUERY_BODY = z.strictObject({
  TableName: z.literal(TABLE_NAME),
  Clauses: z.array(z.discriminatedUnion('$type', [WHERE, PROJECT])),
  Options: z
    .strictObject({
      Top: z.int().min(1).max(MOST_ROWS).default(MOST_ROWS),
      Skip: z.int().min(0).default(0),
      // Taken and ignored: it never advances.
      SkipToken: z.string().nullable().optional(),
    })
    .default({ Top: MOST_ROWS, Skip: 0 }),
});

type Row = { readonly name: string; readonly type: string; readonly properties: Readonly<Record<string, unknown>> };

/** `isTruncated`: as where a service gives up half-way, says that there is more, and has no more to give. */
export function answerQuery(state: AdminState, body: unknown, isTruncated: boolean): Reply {
  const { Clauses, Options } = check(QUERY_BODY, body, buildError);
  const filters = Clauses.filter((clause) => clause.$type === 'where').map(toFilter);
  const fields = Clauses.flatMap((clause) => (clause.$type === 'project' ? clause.FieldList : []));
  const rows = [...state.environments.map(toEnvironmentRow), ...state.agents.map(toAgentRow)];
  const matching = rows.filter((row) => filters.every((fits) => fits(row)));
  const whole = matching.slice(Options.Skip, Options.Skip + Options.Top);
  const page = isTruncated ? whole.slice(0, Options.Skip > 0 ? 0 : Math.ceil(whole.length / 2)) : whole;
  const isMore = Options.Skip + whole.length < matching.length;
  return {
    status: 200,
    body: {
      totalRecords: matching.length,
      count: page.length,
      resultTruncated: isMore || isTruncated ? 1 : 0,
      // Always the same, and without effect when sent back: only Skip advances.
      skipToken: isMore ? 'c2tpcC10b2tlbg==' : null,
      data: page.map((row) => (fields.length > 0 ? project(row, fields) : row)),
    },
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
function toFilter({ FieldName, Operator, Values }: z.infer<typeof WHERE>): (row: Row) => boolean {
  if (Operator !== 'in~' && Values.length !== 1) throw refuse(`${Operator} takes one value`);
  const values = Values.map((literal) => readLiteral(FieldName, literal));
  return (row) => {
    const actual = readField(row, FieldName);
    if (Operator === '==') return actual === values[0];
    if (Operator === '!=') return actual !== values[0];
    return values.some((value) => String(value).toLowerCase() === String(actual ?? '').toLowerCase());
  };
}

// Single quotes around a string, quotes inside doubled: anything else would be spliced into the query language.
function readLiteral(field: Field, literal: string): string | boolean {
  const isBoolean = BOOLEAN_FIELDS.includes(field);
  const inner = isBoolean ? /^(?:true|false)$/.exec(literal)?.[0] : /^'((?:[^']|'')*)'$/.exec(literal)?.[1];
  if (inner === undefined) throw refuse(`${field}: ${literal} is not a literal of its type`);
  return isBoolean ? inner === 'true' : inner.replaceAll("''", "'");
}

function refuse(problem: string): Refused {
  return new Refused(buildError(400, 'BadRequest', problem));
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
