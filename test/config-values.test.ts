import { describe, expect, it } from 'vitest';
import { cronPattern } from '../src/config-values.ts';

describe('a time to review', () => {
  it.each(['0 7 * * 1-5', '*/10 * * * * *', '0 7 1 * *'])('may be %s', (pattern) => {
    expect(cronPattern(pattern)).toBe(pattern);
  });

  it.each([
    ['0 7 * *', /five fields of cron/],
    ['every day', /five fields of cron/],
    ['0 0 7 * * 1-5 2027', /five fields of cron/],
    ['0 7 30 2 *', /never comes/],
  ])('may not be %s', (pattern, problem) => {
    expect(() => cronPattern(pattern)).toThrow(problem);
  });
});
