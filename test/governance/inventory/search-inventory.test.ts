import { describe, expect, it } from 'vitest';
import {
  type InventoryRow,
  searchCandidates,
  toAgentCandidates,
  toEnvironmentCandidates,
} from '../../../src/governance/inventory/inventory.ts';

const anAgent = (values: Partial<InventoryRow>): InventoryRow => ({
  ...{ name: 'agent-1', agentResourceId: 'bot-1', displayName: 'Invoice Reader', environmentId: 'env-1' },
  ...{ environmentName: 'Production', ownerId: undefined, isHarness: 'unknown' },
  ...values,
});

const AGENTS = toAgentCandidates([
  anAgent({ name: 'a1', displayName: 'Expense Helper', environmentName: 'Makers' }),
  anAgent({ name: 'a2', displayName: 'Invoice Reader', environmentName: 'Makers' }),
  anAgent({ name: 'a3', displayName: 'Invoice Reader', environmentName: 'Production', environmentId: 'env-2' }),
  anAgent({ name: 'a4', displayName: 'Old Invoice Reader', environmentName: 'Production' }),
]);

const find = (typed: string, max = 100) => searchCandidates(AGENTS, typed, max).found.map(({ id }) => id);

describe('a search', () => {
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
    expect(searchCandidates(AGENTS, '  ', 2)).toMatchObject({ found: [{ id: 'a1' }, { id: 'a2' }], total: 4 });
  });

  it('offers the best where there are too many', () => {
    expect(searchCandidates(AGENTS, 'old', 1)).toMatchObject({ found: [{ id: 'a4' }], total: 1 });
    expect(find('invoice', 2)).toEqual(['a2', 'a3']);
  });

  it('compares as people do', () => {
    const [candidate] = toEnvironmentCandidates([{ environmentId: 'E', name: 'Ana’s  “Lab”', ownerId: undefined }]);

    expect(searchCandidates([candidate ?? fail()], `ana's "lab"`, 1).total).toBe(1);
  });
});

describe('keys', () => {
  it('are short, the same every time, and of one agent only', () => {
    const row = anAgent({ name: 'x'.repeat(256), environmentId: 'y'.repeat(256) });
    const [one, again, other] = toAgentCandidates([row, row, { ...row, environmentId: 'env-2' }]);

    expect(one?.key).toHaveLength(22);
    expect(again?.key).toBe(one?.key);
    expect(other?.key).not.toBe(one?.key);
  });
});

function fail(): never {
  throw new Error('no candidate');
}
