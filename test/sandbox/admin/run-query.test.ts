import { describe, expect, it } from 'vitest';
import type { Told } from '../loopback/ask-json.ts';
import { call, start } from './calling.ts';
import { AGENT_TYPE, ENVIRONMENT_TYPE, TABLE_NAME } from './run-query.ts';
import type { AdminSandbox } from './start-admin.ts';

const where = (FieldName: string, literal: string, Operator = '==') => ({
  $type: 'where',
  FieldName,
  Operator,
  Values: [literal],
});
const project = (...FieldList: string[]) => ({ $type: 'project', FieldList });
const agents = where('type', `'${AGENT_TYPE}'`);

function query(admin: AdminSandbox, Clauses: unknown[], Options?: object, TableName = TABLE_NAME): Promise<Told> {
  return call(admin, '/resourcequery/resources/query', { method: 'POST', body: { TableName, Clauses, Options } });
}

describe('the inventory query', () => {
  it('returns the projected fields alone; what tells a harness agent comes in all its shapes', async () => {
    const admin = await start();

    const { json } = await query(admin, [agents, project('name', 'properties.displayName', 'properties.isCLIAgent')]);

    expect(json).toMatchObject({ totalRecords: 6, count: 6, resultTruncated: 0, skipToken: null });
    expect(json.data?.[0]).toEqual({
      name: 'agent-1',
      properties: { displayName: 'Invoice Reader', isCLIAgent: true },
    });
    expect(json.data?.map((row) => row.properties?.isCLIAgent)).toEqual([true, false, 'true', true, undefined, true]);
  });

  it('takes doubled quotes in a literal, and only booleans for a boolean', async () => {
    const admin = await start();

    const quoted = await query(admin, [where('properties.displayName', `'Ana''s "Makers" lab'`)]);
    const flagged = await query(admin, [agents, where('properties.isCLIAgent', 'true')]);

    expect(quoted.json.data).toMatchObject([{ type: ENVIRONMENT_TYPE }]);
    expect(flagged.json.data?.map(({ name }) => name)).toEqual(['agent-1', 'agent-4', 'agent-6']);
  });

  it('pages by Skip; SkipToken never advances', async () => {
    const admin = await start();

    const first = await query(admin, [agents], { Top: 4 });
    const token = await query(admin, [agents], { Top: 4, SkipToken: first.json.skipToken });
    const second = await query(admin, [agents], { Top: 4, Skip: 4 });

    expect(first.json).toMatchObject({ totalRecords: 6, count: 4, resultTruncated: 1 });
    expect(token.json.data).toEqual(first.json.data);
    expect(second.json).toMatchObject({ count: 2, resultTruncated: 0, skipToken: null });
  });

  it('breaks off half-way where it is told to', async () => {
    const admin = await start();
    admin.faults.next('truncated', { times: 2 });

    const first = await query(admin, [agents]);
    const second = await query(admin, [agents], { Skip: 3 });

    expect(first.json).toMatchObject({ totalRecords: 6, count: 3, resultTruncated: 1 });
    expect(second.json).toMatchObject({ count: 0, resultTruncated: 1, data: [] });
  });

  it.each<[string, unknown[], object?, string?]>([
    ['a literal without quotes', [where('type', AGENT_TYPE)]],
    ['a quote that ends the literal early', [where('type', `'a' or 'b'`)]],
    ['an operator that is not listed', [where('type', `'a'`, 'startswith')]],
    ['an unknown field', [where('properties.secret', `'a'`)]],
    ['a quoted boolean', [where('properties.isCLIAgent', `'true'`)]],
    ['an unknown clause', [{ $type: 'summarize' }]],
    ['an unknown projection', [project('tenantId')]],
    ['too large a page', [agents], { Top: 1001 }],
    ['a negative Skip', [agents], { Skip: -1 }],
    ['an unknown option', [agents], { Take: 1 }],
    ['another table', [], undefined, 'OtherResources'],
  ])('refuses %s', async (_, clauses, options, table) => {
    expect((await query(await start(), clauses, options, table)).status).toBe(400);
  });
});
