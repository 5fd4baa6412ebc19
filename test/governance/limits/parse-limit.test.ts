import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LimitForm, parseCredits, parseLimitForm } from '../../../src/governance/limits/limit-plan.ts';
import { formatAmount, MAX_AMOUNT } from '../../../src/governance/shell/amount.ts';

const aForm = (values: Partial<LimitForm> = {}): LimitForm => ({
  limit: '1000',
  notify: true,
  notificationThreshold: '80',
  stopWhenReached: false,
  stopDecision: undefined,
  ...values,
});

describe('the limit', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    [' 1,000 ', 1000],
    ['1 000 000', 1_000_000],
    ['1\u00a0000', 1000],
    ['1\u202f000', 1000],
    ['007', 7],
    ['82.5', 82.5],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['0.125', 0.125],
    ['1000.125', 1000.125],
    ['1,000.125', 1000.125],
    ['1 000.5', 1000.5],
    ['3000000000', 3_000_000_000],
    ['9,007,199,254,740,991', MAX_AMOUNT],
  ])('%s is %d', (typed, credits) => {
    expect(parseCredits(typed)).toBe(credits);
  });

  it.each([
    ['', 'Enter a monthly limit'],
    ['   ', 'Enter a monthly limit'],
    ['-1', 'cannot be negative'],
    ['−5', 'cannot be negative'],
    ['-1.5', 'cannot be negative'],
    ['1.000', 'can mean a thousand times as much'],
    ['250.125', 'can mean a thousand times as much'],
    ['1,5', 'a point begins a fraction'],
    ['1,00,000', 'a point begins a fraction'],
    ['1 000,000', 'a point begins a fraction'],
    ['1.000.000', 'a point begins a fraction'],
    ['9007199254740992', 'too large'],
    ['0.12345678901234567', 'too many digits'],
    ['9'.repeat(60), 'too large'],
    ['1e3', 'digits only'],
    ['0x10', 'digits only'],
    ['+5', 'digits only'],
    ['NaN', 'digits only'],
    ['Infinity', 'digits only'],
    ['many', 'digits only'],
    ['10²', 'digits only'],
    ['٣', 'digits only'],
    ['5; drop', 'digits only'],
  ])('"%s" gets a sentence: %s', (typed, words) => {
    expect(parseCredits(typed)).toEqual(expect.stringContaining(words));
  });

  it('reads every number it accepts as its digits say, whatever the grouping', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom('', ',', ' ', '\u00a0', '\u202f'), (credits, separator) => {
        const typed = credits.toLocaleString('en-US').replaceAll(',', separator);
        expect(parseCredits(typed)).toBe(credits);
      }),
    );
  });

  it('answers any text with a number within bounds or with a sentence', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789,. -+eE') });
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'grapheme' })), (typed) => {
        const parsed = parseCredits(typed);
        if (typeof parsed === 'string') return parsed.endsWith('.');
        return parsed >= 0 && parsed <= MAX_AMOUNT && /^[\d.,\s]+$/.test(typed);
      }),
    );
  });
});

describe('an amount', () => {
  it.each([
    [0.1, '0.1'],
    [82.5, '82.5'],
    [1234.0625, '1,234.0625'],
    [3e9, '3,000,000,000'],
    [0.000_001, '0.000001'],
  ])('%d is shown as it is: %s', (amount, shown) => {
    expect(formatAmount(amount)).toBe(shown);
  });
});

describe('the form', () => {
  it('becomes a limit', () => {
    const parsed = parseLimitForm(aForm({ notificationThreshold: ' 75 %' }), { asksForStopDecision: false });

    const wanted = { limit: 1000, notify: true, notificationThreshold: 75, stopWhenReached: false };
    expect(parsed).toEqual({ ok: true, wanted, stopDecision: undefined });
  });

  it.each([
    ['0', 0],
    ['82.5 %', 82.5],
    ['100', 100],
  ])('takes the percentage "%s"', (typed, notificationThreshold) => {
    const parsed = parseLimitForm(aForm({ notificationThreshold: typed }), { asksForStopDecision: false });

    expect(parsed).toMatchObject({ ok: true, wanted: { notificationThreshold } });
  });

  it.each([
    { limit: 1e21, notificationThreshold: 0 },
    { limit: 0.1 + 0.2, notificationThreshold: 250 },
    { limit: 1000.125, notificationThreshold: 33.333_333_333_333_336 },
  ])('takes what is there untouched, whatever it is: %j', (shown) => {
    const form = aForm({ limit: String(shown.limit), notificationThreshold: String(shown.notificationThreshold) });

    const parsed = parseLimitForm(form, { asksForStopDecision: false, shown });

    expect(parsed).toMatchObject({ ok: true, wanted: shown });
  });

  it.each(['', '101', '-5', '50,5', 'half', '1e1', '%'])('refuses the percentage "%s" at its field', (typed) => {
    const parsed = parseLimitForm(aForm({ notificationThreshold: typed }), { asksForStopDecision: false });

    expect(parsed).toEqual({ ok: false, errors: { notificationThreshold: expect.stringContaining('0 to 100') } });
  });

  it('names every wrong field at once, the undecided one included', () => {
    const form = aForm({ limit: 'x', notificationThreshold: 'y' });

    const parsed = parseLimitForm(form, { asksForStopDecision: true });

    const sentence = expect.any(String);
    const errors = { limit: sentence, notificationThreshold: sentence, stopDecision: sentence };
    expect(parsed).toEqual({ ok: false, errors });
  });

  it('hands on the decision about a stopped agent', () => {
    const parsed = parseLimitForm(aForm({ stopDecision: 'keep_stopped' }), { asksForStopDecision: true });

    expect(parsed).toMatchObject({ ok: true, stopDecision: 'keep_stopped' });
  });
});
