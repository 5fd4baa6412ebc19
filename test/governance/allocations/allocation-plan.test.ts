import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CurrencyAllocation, toAllocationBody } from '../../../src/admin-api/licensing-wire.ts';
import { isSameAllocation, RULE_TYPES } from '../../../src/governance/allocations/allocation.ts';
import { planAllocation } from '../../../src/governance/allocations/allocation-plan.ts';
import { ALL_OFF, aCurrency, anAllocation, aPlan, CURRENCY } from './samples.ts';

describe('what is sent', () => {
  it('is all that was there, in its place, with the credits and the rules that were asked for', () => {
    const throttle = { ruleType: 'Throttle', enabled: true, others: { percent: 90 } } as const;
    const credits = aCurrency({ others: { costCentre: 'CC-1' } });
    const before = {
      ...anAllocation(aCurrency({ currencyType: 'AI', allocated: 5 }, { Deny: true }), {
        ...credits,
        enforcementRules: [throttle, ...credits.enforcementRules],
      }),
      others: { region: 'europe' },
    };

    const { after } = aPlan(before, { allocated: 2000, rules: { Deny: true } });

    expect(toAllocationBody(after)).toEqual({
      environmentId: 'env-1',
      region: 'europe',
      currencyAllocations: [
        { currencyType: 'AI', allocated: 5, enforcementRules: [{ ruleType: 'Deny', enabled: true }] },
        {
          currencyType: CURRENCY,
          allocated: 2000,
          costCentre: 'CC-1',
          enforcementRules: [
            { ruleType: 'Throttle', enabled: true, percent: 90 },
            { ruleType: 'Alert', enabled: false },
            { ruleType: 'TenantPool', enabled: false },
            { ruleType: 'PayGo', enabled: false },
            { ruleType: 'Deny', enabled: true },
          ],
        },
      ],
    });
  });

  it('has all four rules, those that were left to the platform behind the others', () => {
    const before = anAllocation(aCurrency({}, { Deny: false, Alert: true }));

    const { after, wanted } = aPlan(before, { rules: { TenantPool: false, PayGo: false } });

    const [{ enforcementRules } = aCurrency()] = after.currencyAllocations;
    expect(enforcementRules.map(({ ruleType, enabled }) => [ruleType, enabled])).toEqual([
      ['Deny', false],
      ['Alert', true],
      ['TenantPool', false],
      ['PayGo', false],
    ]);
    expect(wanted).toEqual([
      { currencyType: CURRENCY, allocated: 1000, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: false } },
    ]);
  });

  it('keeps the names that the service has for a currency and its rules', () => {
    const { Deny: _, ...others } = ALL_OFF;
    const before = anAllocation(aCurrency({ currencyType: 'servicemessages' }, { ...others, DENY: false }));

    const { after } = aPlan(before, { rules: { Deny: true } });

    const [{ currencyType, enforcementRules } = aCurrency()] = after.currencyAllocations;
    expect(currencyType).toBe('servicemessages');
    expect(enforcementRules.map(({ ruleType, enabled }) => [ruleType, enabled])).toEqual([
      ['Alert', false],
      ['TenantPool', false],
      ['PayGo', false],
      ['DENY', true],
    ]);
  });

  it('adds a currency that the environment has not yet', () => {
    const before = anAllocation(aCurrency({ currencyType: 'AI' }));

    const { after, rows } = aPlan(before, { allocated: 50, rules: ALL_OFF });

    expect(after.currencyAllocations.map(({ currencyType, allocated }) => [currencyType, allocated])).toEqual([
      ['AI', 1000],
      [CURRENCY, 50],
    ]);
    expect(rows[0]).toMatchObject({ label: 'Allocated', before: 'none', after: '50 credits' });
  });

  it('changes nothing but what was asked for, whatever was there', () => {
    const rule = fc.record({ ruleType: fc.uuid(), enabled: fc.constantFrom(true, false, 'unknown' as const) });
    const currency = fc
      .record({ currencyType: fc.uuid(), allocated: fc.option(fc.nat(), { nil: undefined }), rules: fc.array(rule) })
      .map(({ rules, ...named }) =>
        aCurrency({ ...named, enforcementRules: rules.map((one) => ({ ...one, others: { a: 1 } })) }),
      );
    fc.assert(
      fc.property(fc.array(currency), fc.array(rule), fc.nat(), (others, unknown, allocated) => {
        const rules = unknown.map((one) => ({ ...one, others: {} }));
        const before = anAllocation(...others, aCurrency({ enforcementRules: rules }));
        const { after } = aPlan(before, { allocated, rules: ALL_OFF });
        expect(after.currencyAllocations.slice(0, -1)).toEqual(others);
        expect(after.currencyAllocations.at(-1)?.enforcementRules.slice(0, rules.length)).toEqual(rules);
      }),
    );
  });
});

