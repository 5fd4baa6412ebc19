import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../../src/slack/text-out/plain-text.ts';

describe('toPlainText', () => {
  it.each([
    ['# Title\n\nSome **bold** and _italic_ `code`.', 'Title Some bold and italic code.'],
    ['> - [label](https://x.example/a) (x.example)', '- label (x.example)'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['```js\nlet a_b = 1;\n```', 'let a_b = 1;'],
    ['', '…'],
  ])('shows %j in one line without markup', (markdown, expected) => {
    expect(toPlainText(markdown)).toBe(expected);
  });

  it('escapes once, whether or not it was escaped before', () => {
    expect(toPlainText('a < b & <!channel>')).toBe('a &lt; b &amp; &lt;!channel&gt;');
    expect(toPlainText('a &lt; b &amp; &lt;!channel&gt;')).toBe('a &lt; b &amp; &lt;!channel&gt;');
  });

  it('mentions nobody', () => {
    expect(toPlainText('@channel')).toBe('@\u2060channel');
  });

  it('ends between words, and not within a character', () => {
    const shown = toPlainText('word '.repeat(100));

    expect(shown.endsWith('word…')).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(150);
    expect(toPlainText('👩‍👩‍👧'.repeat(100)).replace(/👩‍👩‍👧/gu, '')).toBe('…');
  });

  it('holds no bracket, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '&', 'lt;', 'amp;', '!', '[', '](', '`', 'a') }),
        (text) => {
          expect(toPlainText(text)).not.toMatch(/[<>]/);
        },
      ),
    );
  });
});
