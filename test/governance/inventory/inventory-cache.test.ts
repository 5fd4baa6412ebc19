import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInventoryCache, type Inventory } from '../../../src/governance/inventory/inventory-cache.ts';

const KIM = { team: 'T1', user: 'U1' };
const EMPTY: Inventory = { candidates: [], truncated: false };
const MINUTE_MS = 60_000;

let clock: sinon.SinonFakeTimers;

beforeEach(() => {
  clock = sinon.useFakeTimers({ now: 1_000_000, toFake: ['Date', 'setTimeout'] });
});
afterEach(() => clock.restore());

describe('an inventory', () => {
  it('is read once, by whoever asks first, and kept for some minutes', async () => {
    const inventories = createInventoryCache(Date.now);
    const read = sinon.spy(async () => EMPTY);

    await Promise.all([inventories.get('agents', KIM, read), inventories.get('agents', KIM, read)]);
    await inventories.get('agents', KIM, read);
    const once = read.callCount;
    clock.tick(6 * MINUTE_MS);
    await inventories.get('agents', KIM, read);

    expect([once, read.callCount]).toEqual([1, 2]);
  });

  it('is of one person alone: rights differ', async () => {
    const inventories = createInventoryCache(Date.now);
    const read = sinon.spy(async () => EMPTY);

    await inventories.get('agents', KIM, read);
    await inventories.get('agents', { ...KIM, user: 'U2' }, read);
    await inventories.get('agents', { ...KIM, team: 'T2' }, read);
    await inventories.get('environments', KIM, read);

    expect(read.callCount).toBe(4);
  });

  it('that cannot be read is not asked for again with every key that is pressed, and then it is', async () => {
    const inventories = createInventoryCache(Date.now);
    const read = sinon.stub<[], Promise<Inventory>>().rejects(new Error('403'));

    await expect(inventories.get('agents', KIM, read)).rejects.toThrow('403');
    await expect(inventories.get('agents', KIM, read)).rejects.toThrow('403');
    const once = read.callCount;
    clock.tick(10_000);
    read.resolves(EMPTY);

    expect(await inventories.get('agents', KIM, read)).toBe(EMPTY);
    expect(once).toBe(1);
  });

  it('goes where others need the room', async () => {
    const inventories = createInventoryCache(Date.now);
    const candidate = { key: 'k', id: 'i', name: 'n', where: undefined, comparable: 'n' };
    const large: Inventory = { candidates: Array.from({ length: 90_000 }, () => candidate), truncated: false };
    const read = sinon.spy(async () => large);

    for (const user of ['U1', 'U2', 'U3', 'U1']) await inventories.get('agents', { ...KIM, user }, read);

    expect(read.callCount).toBe(4);
  });
});

describe('a session that turns pages', () => {
  const anInventory = () => {
    const findAgents = sinon.spy(async () => ({ rows: [], truncated: false }));
    const findEnvironments = sinon.stub().rejects(new Error('503'));
    return { findAgents, findEnvironments, session: { findAgents, findEnvironments } as never };
  };

  it('reads agents once', async () => {
    const inventories = createInventoryCache(Date.now);
    const { findAgents, session } = anInventory();
    const find = (user: string, isFresh: boolean) =>
      inventories.toSession(session, { ...KIM, user }, { isFresh }).findAgents();

    await find('U1', true);
    clock.tick(MINUTE_MS);
    await find('U1', false);
    const once = findAgents.callCount;
    await find('U2', false);
    await find('U1', true);
    clock.tick(6 * MINUTE_MS);
    await Promise.all([find('U1', false), find('U1', false)]);

    expect([once, findAgents.callCount]).toEqual([1, 4]);
  });

  it('asks anew for what the service filters, and for what failed', async () => {
    const inventories = createInventoryCache(Date.now);
    const { findAgents, findEnvironments, session } = anInventory();
    const kept = inventories.toSession(session, KIM, { isFresh: false });

    await kept.findAgents({ environmentId: 'e' });
    await kept.findAgents({ environmentId: 'e' });
    await expect(kept.findEnvironments()).rejects.toThrow('503');
    await expect(kept.findEnvironments()).rejects.toThrow('503');

    expect([findAgents.callCount, findEnvironments.callCount]).toEqual([2, 2]);
  });
});
