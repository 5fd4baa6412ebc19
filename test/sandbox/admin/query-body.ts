// The strict reading of an inventory query: fixed table, two kinds of clauses, quoted literals.
import { z } from 'zod';
import { check, Refused } from '../loopback/refused.ts';
import { buildError } from './faults.ts';

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

/** The contract shows `==`; the others are known of live services. */
const OPERATORS = ['==', '!=', 'in~'] as const;
const BOOLEAN_FIELDS: readonly string[] = ['properties.isCLIAgent'];

export type Field = (typeof FIELDS)[number];
export type Filter = {
  readonly field: Field;
  readonly operator: (typeof OPERATORS)[number];
  readonly values: readonly (string | boolean)[];
};
export type Query = {
  readonly filters: readonly Filter[];
  readonly fields: readonly Field[] | undefined;
  readonly top: number;
  readonly skip: number;
};

/** Of a page, also where no `Top` is named. */
const MOST_ROWS = 1000;

const where = z.strictObject({
  $type: z.literal('where'),
  FieldName: z.enum(FIELDS),
  Operator: z.enum(OPERATORS),
  Values: z.array(z.string()).min(1),
});
const project = z.strictObject({ $type: z.literal('project'), FieldList: z.array(z.enum(FIELDS)).min(1) });
const queryBody = z.strictObject({
  TableName: z.literal(TABLE_NAME),
  Clauses: z.array(z.discriminatedUnion('$type', [where, project])),
  Options: z
    .strictObject({
      Top: z.int().min(1).max(MOST_ROWS).optional(),
      Skip: z.int().min(0).optional(),
      // Taken and ignored: it never advances.
      SkipToken: z.string().nullable().optional(),
    })
    .optional(),
});

/** Refused with 400 where it is none. */
export function parseQuery(value: unknown): Query {
  const { Clauses, Options } = check(queryBody, value, buildError);
  const filters = Clauses.filter((clause) => clause.$type === 'where').map((clause) => ({
    field: clause.FieldName,
    operator: clause.Operator,
    values: readLiterals(clause),
  }));
  const fields = Clauses.flatMap((clause) => (clause.$type === 'project' ? clause.FieldList : []));
  const { Top: top = MOST_ROWS, Skip: skip = 0 } = Options ?? {};
  return { filters, fields: fields.length > 0 ? fields : undefined, top, skip };
}

function refuse(problem: string): Refused {
  return new Refused(buildError(400, 'BadRequest', problem));
}

function readLiterals({ FieldName, Operator, Values }: z.infer<typeof where>): (string | boolean)[] {
  if (Operator !== 'in~' && Values.length !== 1) throw refuse(`${Operator} takes one value`);
  return Values.map((value) => {
    const literal = BOOLEAN_FIELDS.includes(FieldName) ? readBoolean(value) : readString(value);
    if (literal === undefined) throw refuse(`${FieldName}: ${value} is not a literal of its type`);
    return literal;
  });
}

function readBoolean(literal: string): boolean | undefined {
  return literal === 'true' || literal === 'false' ? literal === 'true' : undefined;
}

// Single quotes around, quotes inside doubled: anything else would be spliced into the query language.
function readString(literal: string): string | undefined {
  const inner = /^'((?:[^']|'')*)'$/.exec(literal)?.[1];
  return inner?.replaceAll("''", "'");
}
