import { describe, expect, it } from 'vitest';
import { type AllocationForm, parseAllocationForm } from '../../../src/governance/allocations/allocation-plan.ts';
import { CURRENCY } from './samples.ts';

const aForm = (values: Partial<AllocationForm> = {}): AllocationForm => ({
  currencyType: CURRENCY,
  allocated: '25,000',
  rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' },
  ...values,
});

describe('the form of an allocation', () => {
  it('becomes what is wanted', () => {
    expect(parseAllocationForm(aForm())).toEqual({
      ok: true,
      wanted: {
        currencyType: CURRENCY,
        allocated: 25_000,
        rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true },
      },
    });
  });

  it.each([
    ['', 'Enter the credits'],
    ['-1', 'cannot be negative'],
    ['−5', 'cannot be negative'],
    ['1.5', 'whole number'],
    ['9007199254740992', 'too large'],
    ['9'.repeat(60), 'too large'],
    ['1e3', 'digits only'],
    ['NaN', 'digits only'],
    ['many', 'digits only'],
  ])('refuses "%s" at its field: %s', (allocated, words) => {
    const parsed = parseAllocationForm(aForm({ allocated }));

    expect(parsed).toEqual({ ok: false, errors: { allocated: expect.stringContaining(words) } });
  });

  it.each([
    ['0', 0],
    [' 1 000 000 ', 1_000_000],
    ['2,147,483,647', 2_147_483_647],
    ['3,000,000,000', 3_000_000_000],
  ])('takes "%s"', (allocated, credits) => {
    expect(parseAllocationForm(aForm({ allocated }))).toMatchObject({ ok: true, wanted: { allocated: credits } });
  });

  it('names every rule that nobody chose, with a wrong amount at once', () => {
    const parsed = parseAllocationForm(aForm({ allocated: 'x', rules: { Alert: 'off', Deny: 'off' } }));

    const sentence = expect.stringMatching(/\.$/);
    expect(parsed).toEqual({ ok: false, errors: { allocated: sentence, TenantPool: sentence, PayGo: sentence } });
  });
});
