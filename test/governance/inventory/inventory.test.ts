import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/admin-api/inventory-wire.ts';
import {
  joinInventory,
  listAgentsOf,
  matchAgents,
  searchCandidates,
  toAgentCandidates,
  toEnvironmentCandidates,
  toSeenAgent,
} from '../../../src/governance/inventory/inventory.ts';
import { anAgent as aNamed } from '../samples.ts';

const anAgent = (values: Partial<Agent> = {}) => aNamed({ name: 'agent-1', displayName: 'Invoice Reader', ...values });

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

describe('a search', () => {
  const environments = [
    { name: 'env-1', displayName: 'Makers' },
    { name: 'env-2', displayName: 'Production' },
  ];
  const candidates = toAgentCandidates(
    joinInventory(
      [
        anAgent({ name: 'a1', displayName: 'Expense Helper' }),
        anAgent({ name: 'a2' }),
        anAgent({ name: 'a3', environmentId: 'env-2' }),
        anAgent({ name: 'a4', displayName: 'Old Invoice Reader', environmentId: 'env-2' }),
      ],
      environments,
    ),
  );
  const find = (typed: string, max = 100) => searchCandidates(candidates, typed, max).found.map(({ id }) => id);

  it('takes every word, wherever it stands: in the name, the id, or the environment', () => {
    expect(find('invoice prod')).toEqual(['a3', 'a4']);
    expect(find('A1')).toEqual(['a1']);
    expect(find('reader nobody')).toEqual([]);
  });

  it('puts first what begins with it, and keeps the order else', () => {
    expect(find('inv')).toEqual(['a2', 'a3', 'a4']);
    expect(find('old')).toEqual(['a4']);
  });

  it('offers the first of all where nothing is typed', () => {
    expect(searchCandidates(candidates, '  ', 2)).toMatchObject({ found: [{ id: 'a1' }, { id: 'a2' }], total: 4 });
  });

  it('offers the best where there are too many', () => {
    expect(searchCandidates(candidates, 'old', 1)).toMatchObject({ found: [{ id: 'a4' }], total: 1 });
    expect(find('invoice', 2)).toEqual(['a2', 'a3']);
  });

  it('compares as people do', () => {
    const labs = toEnvironmentCandidates([{ environmentId: 'E', name: 'Ana’s  “Lab”', ownerId: undefined }]);

    expect(searchCandidates(labs, `ana's "lab"`, 1).total).toBe(1);
  });

  it('has keys that are short, the same every time, and of one agent only', () => {
    const row = anAgent({ name: 'x'.repeat(256), environmentId: 'y'.repeat(256) });
    const keys = toAgentCandidates(joinInventory([row, row, { ...row, environmentId: 'env-2' }], []));

    expect(keys.map(({ key }) => key.length)).toEqual([22, 22, 22]);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
  });
});
