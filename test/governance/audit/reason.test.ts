import { describe, expect, it } from 'vitest';
import { parseReason } from '../../../src/governance/audit/reason.ts';

describe('a reason', () => {
  it('is kept on one line', () => {
    expect(parseReason('  Ana asked\n for\tmore \u0007')).toEqual({ ok: true, reason: 'Ana asked for more' });
  });

  it.each(['', '   ', 'ok', '.........', '\u200b'.repeat(20)])('of next to nothing is refused: "%s"', (typed) => {
    expect(parseReason(typed)).toEqual({ ok: false, sentence: expect.stringContaining('at least 10 characters') });
  });

  it('of a page is refused', () => {
    expect(parseReason('x'.repeat(501))).toEqual({ ok: false, sentence: expect.stringContaining('at most 500') });
    expect(parseReason('😀'.repeat(500))).toMatchObject({ ok: true });
  });
});
