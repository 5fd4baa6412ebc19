import { describe, expect, it } from 'vitest';
import { buildReasonField, MIN_REASON_LENGTH, parseReason } from '../../../src/governance/run/decision-form.ts';

describe('a reason', () => {
  it('is kept on one line', () => {
    expect(parseReason('  Ana asked\n for\tmore \u0007')).toEqual({ ok: true, reason: 'Ana asked for more' });
  });

  it.each(['', '   ', 'ok', '.........', '\u200b'.repeat(20)])('of next to nothing is refused: "%s"', (typed) => {
    expect(parseReason(typed)).toEqual({ ok: false, sentence: expect.stringContaining('at least 10 characters') });
  });

  it('has to be as long as its field says', () => {
    expect(buildReasonField().hint?.text).toContain(`At least ${MIN_REASON_LENGTH} characters`);
    expect(parseReason('x'.repeat(MIN_REASON_LENGTH)).ok).toBe(true);
    expect(parseReason('x'.repeat(MIN_REASON_LENGTH - 1)).ok).toBe(false);
  });

  it.each(['予算の変更', '用途変更', '예산 변경'])('may be short where a character says more: %s', (reason) => {
    expect(parseReason(reason)).toEqual({ ok: true, reason });
    expect(parseReason(reason.slice(0, 2)).ok).toBe(false);
  });

  it('of a page is refused', () => {
    expect(parseReason('x'.repeat(501))).toEqual({ ok: false, sentence: expect.stringContaining('at most 500') });
    expect(parseReason('😀'.repeat(500))).toMatchObject({ ok: true });
  });
});