describe('a plan', () => {
  it.each<[string, CurrencyAllocation, string[]]>([
    ['the rules are left to the platform', aCurrency({}, {}), [...RULE_TYPES]],
    ['it is not told whether a rule is on', aCurrency({}, { ...ALL_OFF, Deny: 'unknown' }), ['Deny']],
    ['it is not told what is allocated', aCurrency({ allocated: undefined }), ['allocated']],
    ['the environment has no such currency', aCurrency({ currencyType: 'AI' }), ['allocated', ...RULE_TYPES]],
  ])('asks where %s, and nothing is said', (_, currency, settings) => {
    const before = anAllocation(currency);

    const result = planAllocation({ before, stated: [{ currencyType: CURRENCY }] });

    const open = settings.map((setting) => ({ currencyType: CURRENCY, setting }));
    expect(result).toEqual({ kind: 'needs_choice', open });
  });

  it('is for several currencies at once', () => {
    const before = anAllocation(aCurrency(), aCurrency({ currencyType: 'AI', allocated: 5 }));
    const stated = [
      { currencyType: CURRENCY, allocated: 10 },
      { currencyType: 'ai', allocated: 6 },
    ];

    const result = planAllocation({ before, stated });

    expect(result).toMatchObject({ kind: 'planned', plan: { loosens: true, changes: true } });
    const changed = result.kind === 'planned' ? result.plan.rows.filter(({ isChanged }) => isChanged) : [];
    expect(changed.map(({ currencyType, after }) => [currencyType, after])).toEqual([
      [CURRENCY, '10 credits'],
      ['AI', '6 credits'],
    ]);
  });

  it('says where nothing would change', () => {
    expect(aPlan(anAllocation())).toMatchObject({ changes: false, loosens: false, warnings: [] });
    expect(aPlan(anAllocation(), { allocated: 1001 }).changes).toBe(true);
  });

  it('names what is sent along as it is', () => {
    const before = anAllocation(aCurrency({}, { ...ALL_OFF, Throttle: true }), aCurrency({ currencyType: 'AI' }));

    expect(aPlan(before).kept).toEqual({
      currencies: ['AI'],
      rules: [{ currencyType: CURRENCY, ruleType: 'Throttle' }],
    });
  });

  it('shows old → new in words', () => {
    const before = anAllocation(aCurrency({ allocated: 25_000 }, { Alert: true, Deny: 'unknown', PayGo: false }));

    const { rows } = aPlan(before, { allocated: 30_000, rules: { TenantPool: true, Deny: false } });

    expect(rows.map(({ label, before: old, after, isChanged }) => [label, old, after, isChanged])).toEqual([
      ['Allocated', '25,000 credits', '30,000 credits', true],
      ['Alert administrators', 'on', 'on', false],
      ['Draw on the tenant pool', 'platform default', 'on', true],
      ['Pay as you go', 'off', 'off', false],
      ['Deny when used up', 'unknown', 'off', true],
    ]);
  });

  it('lives through JSON', () => {
    const plan = aPlan(anAllocation(aCurrency({ allocated: undefined, autoAllocated: undefined })), { allocated: 7 });

    const stored: typeof plan = JSON.parse(JSON.stringify(plan));

    expect(isSameAllocation(stored.before, plan.before)).toBe(true);
    expect(isSameAllocation(stored.after, plan.after)).toBe(true);
  });
});

describe('two allocations', () => {
  const before = anAllocation(aCurrency({}, { ...ALL_OFF, Throttle: true }), aCurrency({ currencyType: 'AI' }));
  const [first = aCurrency(), second = aCurrency()] = before.currencyAllocations;

  it('are the same in any order, with any fields that nobody knows, and whatever is read only', () => {
    const reversed = anAllocation(
      { ...second, currencyType: 'ai', autoAllocated: 77 },
      { ...first, others: { readAt: 'now' }, enforcementRules: first.enforcementRules.toReversed() },
    );

    expect(isSameAllocation(before, reversed)).toBe(true);
  });

  it('are the same where a rule that nobody knows has a field that moves', () => {
    const at = (evaluatedOn: string, enabled: boolean | 'unknown', others = {}) =>
      anAllocation(
        aCurrency({ enforcementRules: [{ ruleType: 'Throttle', enabled, others: { evaluatedOn, ...others } }] }),
      );

    expect(isSameAllocation(at('9:00', true), at('9:01', true))).toBe(true);
    expect(isSameAllocation(at('9:00', 'unknown', { enabled: 'a' }), at('9:01', 'unknown', { enabled: 'a' }))).toBe(
      true,
    );
    expect(isSameAllocation(at('9:00', 'unknown', { enabled: 'a' }), at('9:00', 'unknown', { enabled: 'b' }))).toBe(
      false,
    );
  });

  it.each<[string, typeof before]>([
    ['an amount', anAllocation({ ...first, allocated: 1001 }, second)],
    ['a rule', anAllocation(aCurrency({}, { ...ALL_OFF, Throttle: true, Deny: true }), second)],
    ['a rule that is left to the platform', anAllocation(aCurrency({}, { Throttle: true, Alert: false }), second)],
    ['an unknown rule', anAllocation(aCurrency({}, { ...ALL_OFF, Throttle: false }), second)],
    ['an unknown rule less', anAllocation(aCurrency(), second)],
    ['a currency less', anAllocation(first)],
    ['an amount of another currency', anAllocation(first, { ...second, allocated: 1 })],
  ])('are not where they differ in %s', (_, other) => {
    expect(isSameAllocation(before, other)).toBe(false);
  });
});
