import { expect, it } from 'vitest';
import { createProgress } from '../../../src/governance/review/show-progress.ts';

it('progress is shown now and then, one at a time, and not after its end', async () => {
  let now = 0;
  const shown: number[] = [];
  const showing = Promise.withResolvers<void>();
  const { onProgress, end } = createProgress(
    ({ done }) => {
      shown.push(done);
      return showing.promise;
    },
    { now: () => now },
  );
  const report = (at: number, done: number) => {
    now = at;
    onProgress({ done, total: 9 });
  };

  report(2_000, 1);
  report(3_000, 2);
  report(9_000, 3);
  expect(shown).toEqual([2]);
  showing.resolve();
  await showing.promise.then(() => undefined);
  report(12_000, 4);
  await end();
  report(20_000, 5);

  expect(shown).toEqual([2, 4]);
});
