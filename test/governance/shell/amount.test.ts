// What a field begins with is what is read from it again.
import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT, readAmount, toTypedAmount } from '../../../src/governance/shell/amount.ts';

describe('an amount in a field', () => {
  it.each([0, 1, 1_000, 82.5, 1.125, 999.125, 1_234.125, 0.125, 0.000_000_1, MAX_AMOUNT])(
    'is read as the same number: %s',
    (amount) => {
      expect(readAmount(toTypedAmount(amount))).toBe(amount);
    },
  );
});
