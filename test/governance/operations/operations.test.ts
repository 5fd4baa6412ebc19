import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllocated, parseCredits } from '../../../src/governance/operations/credits.ts';
import { parseLimit, parseLimitCredits } from '../../../src/governance/operations/limit.ts';
import { describeValue, OPERATIONS } from '../../../src/governance/operations/operations.ts';
import { MAX_AMOUNT } from '../../../src/governance/shell/numbers.ts';
import { limitSchema, type SettingId } from '../../../src/policy/values.ts';
import { ANY_VALUE } from '../policy-documents/policy-samples.ts';

describe.each(Object.keys(OPERATIONS) as SettingId[])('the setting %s', (setting) => {
  const { schema } = OPERATIONS[setting];

  it('takes any value of its kind, and has words for it', () => {
    fc.assert(
      fc.property(ANY_VALUE[setting], (value) => {
        expect(schema.safeParse(value).success).toBe(true);
        expect(describeValue(setting, value as never)).toMatch(/./);
      }),
    );
  });

  it('takes nothing else', () => {
    const others = [undefined, null, -1, 0.5, 'nothing such', { unknown: true }, [1], Number.NaN];

    expect(others.filter((value) => schema.safeParse(value).success)).toEqual([]);
  });
});

describe('words', () => {
  it.each<[SettingId, unknown, string]>([
    ['limit', 'none', 'no limit'],
    [
      'limit',
      { credits: 2_000, noticeAt: 80, stopAtLimit: true },
      '2,000 credits · notice at 80 % · stops at the limit',
    ],
    ['limit', { credits: 0.5, noticeAt: 'off', stopAtLimit: false }, '0.5 credits · no notice · goes on at the limit'],
    ['stop', true, 'stopped'],
    ['stop', false, 'runs'],
    ['credits', { allocated: 25_000, rules: { Deny: true } }, '25,000 credits · Deny when used up: on'],
    ['credits', { rules: {} }, 'nothing'],
    [
      'standard',
      { limit: 'none', credits: { Images: { allocated: 5, rules: {} } } },
      'each agent: no limit; Images: 5 credits',
    ],
    ['standard', { credits: {} }, 'no default limit'],
    ['owners', [], 'nobody'],
    ['personCap', 20, '20 a day'],
    ['channelCap', 'none', 'no cap'],
  ])('of %s %j: %s', (setting, value, words) => {
    expect(describeValue(setting, value as never)).toBe(words);
  });
});

describe('credits that are typed', () => {
  it.each([
    ['25,000', 25_000],
    ['25 000', 25_000],
    ['0', 0],
  ])('%s is %d', (typed, expected) => {
    expect(parseAllocated(typed)).toBe(expected);
  });

  it.each([
    ['', 'Enter 0 to allocate none'],
    ['-5', 'cannot be negative'],
    ['1.5', 'without a fraction'],
    ['1.000', 'without a fraction'],
    ['.5', 'without a fraction'],
    ['5k', 'not a number'],
    ["1'000", 'not a number'],
    ['9007199254740992', 'too large'],
  ])('"%s" gets a sentence: %s', (typed, words) => {
    expect(parseAllocated(typed)).toEqual(expect.stringContaining(words));
  });

  it('are complete: all four rules are chosen', () => {
    const rules = { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: undefined } as const;

    expect(parseCredits({ allocated: '5', rules })).toEqual({ errors: { Deny: expect.any(String) } });
    expect(parseCredits({ allocated: '5', rules: { ...rules, Deny: 'on' } })).toEqual({
      credits: { allocated: 5, rules: { Alert: true, TenantPool: false, PayGo: false, Deny: true } },
    });
  });
});

describe('the credits of a limit', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    [' 1,000 ', 1000],
    ['1 000 000', 1_000_000],
    ['1\u00a0000', 1000],
    ['1\u202f000', 1000],
    ['007', 7],
    ['82.5', 82.5],
    ['.5', 0.5],
    ['1,000.125', 1000.125],
    ['9,007,199,254,740,991', MAX_AMOUNT],
  ])('%s is %d', (typed, credits) => {
    expect(parseLimitCredits(typed)).toBe(credits);
  });

  it.each([
    ['', 'Enter a monthly limit'],
    ['   ', 'Enter a monthly limit'],
    ['-1', 'cannot be negative'],
    ['−5', 'cannot be negative'],
    ['-1.5', 'cannot be negative'],
    ['1.000', 'This number is not clear'],
    ['250.125', 'This number is not clear'],
    ['1,5', 'a point for decimals'],
    ['1,00,000', 'a point for decimals'],
    ['1 000,000', 'a point for decimals'],
    ['1.000.000', 'a point for decimals'],
    ['9007199254740992', 'too large'],
    ['0.12345678901234567', 'too many digits'],
    ['9'.repeat(60), 'too large'],
    ['5k', 'not a number'],
    ["1'000", 'not a number'],
    ['1e3', 'not a number'],
    ['0x10', 'not a number'],
    ['+5', 'not a number'],
    ['NaN', 'not a number'],
    ['10²', 'not a number'],
    ['٣', 'not a number'],
    ['5; drop', 'not a number'],
  ])('"%s" gets a sentence: %s', (typed, words) => {
    expect(parseLimitCredits(typed)).toEqual(expect.stringContaining(words));
  });

  it('answers any text with a number within bounds or with a sentence', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789,. -+eEk') });
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'grapheme' })), (typed) => {
        const parsed = parseLimitCredits(typed);
        if (typeof parsed === 'string') return parsed.endsWith('.');
        return parsed >= 0 && parsed <= MAX_AMOUNT && /^[\d.,\s]+$/.test(typed);
      }),
    );
  });
});

describe('a limit', () => {
  const typed = { credits: '1000', noticeAt: '80', stopAtLimit: false };

  it.each([
    ['80', 80],
    [' 82.5 % ', 82.5],
    ['0', 0],
    ['100', 100],
    ['', 'off'],
  ])('takes the notice at "%s"', (noticeAt, expected) => {
    expect(parseLimit({ ...typed, noticeAt })).toEqual({
      limit: { credits: 1000, noticeAt: expected, stopAtLimit: false },
    });
  });

  it.each(['101', '-5', '50,5', 'half', '1e1', '%'])('refuses the notice at "%s" at its field', (noticeAt) => {
    expect(parseLimit({ ...typed, noticeAt })).toEqual({ errors: { noticeAt: expect.stringContaining('0 to 100') } });
  });

  it('is none where that is typed, and where it caps and notifies nothing', () => {
    expect(parseLimit({ ...typed, credits: ' None ' })).toEqual({ limit: 'none' });
    expect(parseLimit({ credits: '0', noticeAt: '', stopAtLimit: false })).toEqual({ limit: 'none' });
    expect(parseLimit({ credits: '0', noticeAt: '', stopAtLimit: true })).toMatchObject({ limit: { credits: 0 } });
  });

  it('is one that the policy takes, whatever is typed', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('0', '1,000', '80 %', 'none', '.5'));
    fc.assert(
      fc.property(text, text, fc.boolean(), (credits, noticeAt, stopAtLimit) => {
        const { limit } = parseLimit({ credits, noticeAt, stopAtLimit });
        return limit === undefined || limitSchema.safeParse(limit).success;
      }),
    );
  });
});
