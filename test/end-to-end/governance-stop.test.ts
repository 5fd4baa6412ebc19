// A stop comes first: before anything is read, however slow the service, however many.
// Where the service shows no limits: governance/run/killed.test.ts.
import { type Threshold, toThresholdKey } from '@assistant-bridge/sandbox/admin/model.ts';
import { generateInventory } from '@assistant-bridge/sandbox/admin/seeds.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { closeModals } from '../app/open-window.ts';
import { KIM, OUTCOME } from './admin-world.ts';
import { shareAdminWorld } from './live-admin.ts';

const AGENTS = 15;
const BURNING = 'environment-000001';

/** Of every third agent there is no limit; one is stopped already. */
function buildThresholds(agents: readonly { environmentId: string; botId?: string }[]): Threshold[] {
  return agents.flatMap(({ environmentId, botId = '' }, index) =>
    index % 3 === 0
      ? []
      : [
          {
            ...{ entitlementId: 'ServiceMessages', environmentId, resourceId: botId, limit: 100 + index },
            ...{
              notificationThreshold: 70,
              notifyIfOverCapacity: index % 2 === 0,
              stopIfOverCapacity: index % 4 === 1,
            },
            ...{ stopResource: index === 7, resourceConsumption: index, createdOn: '2026-01-15T08:00:00Z' },
          },
        ],
  );
}

describe('a stop', () => {
  const inventory = generateInventory({ environments: 3, agents: 3 * AGENTS });
  const thresholds = buildThresholds(inventory.agents);
  const world = shareAdminWorld({ admin: { ...inventory, thresholds } });
  // Whoever looked once knows who there is.
  beforeAll(async () => expect(await world.tell('agents')).toContain('45 agents'));

  const own = () => world.admin.state.agents.filter(({ environmentId }) => environmentId === BURNING);
  const thresholdOf = ({ environmentId, botId = '' }: { environmentId: string; botId?: string }) =>
    world.admin.state.thresholds.get(toThresholdKey(environmentId, botId));
  /** What counts of each: none is the same as one that does nothing. */
  const readAll = () =>
    own().map((agent) => {
      const shown: Partial<Threshold> = thresholdOf(agent) ?? {};
      const { limit = 0, stopResource = false, stopIfOverCapacity = false } = shown;
      const notice = shown.notifyIfOverCapacity ? shown.notificationThreshold : 'off';
      return { agent: agent.name, limit, stopResource, notice, stopIfOverCapacity };
    });
  const countStopped = () => readAll().filter(({ stopResource }) => stopResource).length;

  it('is at the service before any other call is answered', async () => {
    const { admin } = world;
    const begun = Date.now();
    const { promise: arrived, resolve } = Promise.withResolvers<number>();
    const stop = admin.onCall(({ operation }) => {
      if (operation !== 'write-threshold') return arrived.then(() => undefined);
      resolve(Date.now() - begun);
      return undefined;
    });
    const view = await world.open('stop "Agent 0"');
    const ended = world.decide(view);
    console.log(`a stop was at the service after ${await arrived} ms, where no other call was answered`);
    stop();

    // The service answers what was there only after it: whether there was a limit cannot be told then, and is said.
    expect(world.render(await ended)).toMatch(/^(?:✓|:warning:) \*Agent 0\*/);
    expect(admin.state.thresholds.get(toThresholdKey('environment-000000', 'bot-0'))?.stopResource).toBe(true);
  });

  it('of an environment takes three interactions, and `run` gives back exactly what was there', async () => {
    const before = readAll();
    await closeModals(world, KIM);
    const steps = world.countSteps();

    const window = await world.open('stop env:"Environment 1"');
    const shown = world.render(window);
    const stopped = world.render(await world.decide(window, { reason: 'It burns money' }));
    const interactions = world.countSteps() - steps;
    const count = countStopped();
    const ran = world.render(await world.decide(await world.open('run env:"Environment 1"')));

    console.log(`stopped an environment with ${AGENTS} agents in ${interactions} interactions`);
    expect(shown).toContain('[Stop 15]');
    expect(interactions).toBeLessThanOrEqual(3);
    expect(count).toBe(AGENTS);
    expect(stopped).toMatch(/^✓ \*1[45] stops\*/);
    expect(ran).toMatch(OUTCOME);
    expect(readAll()).toEqual(before);
    expect((await world.tell('policy export')) && (await world.tell('log burns'))).toContain('It burns money');
  });
});
