import { describe, expect, it } from 'vitest';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';

const pause = () => new Promise((resolve) => setImmediate(resolve));

describe('one at a time', () => {
  it('runs those of one key in their order, and never two', async () => {
    const exclusively = createExclusively();
    const seen: string[] = [];
    const run = (name: string) => async () => {
      seen.push(`${name} begins`);
      await pause();
      seen.push(`${name} ends`);
    };

    await Promise.all(['a', 'b', 'c'].map((name) => exclusively('key', run(name))));

    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets those of other keys go on meanwhile', async () => {
    const exclusively = createExclusively();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = exclusively('one', () => held);

    await expect(exclusively('other', async () => 'done')).resolves.toBe('done');

    release();
    await first;
  });

  it('goes on after a failure, which is its own alone', async () => {
    const exclusively = createExclusively();

    const results = await Promise.allSettled([
      exclusively('key', () => Promise.reject(new Error('first'))),
      exclusively('key', async () => 'second'),
    ]);

    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'second' }]);
  });

  it('takes the lock of all replicas, too, where there is one', async () => {
    const taken: string[] = [];
    const exclusively = createExclusively(async (key, run) => {
      taken.push(key);
      return run();
    });

    await exclusively('key', pause);

    expect(taken).toEqual(['key']);
  });
});
