import { describe, expect, it } from 'vitest';
import type { CurrencyAllocation } from '../../../src/admin-api/licensing-wire.ts';
import type { RuleType } from '../../../src/governance/allocations/allocation.ts';
import type { StatedCredits } from '../../../src/governance/allocations/allocation-plan.ts';
import { ALL_OFF, aCurrency, anAllocation, aPlan } from './samples.ts';

const codes = (plan: { warnings: { code: string }[] }) => plan.warnings.map(({ code }) => code);

describe('what is warned of', () => {
  const used = (consumed: number) => [{ currencyType: 'servicemessages', consumed }];
  const on = (...rules: string[]) => ({ ...ALL_OFF, ...Object.fromEntries(rules.map((rule) => [rule, true])) });

  it.each<[string, Record<RuleType, boolean>, Partial<StatedCredits>, number, string[]]>([
    ['Deny where credits are left', ALL_OFF, { rules: { Deny: true } }, 10, ['denies_when_used_up']],
    ['Deny where they are used up', ALL_OFF, { rules: { Deny: true } }, 1000, ['denies_at_once']],
    ['Deny with nothing allocated', ALL_OFF, { allocated: 0, rules: { Deny: true } }, 0, ['denies_at_once', 'lowers']],
    [
      'Deny where they are used up, and the pool helps',
      on('TenantPool'),
      { rules: { Deny: true } },
      1000,
      ['denies_when_used_up', 'below_consumption'],
    ],
    ['fewer credits than are used, with Deny', on('Deny'), { allocated: 5 }, 10, ['denies_at_once', 'lowers']],
    ['fewer credits, with Deny', on('Deny'), { allocated: 500 }, 10, ['used_up_sooner', 'lowers']],
    ['fewer credits', ALL_OFF, { allocated: 500 }, 10, ['lowers']],
    ['fewer credits than are used', ALL_OFF, { allocated: 5 }, 10, ['below_consumption', 'lowers']],
    ['more credits', ALL_OFF, { allocated: 1001 }, 10, ['raises']],
    ['the pool, on', ALL_OFF, { rules: { TenantPool: true } }, 10, ['draws_on_pool']],
    ['the pool, off', on('TenantPool'), { rules: { TenantPool: false } }, 10, ['draws_no_more']],
    [
      'the pool, off where credits are used up and Deny is on',
      on('TenantPool', 'Deny'),
      { rules: { TenantPool: false } },
      1000,
      ['denies_at_once', 'draws_no_more'],
    ],
    ['pay as you go, on', ALL_OFF, { rules: { PayGo: true } }, 10, ['bills']],
    ['pay as you go, off', on('PayGo'), { rules: { PayGo: false } }, 10, ['bills_no_more']],
    ['Deny, off', on('Deny'), { rules: { Deny: false } }, 10, ['denies_no_more']],
    ['Alert, off', on('Alert'), { rules: { Alert: false } }, 10, ['alerts_no_more']],
    ['nothing, where Deny is on already', on('Deny'), {}, 10, []],
  ])('is %s', (_, rules, stated, consumed, expected) => {
    const before = anAllocation(aCurrency({}, rules));

    expect(codes(aPlan(before, stated, used(consumed)))).toEqual(expected);
  });

  it('is replacing what cannot be read', () => {
    const before = anAllocation(aCurrency({ allocated: undefined }));

    expect(codes(aPlan(before, { allocated: 5 }))).toEqual(['replaces_unknown']);
  });

  it('ends with a sentence, and holds nothing that came from outside', () => {
    const before = anAllocation(aCurrency({ currencyType: '<!channel>' }));
    const stated = { currencyType: '<!channel>', allocated: 1, rules: { Deny: true, PayGo: true, TenantPool: true } };

    const { warnings } = aPlan(before, stated);

    expect(warnings.length).toBeGreaterThan(2);
    expect(warnings.every(({ text }) => text.endsWith('.') && !text.includes('<'))).toBe(true);
  });
});

describe('loosening', () => {
  it.each<[string, Partial<CurrencyAllocation>, Partial<StatedCredits>, boolean | 'unknown']>([
    ['more credits', {}, { allocated: 1001 }, true],
    ['fewer credits', {}, { allocated: 999 }, false],
    ['credits over an unknown amount', { allocated: undefined }, { allocated: 1 }, 'unknown'],
    ['the pool, on', {}, { rules: { TenantPool: true } }, true],
    ['pay as you go, on', {}, { rules: { PayGo: true } }, true],
    ['Deny, on', {}, { rules: { Deny: true } }, false],
    ['Alert, on', {}, { rules: { Alert: true } }, false],
    ['fewer credits and the pool, on', {}, { allocated: 1, rules: { TenantPool: true } }, true],
  ])('of %s is told', (_, values, stated, loosens) => {
    expect(aPlan(anAllocation(aCurrency(values)), stated).loosens).toBe(loosens);
  });

  it.each<[string, boolean | 'unknown' | undefined, RuleType, boolean, boolean | 'unknown']>([
    ['on', true, 'Deny', false, true],
    ['on', true, 'TenantPool', false, false],
    ['the platform', undefined, 'Deny', false, 'unknown'],
    ['the platform', undefined, 'Deny', true, false],
    ['the platform', undefined, 'TenantPool', true, 'unknown'],
    ['the platform', undefined, 'TenantPool', false, false],
    ['the platform', undefined, 'PayGo', true, 'unknown'],
    ['nobody knows what', 'unknown', 'PayGo', true, 'unknown'],
    ['nobody knows what', 'unknown', 'Deny', true, false],
  ])('from %s (%s): %s to %s is %s', (_, old, rule, wanted, loosens) => {
    const others = Object.entries({ ...ALL_OFF, Deny: true }).filter(([name]) => name !== rule);
    const rules = Object.fromEntries([...others, ...(old === undefined ? [] : [[rule, old]])]);

    const before = anAllocation(aCurrency({}, rules));

    expect(aPlan(before, { rules: { [rule]: wanted } }).loosens).toBe(loosens);
  });

  it('of a currency that the environment has not yet is every credit', () => {
    const before = anAllocation(aCurrency({ currencyType: 'AI' }));
    const rules = { ...ALL_OFF, Deny: true };

    expect(aPlan(before, { allocated: 1, rules }).loosens).toBe(true);
    expect(aPlan(before, { allocated: 0, rules }).loosens).toBe(false);
  });
});
