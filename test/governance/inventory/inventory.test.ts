import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/admin-api/inventory-wire.ts';
import { joinInventory, listAgentsOf, matchAgents, toSeenAgent } from '../../../src/governance/inventory/inventory.ts';

function anAgent(values: Partial<Agent> = {}): Agent {
  const name = values.name ?? 'agent-1';
  return {
    name,
    agentResourceId: name,
    displayName: 'Invoice Reader',
    environmentId: 'env-1',
    ownerId: undefined,
    isHarness: 'unknown',
    ...values,
  };
}

const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

describe('joinInventory', () => {
  it('finds the environment of an agent whatever the case of its id', () => {
    const rows = joinInventory([anAgent({ environmentId: 'ENV-1' })], [{ name: 'env-1', displayName: 'Production' }]);

    expect(rows[0]?.environmentName).toBe('Production');
  });

  it('names an agent without a name by its id, and keeps one without an environment', () => {
    const [row] = joinInventory([anAgent({ displayName: undefined, environmentId: undefined })], []);

    expect(row).toMatchObject({ displayName: 'agent-1', environmentName: undefined });
    expect(row && toSeenAgent(row)).toBeUndefined();
  });

  it('sorts by environment, then by name, with numbers as numbers', () => {
    const agents = [
      anAgent({ name: 'd', environmentId: undefined }),
      anAgent({ name: 'c', displayName: 'Agent 10' }),
      anAgent({ name: 'b', displayName: 'agent 9' }),
      anAgent({ name: 'a', environmentId: 'env-2', displayName: 'Z' }),
    ];

    const rows = joinInventory(agents, [{ name: 'env-2', displayName: 'Atelier' }]);

    expect(names(rows)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the agents of an environment', () => {
  it('are found whatever the case of its id', () => {
    const rows = joinInventory([anAgent(), anAgent({ name: 'b', environmentId: 'ENV-1' })], []);

    expect(listAgentsOf(rows, 'Env-1').map(({ agentId, resourceId }) => [agentId, resourceId])).toEqual([
      ['agent-1', 'agent-1'],
      ['b', 'b'],
    ]);
    expect(listAgentsOf(rows, 'env-2')).toEqual([]);
  });
});

describe('matchAgents', () => {
  const rows = joinInventory(
    [
      anAgent({ name: 'id-1', agentResourceId: 'BOT-1', displayName: 'Invoice Reader' }),
      anAgent({ name: 'id-2', displayName: 'Invoice Reader', environmentId: 'env-2' }),
      anAgent({ name: 'id-3', displayName: 'Reader' }),
      anAgent({ name: 'id-4', displayName: `O'Hara "the" <Bot>` }),
    ],
    [],
  );

  it.each([
    ['ID-1', 'id-1'],
    ['bot-1', 'id-1'],
    ['  reader ', 'id-3'],
    [`o'hara "the" <bot>`, 'id-4'],
    ['hara', 'id-4'],
  ])('finds "%s"', (text, name) => {
    expect(names(matchAgents(rows, text))).toEqual([name]);
  });

  it('tells all of several with one name', () => {
    expect(names(matchAgents(rows, 'invoice reader'))).toEqual(['id-1', 'id-2']);
  });

  it.each(['reader invoice', 'READER  production'])(
    'finds by words in any order, of the environment, too: %s',
    (text) => {
      const agents = [anAgent(), anAgent({ name: 'b', displayName: 'Spec Writer' })];
      const found = matchAgents(joinInventory(agents, [{ name: 'env-1', displayName: 'Production' }]), text);

      expect(found).toMatchObject([{ displayName: 'Invoice Reader' }]);
    },
  );

  it('finds none for what is nowhere, and all for nothing', () => {
    expect([matchAgents(rows, 'nobody'), matchAgents(rows, '.*')]).toEqual([[], []]);
    expect(matchAgents(rows, ' ')).toHaveLength(4);
  });
});
