import { afterEach, describe, expect, it } from 'vitest';
import { agents, call, closeAll, project, query, start, where } from './calling.ts';
import { AGENT_TYPE, ENVIRONMENT_TYPE } from './query-body.ts';
import { generateInventory, SEED_AGENTS } from './seeds.ts';

afterEach(closeAll);

describe('the inventory query', () => {
  it('returns the projected fields of agents, or of environments', async () => {
    const admin = await start();

    const found = await query(admin, [agents, project('name', 'properties.displayName', 'properties.isCLIAgent')]);
    const environments = await query(admin, [where('type', `'${ENVIRONMENT_TYPE}'`)]);

    expect(found.json).toMatchObject({ totalRecords: 6, count: 6, resultTruncated: 0, skipToken: null });
    expect(found.json.data?.[0]).toEqual({
      name: 'agent-1',
      properties: { displayName: 'Invoice Reader', isCLIAgent: true },
    });
    expect(found.json.data?.map((row) => row.properties?.isCLIAgent)).toEqual(
      SEED_AGENTS.map((agent) => agent.isCLIAgent),
    );
    expect(environments.json.data?.[1]?.properties?.displayName).toBe(`Ana's "Makers" lab`);
  });

  it('takes doubled quotes in a literal, and only booleans for a boolean', async () => {
    const admin = await start();

    const quoted = await query(admin, [where('properties.displayName', `'Ana''s "Makers" lab'`)]);
    const flagged = await query(admin, [agents, where('properties.isCLIAgent', 'true')]);

    expect(quoted.json.count).toBe(1);
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

  it('serves large inventories page by page', async () => {
    const admin = await start(generateInventory({ environments: 2000, agents: 20_000 }));

    const page = await query(admin, [agents, project('name')], { Top: 1000, Skip: 19_500 });

    expect(page.json).toMatchObject({ totalRecords: 20_000, count: 500 });
    expect(page.json.data?.[0]?.name).toBe('agent-019500');
  });

  const bad: [string, unknown[], object?][] = [
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
  ];

  it.each(bad)('refuses %s', async (_name, clauses, options) => {
    const admin = await start();

    const { status } = await query(admin, clauses, options);

    expect(status).toBe(400);
  });

  it('refuses another table', async () => {
    const admin = await start();

    const body = { TableName: 'OtherResources', Clauses: [] };
    const { status } = await call(admin, '/resourcequery/resources/query', { method: 'POST', body });

    expect(status).toBe(400);
  });
});
