import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT, readAmount, toPercentUsed, toTypedAmount } from '../../../src/governance/shell/numbers.ts';

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

it('is in no language so many hundred where it begins with 0 and a comma', () => {
  expect(['0,123', '0,5', '01,000', '1,000'].map(readAmount)).toEqual([
    'not_grouped',
    'not_grouped',
    'not_grouped',
    1_000,
  ]);
});

// What a field begins with is what is read from it again.
describe('an amount in a field', () => {
  it.each([0, 1, 1_000, 82.5, 1.125, 999.125, 1_234.125, 0.125, 0.000_000_1, MAX_AMOUNT])(
    'is read as the same number: %s',
    (amount) => {
      expect(readAmount(toTypedAmount(amount))).toBe(amount);
    },
  );
});
