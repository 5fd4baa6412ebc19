import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeptInventories, type Inventory } from '../../../../src/slack/listeners/admin/kept-inventories.ts';

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
    const inventories = createKeptInventories(Date.now);
    const read = sinon.spy(async () => EMPTY);

    await Promise.all([inventories.get('agents', KIM, read), inventories.get('agents', KIM, read)]);
    await inventories.get('agents', KIM, read);
    const once = read.callCount;
    clock.tick(6 * MINUTE_MS);
    await inventories.get('agents', KIM, read);

    expect([once, read.callCount]).toEqual([1, 2]);
  });

  it('is of one person alone: rights differ', async () => {
    const inventories = createKeptInventories(Date.now);
    const read = sinon.spy(async () => EMPTY);

    await inventories.get('agents', KIM, read);
    await inventories.get('agents', { ...KIM, user: 'U2' }, read);
    await inventories.get('agents', { ...KIM, team: 'T2' }, read);
    await inventories.get('environments', KIM, read);

    expect(read.callCount).toBe(4);
  });

  it('that cannot be read is not asked for again with every key that is pressed, and then it is', async () => {
    const inventories = createKeptInventories(Date.now);
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
    const inventories = createKeptInventories(Date.now);
    const candidate = { key: 'k', id: 'i', name: 'n', where: undefined, comparable: 'n' };
    const large: Inventory = { candidates: Array.from({ length: 90_000 }, () => candidate), truncated: false };
    const read = sinon.spy(async () => large);

    for (const user of ['U1', 'U2', 'U3', 'U1']) await inventories.get('agents', { ...KIM, user }, read);

    expect(read.callCount).toBe(4);
  });
});
