import { expect, it } from 'vitest';
import { createConsumption, type HistoryName } from '../../../src/governance/consumption/consumption-history.ts';
import { createModel } from '../../storage/kernel-model.ts';

it('a few figures are read without those of ten thousand environments', async () => {
  const kernel = createModel(() => 0);
  let bytes = 0;
  const history = createConsumption({
    ...kernel,
    async range(...asked) {
      const found = await kernel.range(...asked);
      bytes += JSON.stringify(found).length;
      return found;
    },
  });
  const ids = Array.from({ length: 10_000 }, (_one, index) => (index + 0x10000).toString(16));
  const figures = ids.map((id): [HistoryName, number] => [`environment:${id}`, 1.5]);
  await history.save(10, new Map([...figures, ['agents', 9], ['missing', 0]]));

  expect([...(await history.read(['agents', 'missing'], 1, 20)).keys()]).toEqual(['agents', 'missing']);
  expect(bytes).toBeLessThan(500);
  expect((await history.read([`environment:${ids[7]}`], 1, 20)).size).toBe(1);
  expect(bytes).toBeLessThan(30_000);
});
