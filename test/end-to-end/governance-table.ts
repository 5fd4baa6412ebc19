// Everything that an administrator decides, as one table: how each is begun, what it is about, and where it holds in the end.
import { type Allocation, CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { awaitModal } from '../app/open-window.ts';
import { KIM } from './admin-world.ts';
import { type AdminWorld, startAdminWorld } from './live-admin.ts';
import { type LiveOptions, shareWorld } from './live-world.ts';

export const OPERATIONS = ['limit', 'stop', 'run', 'credits', 'class', 'Keep', 'Set back', 'undo', 'import'] as const;

export type Operation = (typeof OPERATIONS)[number];

/** A window that is ready to be decided, with what is filled in. */
type Begun = { view: View; entries: Entries };

export type TableWorld = AdminWorld & {
  /** Goes as far as the last window of it, for the place `nth` of this operation. */
  begin(operation: Operation, nth: number): Promise<Begun>;
  /** What the service has there now: the limit, `stopped`, or the credits. */
  read(operation: Operation, nth: number): unknown;
  /** Somebody changes the same in the console of the service. */
  meddle(operation: Operation, nth: number): void;
};

/** Before, what is decided, and after: of the agent's limit, its stop, or the environment's credits. */
export const RESULTS: Record<Operation, { before: unknown; after: unknown }> = {
  limit: { before: 200, after: 800 },
  stop: { before: false, after: true },
  run: { before: true, after: false },
  credits: { before: 100, after: 300 },
  class: { before: 500, after: 900 },
  // What is found stays, and is approved.
  Keep: { before: 700, after: 700 },
  'Set back': { before: 100, after: 200 },
  undo: { before: 100, after: 200 },
  import: { before: 200, after: 800 },
};

/** So many places for each operation. */
const PLACES = 3;

const toId = (operation: Operation, nth: number) => `${operation.toLowerCase().replace(' ', '-')}-${nth}`;

/** With a first policy: makers have a limit of 500, production one of 900, and what is set is approved. */
async function startTableWorld(options: LiveOptions, table: TableWorld): Promise<TableWorld> {
  const places = OPERATIONS.flatMap((operation) =>
    Array.from({ length: PLACES }, (_, nth) => ({ operation, id: toId(operation, nth) })),
  );
  const environments = places.map(({ id }) => ({ name: `env-${id}`, displayName: `Env ${id}`, ownerId: 'owner-1' }));
  const agents = places.map(({ id }) => ({
    ...{ name: `agent-${id}`, displayName: `Agent ${id}`, environmentId: `env-${id}`, ownerId: 'owner-1' },
    botId: `bot-${id}`,
  }));
  const thresholds = places.map(({ operation, id }) => toThreshold(id, operation));
  const allocations = environments.map(({ name }) => toAllocation(name, 100));
  await startAdminWorld({ ...options, admin: { environments, agents, thresholds, allocations } }, table);
  const { state } = table.admin;
  const toKey = (id: string) => toThresholdKey(`env-${id}`, `bot-${id}`);

  function setThreshold(id: string, values: Partial<Threshold>): void {
    const key = toKey(id);
    const threshold = state.thresholds.get(key);
    if (threshold === undefined) throw new Error(`there is no threshold of ${id}`);
    state.thresholds.set(key, { ...threshold, ...values });
  }

  /** The button of the finding of a review, after somebody has set the limit. */
  async function pressInReview(id: string, limit: number, button: string): Promise<View> {
    setThreshold(id, { limit });
    return table.press(await table.review(`"Agent ${id}"`), button);
  }

  const BEGIN: Record<Operation, (id: string) => Promise<View>> = {
    limit: (id) => table.open(`limit "Agent ${id}" 800`),
    stop: (id) => table.open(`stop "Agent ${id}"`),
    run: (id) => table.open(`run "Agent ${id}"`),
    credits: (id) => table.open(`credits "Env ${id}" 300`),
    async class(id) {
      await table.slack.as(KIM).clickInView(await table.open(`credits "Env ${id}"`), 'Class…');
      return awaitModal(table, KIM, 'form_class_set');
    },
    Keep: (id) => pressInReview(id, 700, 'Keep…'),
    'Set back': (id) => pressInReview(id, 100, 'Set back'),
    async undo(id) {
      return table.press(await table.decide(await table.open(`limit "Agent ${id}" 100`)), 'Undo');
    },
    async import(id) {
      return table.importPolicy(raiseLimit(await table.exportPolicy(), `agent-${id}`));
    },
  };

  Object.assign(table, {
    async begin(operation, nth) {
      const view = await BEGIN[operation](toId(operation, nth));
      return { view, entries: operation === 'class' ? { class: 'production' } : {} };
    },
    read(operation, nth) {
      const id = toId(operation, nth);
      if (operation === 'credits') return state.allocations.get(`env-${id}`)?.currencyAllocations[0]?.allocated;
      const { limit, stopResource } = state.thresholds.get(toKey(id)) ?? {};
      return operation === 'stop' || operation === 'run' ? stopResource : limit;
    },
    meddle(operation, nth) {
      const id = toId(operation, nth);
      if (operation === 'credits') state.allocations.set(`env-${id}`, toAllocation(`env-${id}`, 77));
      else setThreshold(id, { limit: 77 });
    },
  } satisfies Pick<TableWorld, 'begin' | 'read' | 'meddle'>);
  const count = state.thresholds.size;
  await table.draft({ words: '', maker: '500', production: '900', runs: ['yes'] });
  if (state.thresholds.size !== count) throw new Error('the draft changed something');
  return table;
}

/** One for a whole file or `describe`. */
export function shareTableWorld(options: LiveOptions = {}): TableWorld {
  return shareWorld<TableWorld>((table) => startTableWorld(options, table));
}

/** One for a test, which ends with it. */
export async function openTableWorld(options: LiveOptions, onEnd: (end: () => Promise<void>) => void) {
  const world = await startTableWorld(options, {} as TableWorld);
  onEnd(() => world.close());
  return world;
}

function toThreshold(id: string, operation: Operation): Threshold {
  return {
    ...{ entitlementId: CURRENCY, environmentId: `env-${id}`, resourceId: `bot-${id}` },
    limit: operation === 'class' ? 500 : 200,
    ...{ notificationThreshold: 80, notifyIfOverCapacity: true, stopIfOverCapacity: false },
    ...{ stopResource: operation === 'run', resourceConsumption: 0, createdOn: '2026-01-15T08:00:00Z' },
  };
}

function toAllocation(environmentId: string, allocated: number): Allocation {
  const rules = { Alert: true, TenantPool: false, PayGo: false, Deny: false };
  const enforcementRules = Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled }));
  const currency = { currencyType: CURRENCY, allocated, autoAllocated: 0, enforcementRules };
  return { environmentId, currencyAllocations: [currency] };
}

/** In the text of a policy: the limit of this agent, and of no other. */
function raiseLimit(text: string, agent: string): string {
  const at = text.indexOf(agent);
  return text.slice(0, at) + text.slice(at).replace('credits: 200', 'credits: 800');
}
