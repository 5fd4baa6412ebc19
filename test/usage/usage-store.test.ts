import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import type { UsageStore } from '../../src/usage/usage.ts';
import { createUsage } from '../../src/usage/usage-records.ts';
import { createModel } from '../storage/kernel-model.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { anAddition } from './an-addition.ts';

let usage: UsageStore;

beforeEach(() => {
  ({ usage } = createMemoryStore());
});

describe('the usage of a workspace', () => {
  it('is summed over the days that are asked for', async () => {
    await usage.add(anAddition(10, { questions: 1, direct: 1 }));
    await usage.add(anAddition(11, { questions: 2 }));
    await usage.add(anAddition(12, { questions: 4 }));

    expect(await usage.read('T1', 11)).toMatchObject({ counts: { questions: 6 }, firstDay: 11 });
    expect(await usage.read('T1', 1)).toMatchObject({ counts: { questions: 7, direct: 1 }, firstDay: 10 });
    expect(await usage.read('T1', 13)).toEqual({ counts: {}, people: {}, firstDay: undefined });
  });

  it('counts everybody once, on the last day that they were there', async () => {
    await usage.add(anAddition(10, { questions: 2 }, { questions: ['ana', 'ben'] }));
    await usage.add(anAddition(12, { questions: 2, direct: 1 }, { questions: ['ana', 'cem'], direct: ['ana'] }));
    await usage.add(anAddition(11, { questions: 1 }, { questions: ['ana'] }));

    expect((await usage.read('T1', 10)).people).toEqual({ questions: 3, direct: 1 });
    expect((await usage.read('T1', 12)).people).toEqual({ questions: 2, direct: 1 });
  });

  it('loses nothing that many replicas add at once', async () => {
    const additions = Array.from({ length: 30 }, (_, index) =>
      usage.add(anAddition(10, { questions: 1 }, { questions: [`person ${index % 7}`] })),
    );
    await Promise.all(additions);

    expect(await usage.read('T1', 10)).toMatchObject({ counts: { questions: 30 }, people: { questions: 7 } });
  });

  it('counts an addition once, however often it is repeated, also beside others', async () => {
    const first = anAddition(10, { questions: 1 }, { questions: ['ana'] });
    await usage.add(first);
    await usage.add(anAddition(10, { questions: 2 }, { questions: ['ben'] }));
    await usage.add(first);
    await usage.add({ ...anAddition(10, { questions: 4 }), writer: first.writer, number: first.number + 1 });
    await usage.add(first);

    expect(await usage.read('T1', 10)).toMatchObject({ counts: { questions: 7 }, people: { questions: 2 } });
  });

  it('remembers a writer that writes beside all who have ended', async () => {
    const first = anAddition(10, { questions: 1 });
    for (let index = 0; index < 120; index += 1) {
      await usage.add(anAddition(10, { questions: 1 }));
      await usage.add({ ...first, number: index + 1 });
      await usage.add({ ...first, number: index + 1 });
    }

    expect(await usage.read('T1', 10)).toMatchObject({ counts: { questions: 240 } });
  });

  it('is forgotten day by day, and people with their last day', async () => {
    await usage.add(anAddition(10, { questions: 1, direct: 1 }, { questions: ['ana', 'ben'], direct: ['ana'] }));
    await usage.add(anAddition(11, { questions: 1 }, { questions: ['ben'] }));

    // A day, and Ana under both names.
    expect(await usage.forget(11)).toBe(3);

    expect(await usage.read('T1', 1)).toEqual({
      counts: { questions: 1 },
      people: { questions: 1 },
      firstDay: 11,
    });
    expect(await usage.forget(11)).toBe(0);
  });
});

it('the people of an addition are written by the hundred, and counted once where that breaks off', async () => {
  const kernel = createModel(() => 0);
  const sizes: number[] = [];
  const usage = createUsage({
    ...kernel,
    async commit(writes) {
      sizes.push(writes.length);
      if (sizes.length === 2) throw new StoreUnavailableError('away');
      return kernel.commit(writes);
    },
  });
  const people = Array.from({ length: 450 }, (_one, index) => `person ${index}`);
  const addition = anAddition(10, { questions: 450 }, { questions: people });

  await expect(usage.add(addition)).rejects.toThrow('away');
  await usage.add(addition);

  expect(sizes).toEqual([200, 200, 200, 50, 1]);
  expect(await usage.read('T1', 1)).toMatchObject({ counts: { questions: 450 }, people: { questions: 450 } });
});
