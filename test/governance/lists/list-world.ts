// What lists are read from, in memory. A test changes what it is about.
import { toAgentName, toHistoryName } from '../../../src/governance/consumption/consumption-history.ts';
import { createListReader, type ListName } from '../../../src/governance/lists/list-reader.ts';
import type { AdminShell } from '../../../src/governance/shell/admin-shell.ts';
import { toSearchText } from '../../../src/governance/shell/typed-text.ts';
import { anAgent, anAllocation, anEntitlement, anEnvironment, aThreshold } from '../samples.ts';
import { aWorld, KIM } from '../world.ts';

export const NOW = Date.parse('2026-03-09T12:00:00Z');

export type ListWorld = ReturnType<typeof aListWorld>;

export function aListWorld() {
  const world = aWorld(NOW);
  const reader = createListReader(world.services);
  const services = Object.assign(world.services, { lists: reader });
  /** As the command does, and as a page that is turned does. */
  const read = (name: ListName, typed: string, isFresh = true, session = world.session) =>
    reader.read({ name, typed: toSearchText(typed), caller: KIM, session, timeZone: 'utc', isFresh });
  return {
    ...world,
    ...{ services, read },
    listen: (register: (shell: AdminShell, listing: typeof services) => void) =>
      world.listen((shell) => register(shell, services)),
    /** The rows of the CSV, by their columns. */
    async rows(name: ListName, typed = '') {
      const found = await read(name, typed);
      if ('problem' in found) throw new Error(found.problem);
      const { list, result } = found;
      const rows = result.rows.map((row) => Object.fromEntries(list.columns.map((one) => [one.name, one.read(row)])));
      return { rows, notes: result.notes, unsure: result.unsure, totals: list.totals(result.rows) };
    },
  };
}

/** Names of others, at their worst. */
export const BAD_NAME = '&<>*_`:x: '.repeat(40);

/** Everything is as long and as large as it can be. */
export async function aWorstListWorld(): Promise<ListWorld> {
  const world = aListWorld();
  const { service, services } = world;
  const bad = BAD_NAME;
  const ids = Array.from({ length: 20 }, (_, index) => `${index}${bad}`);
  service.environments = ids.map((id) => anEnvironment({ name: id, displayName: bad, ownerId: bad }));
  service.agents = ids.map((id) =>
    anAgent({ name: id, displayName: bad, environmentId: id, ownerId: bad, isHarness: 'unknown' }),
  );
  const huge = { limit: 1e300, consumption: 1e299 };
  service.thresholds = ids.map((id) => aThreshold({ environmentId: id, resourceId: id, ...huge }));
  for (const id of ids) {
    const rules = { Alert: true, TenantPool: true, PayGo: true, Deny: true };
    service.allocations.set(id, anAllocation(id, 1e15, rules));
    service.entitlements.set(id, [anEntitlement({ consumed: 1e300, payGoConsumed: 1e300, asOf: NOW })]);
  }
  await services.history.save(20_520, new Map(ids.map((id) => [toHistoryName(id), 1e300] as const)));
  const ofAgents = ids.map((id) => [toAgentName({ environmentId: id, agentId: id }), 1e300] as const);
  await services.history.save(20_543, new Map(ofAgents));
  return world;
}
