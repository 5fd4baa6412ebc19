// Everything that an administrator decides, as one table: how each is begun, what it is about, and where it holds in the end.
import { type Allocation, CURRENCY, type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import type { SandboxUser } from '@assistant-bridge/sandbox/sandbox.ts';
import type { Entries } from '@assistant-bridge/sandbox/slack/people/modal.ts';
import type { View } from '@assistant-bridge/sandbox/slack/records.ts';
import { readDirect } from '../app/administer.ts';
import { type AdminWorld, KIM, startAdminWorld } from './admin-world.ts';

export const OPERATIONS = ['limit', 'stop', 'run', 'credits', 'class', 'Keep', 'Set back', 'undo', 'import'] as const;

export type Operation = (typeof OPERATIONS)[number];

/** A window that is ready to be decided, with what is filled in. */
type Begun = { view: View; entries: Entries };

export type TableWorld = AdminWorld & {
  /** Goes as far as the last window of it, for the place `nth` of this operation. */
  begin(operation: Operation, nth: number, user?: SandboxUser): Promise<Begun>;
  /** What the service has there now: the limit, `stopped`, or the credits. */
  read(operation: Operation, nth: number): unknown;
  /** Somebody changes the same in the console of the service. */
  meddle(operation: Operation, nth: number): void;
  /** The stored policy, as YAML. */
  exportPolicy(user?: SandboxUser): Promise<string>;
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
export async function startTableWorld(
  settings: Record<string, string> = {},
  thresholdList = true,
): Promise<TableWorld> {
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
  const admin = { environments, agents, thresholds, allocations, thresholdList };
  const live = await startAdminWorld({ admin }, settings);
  const { slack } = live;
  const { state } = live.admin;
  const toKey = (id: string) => toThresholdKey(`env-${id}`, `bot-${id}`);

  function setThreshold(id: string, values: Partial<Threshold>): void {
    const key = toKey(id);
    const threshold = state.thresholds.get(key);
    if (threshold === undefined) throw new Error(`there is no threshold of ${id}`);
    state.thresholds.set(key, { ...threshold, ...values });
  }

  async function exportPolicy(user: SandboxUser = KIM): Promise<string> {
    const before = readDirect(live, user).length;
    await live.tell('policy export', user);
    const file = await slack.until(
      () =>
        readDirect(live, user)
          .slice(before)
          .flatMap(({ files = [] }) => files)[0],
    );
    return String(slack.workspace.files.get(String(file.id))?.content);
  }

  const BEGIN: Record<Operation, (id: string, user: SandboxUser) => Promise<Begun>> = {
    async limit(id, user) {
      return { view: await live.open(`limit "Agent ${id}" 800`, user), entries: {} };
    },
    async stop(id, user) {
      return { view: await live.open(`stop "Agent ${id}"`, user), entries: {} };
    },
    async run(id, user) {
      return { view: await live.open(`run "Agent ${id}"`, user), entries: {} };
    },
    async credits(id, user) {
      return { view: await live.open(`credits "Env ${id}" 300`, user), entries: {} };
    },
    async class(id, user) {
      const credits = await live.open(`credits "Env ${id}"`, user);
      await slack.as(user).clickInView(credits, 'Class…');
      const view = await slack.until(() => {
        const open = slack.as(user).openView();
        return open?.callbackId === 'form_class_set' ? open : undefined;
      });
      return { view, entries: { class: 'production' } };
    },
    async Keep(id, user) {
      setThreshold(id, { limit: 700 });
      const report = await live.review(`"Agent ${id}"`, user);
      return { view: await live.press(report, 'Keep…', user), entries: {} };
    },
    async 'Set back'(id, user) {
      setThreshold(id, { limit: 100 });
      const report = await live.review(`"Agent ${id}"`, user);
      return { view: await live.press(report, 'Set back', user), entries: {} };
    },
    async undo(id, user) {
      const set = await live.decide(await live.open(`limit "Agent ${id}" 100`, user), {}, user);
      return { view: await live.press(set, 'Undo', user), entries: {} };
    },
    async import(id, user) {
      const text = await exportPolicy(user);
      const { dm } = slack.as(user);
      const content = raiseLimit(text, `agent-${id}`);
      await slack.as(user).say(dm, '', { files: [{ name: 'policy.yaml', content }] });
      const form = await live.open('policy import', user);
      await live.submit(form, {}, user);
      const view = await slack.until(() => {
        const open = slack.as(user).openView();
        return open && !open.callbackId.includes('reading') && open.callbackId !== 'policy_import' ? open : undefined;
      });
      return { view, entries: {} };
    },
  };

  const table: TableWorld = {
    ...live,
    exportPolicy,
    begin: (operation, nth, user = KIM) => BEGIN[operation](toId(operation, nth), user),
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
  };
  await draft(table);
  return table;
}

/** The first policy, with a class for every environment. */
async function draft(world: TableWorld): Promise<void> {
  const count = world.admin.state.thresholds.size;
  const empty = await world.awaitSaid(() => world.tell('review'), /The policy is empty/);
  const form = await world.press(empty, 'Draft a policy…');
  await world.decide(form, { words: '', maker: '500', production: '900', runs: ['yes'] });
  if (world.admin.state.thresholds.size !== count) throw new Error('the draft changed something');
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
