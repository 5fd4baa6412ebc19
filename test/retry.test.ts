import { describe, expect, it } from 'vitest';
import { retry } from '../src/retry.ts';

/** Fails so many times, then gives how often it was tried. */
function failing(times: number) {
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (attempts <= times) throw new Error(`failure ${attempts}`);
    return attempts;
  };
}

describe('retry', () => {
  it('tries again after the wait that is named for each failure', async () => {
    const waits: number[] = [];

    const result = await retry(
      failing(3),
      (_, failures) => failures * 10,
      async (ms) => void waits.push(ms),
    );

    expect([result, waits]).toEqual([4, [10, 20, 30]]);
  });

  it('throws the error for which no wait is named', async () => {
    const attempt = retry(failing(3), (_, failures) => (failures < 2 ? 0 : undefined));

    await expect(attempt).rejects.toThrow('failure 2');
  });

  it('ends with what the wait rejects with', async () => {
    const wait = () => Promise.reject(new Error('stopped'));

    await expect(retry(failing(1), () => 0, wait)).rejects.toThrow('stopped');
  });
});
