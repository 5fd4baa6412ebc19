import { describe, expect, it } from 'vitest';
import { toPercentUsed } from '../../../src/governance/shell/whole-number.ts';

describe('the percentage that is used', () => {
  it.each([
    [0, 0],
    [0.796, 79],
    [0.8, 80],
    [0.999, 99],
    [1, 100],
    [1.049, 104],
  ])('is rounded down, so that no level shows before it is reached: %s', (share, percent) => {
    expect(toPercentUsed(share)).toBe(percent);
  });

  it('is exact where the share times 100 is not', () => {
    const shares = Array.from({ length: 200 }, (_, index) => index);

    expect(shares.map((one) => toPercentUsed(one / 100))).toEqual(shares);
  });

  it('is 100 only of what is used up', () => {
    expect(toPercentUsed(1 - Number.EPSILON)).toBe(99);
  });
});
