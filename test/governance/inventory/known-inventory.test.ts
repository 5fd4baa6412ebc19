import { describe, expect, it } from 'vitest';
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Agent } from '../../../src/admin-api/inventory-wire.ts';
import { createKnownInventory, rememberInventory } from '../../../src/governance/inventory/known-inventory.ts';
import type { Log } from '../../../src/log.ts';
import { createModel } from '../../storage/kernel-model.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const anAgent = (index: number): Agent => ({
  ...{ name: `a${index}`, agentResourceId: `a${index}`, displayName: `Bot ${index}`, environmentId: 'env-1' },
  ...{ ownerId: undefined, isHarness: false },
});

const agents = (count: number) => Array.from({ length: count }, (_, index) => anAgent(index));

function aWorld() {
  const clock = { now: 1_000_000 };
  const model = createModel(() => clock.now);
  const commits: number[] = [];
  const kernel: typeof model = {
    ...model,
    commit(writes) {
      commits.push(writes.length);
      return model.commit(writes);
    },
  };
  return { clock, commits, kernel, known: createKnownInventory(kernel, () => clock.now) };
}

describe('the known inventory', () => {
  it('is what was last read whole, joined as a list is', async () => {
    const { known } = aWorld();
    await known.rememberEnvironments({
      rows: [{ name: 'env-1', displayName: 'Burning', ownerId: 'o' }],
      truncated: false,
    });
    await known.rememberAgents({ rows: agents(1_234), truncated: false });

    const found = await known.read();

    expect(found?.rows).toHaveLength(1_234);
    expect(found?.rows.find(({ name }) => name === 'a1233')).toMatchObject({ environmentName: 'Burning' });
    expect(found?.environments).toEqual([{ environmentId: 'env-1', name: 'Burning', ownerId: 'o' }]);
  });

  it('is nothing where it was never read, or too long ago', async () => {
    const { clock, known } = aWorld();
    const never = await known.read();
    await known.rememberAgents({ rows: agents(3), truncated: false });
    clock.now += 29 * DAY_MS;
    const old = await known.read();
    clock.now += 2 * DAY_MS;

    expect([never, old?.rows.length, await known.read()]).toEqual([undefined, 3, undefined]);
  });

  it('keeps nothing that was read in part, and not too much', async () => {
    const { known } = aWorld();
    await known.rememberAgents({ rows: agents(2), truncated: false });
    await known.rememberAgents({ rows: agents(1), truncated: true });
    await known.rememberAgents({ rows: agents(20_001), truncated: false });

    expect((await known.read())?.rows).toHaveLength(2);
  });

  it('leaves no page behind where there are fewer', async () => {
    const { kernel, known } = aWorld();
    await known.rememberAgents({ rows: agents(1_600), truncated: false });
    await known.rememberAgents({ rows: agents(400), truncated: false });

    const [first, second, last] = await kernel.get([0, 1, 3].map((page) => `known-inventory:agents:${page}`));
    expect([first === undefined, second, last]).toEqual([false, undefined, undefined]);
    expect((await known.read())?.rows).toHaveLength(400);
  });

  it('is written where something is new, and now and then', async () => {
    const { clock, commits, known } = aWorld();
    const remember = (count: number) => known.rememberAgents({ rows: agents(count), truncated: false });
    await remember(3);
    await remember(3);
    await remember(4);
    clock.now += 60 * 60 * 1000;
    await remember(4);

    expect(commits).toHaveLength(3);
  });
});

describe('a session that remembers', () => {
  const session = {
    findAgents: async () => ({ rows: agents(2), truncated: false }),
    findEnvironments: async () => ({ rows: [], truncated: false }),
  } as unknown as AdminSession;
  const log = { warn: () => undefined } as unknown as Log;

  it('keeps what it reads whole, and not what is filtered', async () => {
    const { known } = aWorld();
    const remembering = rememberInventory(session, known, log);

    await remembering.findAgents({ environmentId: 'e' });
    const filtered = await known.read();
    await remembering.findAgents();
    await remembering.findEnvironments();
    await new Promise(setImmediate);

    expect([filtered, (await known.read())?.rows.length]).toEqual([undefined, 2]);
  });

  it('reads on where the store fails', async () => {
    const failing = { get: async () => Promise.reject(new Error('down')), commit: async () => true };
    const remembering = rememberInventory(session, createKnownInventory(failing, Date.now), log);

    expect((await remembering.findAgents()).rows).toHaveLength(2);
  });
});
