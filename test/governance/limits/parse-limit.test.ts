import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LimitForm, MAX_LIMIT, parseCredits, parseLimitForm } from '../../../src/governance/limits/limit-plan.ts';

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
    ['2,147,483,647', MAX_LIMIT],
  ])('%s is %i', (typed, credits) => {
    expect(parseCredits(typed)).toBe(credits);
  });

  it.each([
    ['', 'Enter a monthly limit'],
    ['   ', 'Enter a monthly limit'],
    ['-1', 'cannot be negative'],
    ['−5', 'cannot be negative'],
    ['-1.5', 'cannot be negative'],
    ['1.5', 'whole number'],
    ['1,5', 'whole number'],
    ['1.000', 'whole number'],
    ['1,000.00', 'whole number'],
    ['1,00,000', 'whole number'],
    ['1 000,000', 'whole number'],
    ['2147483648', 'too large'],
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
      fc.property(fc.nat(MAX_LIMIT), fc.constantFrom('', ',', ' ', '\u00a0', '\u202f'), (credits, separator) => {
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
        return Number.isInteger(parsed) && parsed >= 0 && parsed <= MAX_LIMIT && /^[\d,\s]+$/.test(typed);
      }),
    );
  });
});

describe('the form', () => {
  it('becomes a limit', () => {
    const parsed = parseLimitForm(aForm({ notificationThreshold: ' 75 %' }), { asksForStopDecision: false });

    const wanted = { limit: 1000, notify: true, notificationThreshold: 75, stopWhenReached: false };
    expect(parsed).toEqual({ ok: true, wanted, stopDecision: undefined });
  });

  it.each(['', '0', '101', '-5', '50.5', 'half', '1e1', '%'])('refuses the percentage "%s" at its field', (typed) => {
    const parsed = parseLimitForm(aForm({ notificationThreshold: typed }), { asksForStopDecision: false });

    expect(parsed).toEqual({ ok: false, errors: { notificationThreshold: expect.stringContaining('1 to 100') } });
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
