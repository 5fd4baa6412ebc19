import { PEOPLE } from '../identity-provider/people.ts';
import { addLicensing, generateAllocations, type Licensing, seedLicensing } from './licensing-seeds.ts';
import type { AdminState, Agent, Allocation, Environment } from './model.ts';

const id = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-00000000000${digit}`;

/** By which the directory knows them, so that owners show as people. */
export const oidOf = (key: string) => PEOPLE.get(key)?.oid ?? '';

/** Three environments: production, makers (quotes in its name), and the default one, which has no allocation. */
export const SEED_ENVIRONMENTS: readonly Environment[] = [
  { name: id(1), displayName: 'Contoso Production', ownerId: oidOf('ana') },
  { name: id(2), displayName: `Ana's "Makers" lab`, ownerId: oidOf('ben'), isTenantPoolLocked: true },
  { name: `Default-${id(3)}`, displayName: 'Contoso (default)', ownerId: oidOf('kim') },
];

/** Six agents. Two share a bot id in different environments; what tells a harness agent comes in all its shapes. */
export const SEED_AGENTS: readonly Agent[] = [
  buildSeedAgent('agent-1', 'Invoice Reader', 0, { isCLIAgent: true, botId: 'bot-1' }),
  buildSeedAgent('agent-2', 'Travel Planner', 0, { isCLIAgent: false, botId: 'bot-2' }),
  buildSeedAgent('agent-3', 'Invoice Reader', 1, { isCLIAgent: 'true', botId: 'bot-1' }),
  buildSeedAgent('agent-4', 'Spec Writer', 1, { isCLIAgent: true, botId: 'bot-4' }),
  buildSeedAgent('agent-5', 'Old Helper', 1, { botId: 'bot-5' }),
  buildSeedAgent('agent-6', 'Trial Bot', 2, { isCLIAgent: true }),
];

function buildSeedAgent(name: string, displayName: string, environment: number, parts: Partial<Agent>): Agent {
  const { name: environmentId = '', ownerId: owner = '' } = SEED_ENVIRONMENTS[environment] ?? {};
  return { name, displayName, environmentId, ownerId: owner, ...parts };
}

/** What a stand-in is to begin with; the seeds where it names no environments. */
export type Inventory = Licensing & {
  readonly environments?: readonly Environment[] | undefined;
  readonly agents?: readonly Agent[] | undefined;
};

export function createAdminState(inventory: Inventory = {}): AdminState {
  const { environments = SEED_ENVIRONMENTS, agents = SEED_AGENTS } = inventory;
  const state: AdminState = {
    environments: environments.map((environment) => ({ ...environment })),
    agents: agents.map((agent) => ({ ...agent })),
    allocations: new Map(),
    thresholds: new Map(),
    entitlements: new Map(),
    prepaid: 100_000,
    makesAllocations: false,
  };
  if (environments === SEED_ENVIRONMENTS)
    seedLicensing(
      state,
      SEED_ENVIRONMENTS.map(({ name }) => name),
    );
  addLicensing(state, inventory);
  return state;
}

/** Many environments, each with credits, and with agents spread over them, for tests of paging and of size. */
export function generateInventory(counts: { readonly environments: number; readonly agents: number }): {
  environments: Environment[];
  agents: Agent[];
  allocations: Allocation[];
} {
  const pad = (index: number) => String(index).padStart(6, '0');
  const environments = Array.from({ length: counts.environments }, (_, index) => ({
    name: `environment-${pad(index)}`,
    displayName: `Environment ${index}`,
    ownerId: `owner-${index % 50}`,
  }));
  const agents = Array.from({ length: counts.agents }, (_, index): Agent => {
    const environmentId = `environment-${pad(index % Math.max(1, counts.environments))}`;
    const agent = { name: `agent-${pad(index)}`, displayName: `Agent ${index}`, environmentId, botId: `bot-${index}` };
    return { ...agent, ownerId: `owner-${index % 50}`, isCLIAgent: index % 3 === 0 };
  });
  return { environments, agents, allocations: generateAllocations(environments.map(({ name }) => name)) };
}
