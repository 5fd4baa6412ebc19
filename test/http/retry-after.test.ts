import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/http/http-errors.ts';

const now = Date.parse('2026-01-05T10:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['Mon, 05 Jan 2026 10:00:30 GMT', 30_000],
    ['Monday, 05-Jan-26 10:00:30 GMT', 30_000],
    ['Mon Jan  5 10:00:30 2026', 30_000],
    ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
  ])('reads %j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each(['', '1.5', '-5', '5, 10', 'soon', '2026-01-05', '10 seconds', 'Mon, nonsense'])(
    'does not guess at %j',
    (value) => {
      expect(parseRetryAfter(value, now)).toBeUndefined();
    },
  );

  it('takes the first of several headers, and none for none', () => {
    expect(parseRetryAfter(['3', '9'], now)).toBe(3_000);
    expect(parseRetryAfter(undefined, now)).toBeUndefined();
    expect(parseRetryAfter([], now)).toBeUndefined();
  });
});
