import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entitlement } from '../../../src/admin-api/licensing-wire.ts';
import { forecast, shareUsed, toCreditUsage } from '../../../src/governance/consumption/credit-usage.ts';
import { CURRENCY } from '../samples.ts';

const at = (iso: string) => Date.parse(iso);
const ELEVENTH = at('2026-03-11T00:00:00Z');

describe('a forecast', () => {
  it.each<[string, number, number, string, ReturnType<typeof forecast>]>([
    // 500 in ten days: another 600 take twelve.
    ['when the credits are used up at this rate', 500, 1_100, '2026-03-11', { kind: 'reaches', at: at('2026-03-23') }],
    ['what is used by the end of the month', 100, 1_100, '2026-03-11', { kind: 'stays_within', consumed: 310 }],
    ['how long a month is, also in December', 100, 310, '2026-12-11', { kind: 'stays_within', consumed: 310 }],
    ['that they are used up', 1_000, 1_000, '2026-03-11', { kind: 'reached' }],
    ['that more is used than there was', 1_001, 1_000, '2026-03-11', { kind: 'reached' }],
  ])('says %s', (_, consumed, capacity, day, told) => {
    expect(forecast({ consumed, capacity, asOf: at(day) }, at(day))).toEqual(told);
  });

  it.each<[string, Parameters<typeof forecast>[0], number]>([
    ['on the first day', { consumed: 5, capacity: 10, asOf: at('2026-03-01T23:00:00Z') }, at('2026-03-01T23:30:00Z')],
    ['from figures of last month', { consumed: 5, capacity: 10, asOf: at('2026-02-28T12:00:00Z') }, ELEVENTH],
    ['from figures of a month to come', { consumed: 5, capacity: 10, asOf: at('2026-04-02T12:00:00Z') }, ELEVENTH],
    ['without capacity', { consumed: 5, capacity: 0, asOf: ELEVENTH }, ELEVENTH],
    ['from less than nothing', { consumed: -5, capacity: 10, asOf: ELEVENTH }, ELEVENTH],
    ['from figures that are none', { consumed: Number.NaN, capacity: 10, asOf: ELEVENTH }, ELEVENTH],
  ])('is not made %s', (_, figures, now) => {
    expect(forecast(figures, now)).toBeUndefined();
  });

  it('is never before the figures, nor after their month', () => {
    const figures = fc.record({
      consumed: fc.nat(),
      capacity: fc.nat(),
      asOf: fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') }),
    });
    fc.assert(
      fc.property(figures, (month) => {
        const told = forecast(month, month.asOf);
        if (told?.kind === 'stays_within') return told.consumed >= month.consumed;
        if (told?.kind !== 'reaches') return true;
        const sameMonth =
          new Date(told.at).toISOString().slice(0, 7) === new Date(month.asOf).toISOString().slice(0, 7);
        return told.at >= month.asOf && sameMonth;
      }),
    );
  });
});

describe('the share', () => {
  it.each([
    [50, 100, 0.5],
    [150, 100, 1.5],
    [0, 100, 0],
    [-1, 100, 0],
    [5, 0, undefined],
    [undefined, 100, undefined],
    [5, undefined, undefined],
  ])('of %s in %s is %s', (consumed, capacity, share) => {
    expect(shareUsed(consumed, capacity)).toBe(share);
  });
});

describe('the usage of an environment', () => {
  function anEntitlement(values: Partial<Entitlement> = {}): Entitlement {
    const figures = { consumed: 500, consumptionType: 'MonthToDate', asOf: ELEVENTH, capacity: 1100, payGoConsumed: 0 };
    return { entitlementId: CURRENCY, ...figures, ...values };
  }

  it('has a share, a forecast, and the time of its figures', () => {
    const [usage] = toCreditUsage([anEntitlement()], ELEVENTH + 3_600_000);

    expect(usage).toEqual({
      currencyType: CURRENCY,
      consumed: 500,
      capacity: 1100,
      share: 500 / 1100,
      payGoConsumed: 0,
      asOf: ELEVENTH,
      isMonthToDate: true,
      isStale: false,
      forecast: { kind: 'reaches', at: at('2026-03-23T00:00:00Z') },
    });
  });

  it.each<[string, Partial<Entitlement>]>([
    ['a snapshot', { consumptionType: 'Snapshot' }],
    ['nobody knows what', { consumptionType: undefined }],
    ['nobody knows when', { asOf: undefined }],
    ['without a limit', { capacity: undefined }],
  ])('has no forecast where the figure is %s', (_, values) => {
    expect(toCreditUsage([anEntitlement(values)], ELEVENTH)[0]?.forecast).toBeUndefined();
  });

  it('says that figures are old', () => {
    const [usage] = toCreditUsage([anEntitlement()], ELEVENTH + 24 * 3_600_000 + 1);

    expect(usage?.isStale).toBe(true);
  });

  it('leaves out what names no currency', () => {
    expect(toCreditUsage([anEntitlement({ entitlementId: undefined })], ELEVENTH)).toEqual([]);
  });
});
