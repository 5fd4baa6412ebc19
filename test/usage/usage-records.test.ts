import { expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import { createUsage } from '../../src/usage/usage-records.ts';
import { createModel } from '../storage/kernel-model.ts';
import { anAddition } from '../storage/usage-store-contract.ts';

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
