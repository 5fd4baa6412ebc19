import { describe, expect, it } from 'vitest';
import { findNearWord } from '../../../src/governance/lists/admin-command.ts';

describe('a mistyped command', () => {
  it.each([
    ['signin', 'sign-in'],
    ['sign_in', 'sign-in'],
    ['agent', 'agents'],
    ['enviroments', 'environments'],
    ['limti', 'limit'],
    ['hlp', 'help'],
    ['review-export', 'review'],
    ['/assistant-admin', undefined],
    ['delete', undefined],
    ['x', undefined],
    ['a'.repeat(5_000), undefined],
  ])('%.20s is near %s', (typed, meant) => {
    expect(findNearWord(typed)).toBe(meant);
  });
});
