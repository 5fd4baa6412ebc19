import { beforeEach, describe, expect, it } from 'vitest';
import type { ConsumptionStore, HistoryName } from '../../src/governance/consumption/consumption-history.ts';
import { toDay } from '../../src/usage/usage.ts';
import { createMemoryStore } from './memory-store.ts';

const LAB = 'environment:lab';
const TODAY = toDay(Date.now());

const figures = (entries: Partial<Record<HistoryName, number>>) =>
  new Map(Object.entries(entries) as [HistoryName, number][]);

let consumption: ConsumptionStore;

beforeEach(() => {
  ({ consumption } = createMemoryStore());
});

describe('the consumption of days', () => {
  it('is read by name, in the order of the days', async () => {
    await consumption.save(TODAY - 1, figures({ [LAB]: 20, agents: 120.5 }));
    await consumption.save(TODAY - 2, figures({ [LAB]: 10, agents: 100 }));
    await consumption.save(TODAY - 40, figures({ [LAB]: 5 }));

    const read = await consumption.read([LAB, 'agents', 'environment:other'], TODAY - 30, TODAY);

    expect(Object.fromEntries(read)).toEqual({
      [LAB]: [
        { day: TODAY - 2, credits: 10 },
        { day: TODAY - 1, credits: 20 },
      ],
      agents: [
        { day: TODAY - 2, credits: 100 },
        { day: TODAY - 1, credits: 120.5 },
      ],
    });
    expect(await consumption.read([], TODAY - 30, TODAY)).toEqual(new Map());
  });

  it('is replaced by a later count of the same day', async () => {
    await consumption.save(TODAY, figures({ [LAB]: 10, agents: 50 }));
    await consumption.save(TODAY, figures({ [LAB]: 12 }));

    const read = await consumption.read([LAB, 'agents'], TODAY, TODAY);

    expect([...read.values()].flat()).toEqual([
      { day: TODAY, credits: 12 },
      { day: TODAY, credits: 50 },
    ]);
  });

  it('is forgotten after its time', async () => {
    await consumption.save(10, figures({ [LAB]: 10 }));
    await consumption.save(TODAY, figures({ [LAB]: 20 }));

    await consumption.forget(TODAY - 124);

    expect(await consumption.read([LAB], 0, 20)).toEqual(new Map());
    expect((await consumption.read([LAB], TODAY, TODAY)).get(LAB)).toHaveLength(1);
  });
});
