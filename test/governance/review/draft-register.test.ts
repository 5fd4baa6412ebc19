// What is found in a tenant becomes entries for somebody to decide about.
import { describe, expect, it } from 'vitest';
import { AdminRefusedError } from '../../../src/admin-api/admin-errors.ts';
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import { draftEnvironments } from '../../../src/governance/review/draft-register.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { aThreshold } from '../shell/samples.ts';
import {
  aCurrency,
  anAgent,
  anAllocation,
  anEnvironment,
  aRegister,
  aWorld,
  NOW,
  toPorts,
  type World,
} from './review-world.ts';

function draft(world: World, thresholds: Threshold[] | 'not_offered' = []) {
  const { findEnvironments, findAgents, readAllocation } = toPorts(world);
  const session = { findEnvironments, findAgents, readAllocation, readThresholds: async () => thresholds };
  return draftEnvironments(
    world.register,
    { session, changes: createMemoryStore().changes, now: () => NOW },
    { wait: async () => undefined, signal: new AbortController().signal, onUnexpected: () => undefined },
  );
}

const EMPTY = aRegister({ environments: [] });

describe('a draft of what is found', () => {
  it('has credits and rules, the owner, and the limits that can be read', async () => {
    const agents = [
      anAgent(),
      anAgent({ name: 'agent-2' }),
      anAgent({ name: 'agent-3' }),
      anAgent({ name: 'agent-4' }),
    ];
    const thresholds = [
      aThreshold({ resourceId: 'bot-of-agent-1', limit: 900, stopIfOverCapacity: true }),
      aThreshold({ resourceId: 'bot-of-agent-2', limit: 12.5, notificationThreshold: 82.5 }),
      aThreshold({ resourceId: 'bot-of-agent-3', limit: -1 }),
    ];

    const { drafted, gaps } = await draft(aWorld({ register: EMPTY, agents }), thresholds);

    expect(drafted).toMatchObject([
      {
        ...{ id: 'env-1', name: undefined, owners: ['owner-1'] },
        allocations: [{ allocated: 0, rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' } }],
        agents: [
          { id: 'bot-of-agent-1', limit: { monthlyLimit: 900, stopWhenReached: 'on' } },
          { id: 'bot-of-agent-2', limit: { monthlyLimit: 12.5, alertAt: 82.5, stopWhenReached: 'off' } },
        ],
        notes: ['4 agents, 2 with a limit that is known; 1 with a limit that a register cannot state.'],
      },
    ]);
    expect(gaps).toEqual({ environments: undefined, agents: undefined });
  });

  it('leaves out what the register names, or has for a decision already', async () => {
    const environments = ['env-1', 'env-2', 'env-3'].map((name) => anEnvironment({ name }));

    const { drafted } = await draft(aWorld({ register: aRegister({ undecided: ['ENV-2'] }), environments }));

    expect(drafted.map(({ id }) => id)).toEqual(['env-3']);
  });

  it('says what could not be told, and drafts the rest', async () => {
    const environments = ['env-1', 'env-2', 'env-3'].map((name) => anEnvironment({ name }));
    const unclear = anAllocation(aCurrency({ allocated: -1, rules: { Deny: 'unknown', TenantPool: 'absent' } }));
    const allocations: World['allocations'] = new Map();
    allocations.set('env-1', new AdminRefusedError('admin_forbidden', 'read allocation'));
    allocations.set('env-2', unclear);
    allocations.set('env-3', 'none');
    const world = aWorld({
      register: EMPTY,
      environments,
      allocations,
      truncated: { environments: true, agents: false },
    });

    const { drafted, gaps } = await draft(world, 'not_offered');

    expect(drafted).toMatchObject([
      {
        allocations: undefined,
        notes: [expect.any(String), expect.stringContaining('does not let your account read this')],
      },
      {
        allocations: [{ allocated: undefined, rules: { Alert: 'on', TenantPool: 'platform-default', PayGo: 'off' } }],
        notes: [expect.any(String), expect.stringContaining('state them')],
      },
      { allocations: 'none', notes: ['0 agents, 0 with a limit that is known.'] },
    ]);
    expect(gaps.environments).toBe('inventory_truncated');
  });
});
