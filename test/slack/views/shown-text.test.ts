import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toComparable } from '../../../src/governance/inventory/inventory.ts';
import { toMrkdwnLine, toMrkdwnName } from '../../../src/slack/views/content.ts';

describe('a name in mrkdwn', () => {
  it.each([
    [':white_check_mark: *Verified*', ':\u2060white_check_mark: \u2217Verified\u2217'],
    ['`code` ~gone~ _it_', '\u02cbcode\u02cb \u223cgone\u223c \u02cdit\u02cd'],
    ['sales_bot_2', 'sales_bot_2'],
    ['Q&A: <all>', 'Q&amp;A: &lt;all&gt;'],
    ['At 10:30', 'At 10:30'],
  ])('of %j formats nothing', (name, shown) => {
    expect(toMrkdwnName(name, 100)).toBe(shown);
  });

  it('is the same name for who searches with a copy of it', () => {
    const name = fc.string({ unit: fc.constantFrom('*', '_', '~', '`', ':', 'a', ' '), maxLength: 40 });
    fc.assert(
      fc.property(name, (typed) => {
        expect(toComparable(toMrkdwnName(typed, 100))).toBe(toComparable(typed));
      }),
    );
  });

  it('is not how an id is shown: that is copied elsewhere', () => {
    expect(toMrkdwnLine('_id_*1*', 100)).toBe('_id_*1*');
  });
});
