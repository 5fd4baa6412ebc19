import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllocated, parseCredits } from '../../../src/governance/operations/credits.ts';
import { describeValue, OPERATIONS } from '../../../src/governance/operations/operations.ts';
import { RULE_TYPES, type SettingId, type Values } from '../../../src/policy/values.ts';

const amount = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs));
// One that caps nothing is read as none.
const limit: fc.Arbitrary<Values['limit']> = fc.oneof(
  fc.constant('none' as const),
  fc
    .record({
      credits: amount,
      noticeAt: fc.oneof(fc.constant('off' as const), fc.integer({ min: 0, max: 100 })),
      stopAtLimit: fc.boolean(),
    })
    // The service shows that one as no limit, and it is read as none.
    .filter(({ credits, noticeAt, stopAtLimit }) => credits > 0 || noticeAt !== 'off' || stopAtLimit),
);
const credits: fc.Arbitrary<Values['credits']> = fc.record(
  {
    allocated: fc.nat(),
    rules: fc.record(Object.fromEntries(RULE_TYPES.map((rule) => [rule, fc.boolean()])), { requiredKeys: [] }),
  },
  { requiredKeys: ['rules'] },
);
const cap = fc.oneof(fc.constant('none' as const), fc.nat());

const VALUES: { [Setting in SettingId]: fc.Arbitrary<Values[Setting]> } = {
  standard: fc.record(
    {
      limit,
      credits: fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        credits,
      ),
    },
    { requiredKeys: ['credits'] },
  ),
  class: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/),
  owners: fc.array(fc.stringMatching(/^\w{1,320}$/), { maxLength: 20 }),
  credits,
  limit,
  stop: fc.boolean(),
  reply: fc.constantFrom('mentions', 'threads', 'all'),
  personCap: cap,
  channelCap: cap,
  questions: fc.constantFrom('allowed', 'refused'),
  answers: fc.constantFrom('thread', 'private'),
  webSearch: fc.boolean(),
  threadContext: fc.boolean(),
  pause: fc.record({ word: fc.string({ maxLength: 300 }) }),
};

describe.each(Object.keys(VALUES) as SettingId[])('the setting %s', (setting) => {
  const operation = OPERATIONS[setting];

  it('is kept as JSON and read back as it was, and has words for any value', () => {
    fc.assert(
      fc.property(VALUES[setting] as fc.Arbitrary<Values[SettingId]>, (value) => {
        const read = operation.schema.parse(JSON.parse(JSON.stringify(value)));
        expect(JSON.stringify(read)).toBe(JSON.stringify(value));
        expect(describeValue(setting, value as never)).toMatch(/./);
      }),
    );
  });

  it('takes nothing else', () => {
    const others = [undefined, null, -1, 0.5, 'nothing such', { unknown: true }, [1], Number.NaN];
    const taken = others.filter((value) => operation.schema.safeParse(value).success);

    const [first] = fc.sample(VALUES[setting] as fc.Arbitrary<Values[SettingId]>, 1);
    expect(operation.schema.safeParse(first).success).toBe(true);
    expect(taken).toEqual([]);
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
