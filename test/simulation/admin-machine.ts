// The administrative interface as a state machine without sockets: two environments, their agents, and a limit for each.
import type { ThresholdChange } from '../../src/admin-api/admin-session.ts';
import type { Threshold } from '../../src/admin-api/licensing-wire.ts';

export const CURRENCY = 'ServiceMessages';

export const AGENTS = ['e1 a1', 'e1 a2', 'e2 a3', 'e2 a4'].map((both) => {
  const [environmentId = '', agentId = ''] = both.split(' ');
  return { environmentId, agentId };
});

export type AgentId = (typeof AGENTS)[number];

/** What somebody set, and what that took the place of. `at`: epoch ms. */
export type AdminWrite = {
  agent: string;
  set: Limits;
  before: Limits;
  beforeAt: number;
  by: 'app' | 'console';
  at: number;
};

export type Limits = { credits: number; isStopped: boolean };

export type AdminMachine = ReturnType<typeof createAdminMachine>;

/** `wall`: epoch ms. */
export function createAdminMachine(wall: () => number) {
  const limits = new Map<string, Limits>();
  const setAt = new Map<string, number>();
  const writes: AdminWrite[] = [];
  const unread: number[] = [];

  const read = (agent: string): Limits => limits.get(agent) ?? { credits: 0, isStopped: false };

  function set(agent: string, next: Limits, by: 'app' | 'console'): void {
    writes.push({ agent, set: next, before: read(agent), beforeAt: setAt.get(agent) ?? 0, by, at: wall() });
    limits.set(agent, next);
    setAt.set(agent, wall());
  }

  return {
    writes,
    read,
    /** When limits could not be read (epoch ms). */
    unread: unread as readonly number[],
    noteUnread: () => void unread.push(wall()),
    /** Somebody sets a limit in the service's own console. */
    setByHand: (agent: string, credits: number) => set(agent, { ...read(agent), credits }, 'console'),
    agents: () => ({
      rows: AGENTS.map(({ environmentId, agentId }) => ({
        ...{ name: agentId, agentResourceId: agentId, displayName: agentId, environmentId },
        ...{ ownerId: undefined, isHarness: false },
      })),
      truncated: false,
    }),
    environments: () => ({
      rows: ['e1', 'e2'].map((name) => ({ name, displayName: name, ownerId: undefined })),
      truncated: false,
    }),
    thresholds: (): Threshold[] =>
      [...limits].map(([agent, { credits, isStopped }]) => {
        const [environmentId = '', resourceId = ''] = agent.split(' ');
        return {
          ...{ environmentId, resourceId, limit: credits, stopResource: isStopped, consumption: undefined },
          ...{ notifyIfOverCapacity: false, notificationThreshold: 0, stopIfOverCapacity: credits > 0 },
        };
      }),
    put({ environmentId, agentResourceId, limit, stopResource }: ThresholdChange): object {
      set(`${environmentId} ${agentResourceId}`, { credits: limit, isStopped: stopResource }, 'app');
      return {};
    },
  };
}
